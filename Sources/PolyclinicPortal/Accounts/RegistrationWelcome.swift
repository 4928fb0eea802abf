import PolyclinicCore
import PolyclinicWeb

/// The page after registration, with the first steps of a new person.
extension AccountsModule {
  func welcome(_ context: Context) throws -> Response {
    let profile = try loadProfile(context)
    let steps = FirstSteps(for: .signedIn, context, server())
    let waiting = try approval(context).map { HTML.notice(.remark, $0) }
    return .page(
      Page(
        "first-steps.title",
        """
        <h1>\(context.text("register.welcome", ["name": profile.name]))</h1>\
        \(context.notice(.outcome, "register.welcome.ready"))\(waiting)\
        \(context.browserNoticesInvitation())<h2>\(context.text("first-steps.title"))</h2>\(steps.list(context))\
        \(actions: context.button("error.home", to: "/"))
        """, assets: [.browserNotices], hasOwnHeading: true))
  }

  /// True if the person can be reached: the profile has a telephone number and an address.
  func hasContactDetails(_ context: Context) throws -> Bool {
    let profile = try loadProfile(context)
    return !profile.phone.isEmpty && profile.hasAddress
  }

  func hasSecondFactor(_ context: Context) throws -> Bool {
    let person = try context.signedIn().person
    return try Account.find(person, on: context)?.secondFactor != nil
  }
}
