import PolyclinicCore
import PolyclinicWeb

/// The form with which a parent enters a child, who has no account.
struct NewChild: RoutedForm {
  static let address: Address<Void> = "/account/people/child"
  static let title: Text = "guardians.add-child"
  static let submit: Text = "guardians.add"
  static let cancel = GuardianList.path

  struct Draft: Sendable {
    var profile = Profile()
    var isGuardian = false
  }

  static let form = Form<Draft>(
    Draft(), .part(\.profile, Profile.child),
    .check(\.isGuardian, "is_guardian", required: true))

  private let context: Context

  init(_ context: Context) { self.context = context }

  var about: HTML? { "<p>\(context.parentalAges)</p>" }

  /// Enters the child, for whom the visitor acts from now on. Throws ``Refusal/invalid(_:_:)`` for
  /// somebody who is of age, who must be asked.
  func save(_ draft: Draft, in context: Context) throws -> Redirect {
    let (server, guardian) = (context.server, try context.signedIn().person)
    let zone = context.formats.timeZone
    guard let born = draft.profile.birthDate else {
      throw Refusal.invalid("birth_date", "error.required")
    }
    let ages = server.site.guardianship
    if let end = GuardianshipAges.reached(ages.end, born: born, in: zone), end <= context.now {
      throw Refusal.invalid(
        "birth_date", Text("guardians.error.of-age", ["age": String(ages.end)]))
    }
    let name = draft.profile.displayName
    guard try !context.patients().contains(where: { $0.name == name && $0.birthDate == born })
    else {
      throw Refusal.invalid("name", Text("guardians.error.same-child", ["name": name]))
    }
    try context.requireRoom(for: guardian)
    let keys = try Account.insertPerson(draft.profile, server.vault, in: context)
    let guardianship = Guardianship(
      of: guardian, forChild: keys.person, born: born, ages, in: zone, because: .entered,
      at: context.now)
    try guardianship.save(server.vault, on: context)
    try context.tell(.began, guardianship)
    return Redirect(to: GuardianList.path)
      .logging(SecurityEvent(.guardianBegan, of: [guardian, keys.person]))
  }
}
