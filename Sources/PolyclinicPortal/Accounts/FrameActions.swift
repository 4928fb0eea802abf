import PolyclinicCore
import PolyclinicWeb

/// Actions in the header of every page: sign out and change language. Also the dashboard card for a
/// role that waits for approval.
extension AccountsModule {
  func signOut(_ context: Context) throws -> Response {
    try SignInPage(server: server).signOut(context)
  }

  func chooseLanguage(_ context: Context) throws -> Response {
    let fields = context.request.fields
    guard let language = Language(rawValue: fields["language"]),
      context.portal.clinic.languages.contains(language)
    else { throw Refusal.malformed }
    let next = Path(local: fields["next"]) ?? "/"
    guard let visitor = context.visitor else { return .redirect(to: next).speaking(language) }
    return try context.change {
      try Account.setLanguage(language, of: visitor.person, on: $0)
      return next
    }.speaking(language)
  }

  /// Returns the sentence about a role that waits for approval, for the home page, the welcome and
  /// the account; nil if none waits.
  func approval(_ context: Context) throws -> HTML? {
    let visitor = try context.signedIn()
    let account = try Account.find(visitor.person, on: context)
    guard let wanted = account?.wantedRole else { return nil }
    return "<p>\(context.text(Text("approval.\(wanted.rawValue)")))</p>"
  }
}
