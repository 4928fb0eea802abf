import PolyclinicCore
import PolyclinicWeb

/// The form that changes the profile and the fields that modules add.
struct ProfileEdit: RoutedForm {
  static let address: Address<Void> = "/account/edit"
  static let title: Text = "profile.edit"
  static let form = Form(
    Draft(),
    .section(
      "profile.section.sign-in", .part(\.profile, Profile.signIn),
      .part(\.currentPassword, CurrentPassword.optionalForm)))
  static let cancel = AccountPage.path
  static let isVersioned = true
  static let preparesOnce = true

  /// The route of the form, whose fields depend on the configuration.
  static func route(_ accounts: AccountsModule) -> Route {
    let parts = accounts.parts.map { part -> Field<Draft> in
      part.field(at: \.answers).needing(accounts.neededFields)
    }
    let fields = form.adding([.part(\.profile, Profile.about(accounts.address))] + parts)
    return Route(Self.self, fields: fields).saying("profile.saved")
  }

  struct Draft: Sendable {
    var profile = Profile()
    var answers = ProfileAnswers()
    /// Needed only if login or e-mail change.
    var currentPassword = CurrentPassword()
  }

  private let stored: Profile
  let start: Draft

  init(_ context: Context) throws {
    stored = try Profile.own(in: context)
    var draft = Draft(profile: stored)
    if stored.country.isEmpty { draft.profile.country = context.portal.clinic.country }
    for part in try context.accounts.parts { try part.load(into: &draft.answers, in: context) }
    start = draft
  }

  func prepare(_ draft: inout Draft, in context: Context) throws {
    try draft.profile.requirePastBirth(on: context.today)
    guard stored.signsInOtherwise(than: draft.profile) else { return }
    if draft.currentPassword.typed.isEmpty {
      throw Refusal.invalid("current_password", "error.current-password-needed")
    }
    try draft.currentPassword.prove(in: context)
  }

  func save(_ draft: Draft, in context: Context) throws -> Redirect {
    var profile = draft.profile
    if !profile.hasAddress { profile.country = "" }
    let (server, keys) = (context.server, try context.keys)
    var next = Redirect(to: AccountPage.path)
    if stored.signsInOtherwise(than: profile) {
      try draft.currentPassword.requireStill(of: keys.person, on: context)
      if !stored.login.isIdentical(to: profile.login) {
        next = next.logging(SecurityEvent(.loginChanged, of: keys.person))
      }
      if !stored.email.isIdentical(to: profile.email) {
        next = next.logging(SecurityEvent(.emailChanged, of: keys.person))
        try AddressConfirmation.tellFormer(server, in: context)
      }
    }
    try profile.save(by: keys, on: context)
    try Account.rename(keys.person, to: profile, server.vault, on: context)
    if let born = profile.birthDate, born != stored.birthDate {
      try context.letParentsFollow(born, of: keys.person, named: profile.displayName)
    }
    for part in try context.accounts.parts { try part.save(draft.answers, in: context) }
    return next
  }
}

extension Profile {
  /// Throws ``Refusal/invalid(_:_:)`` for a date of birth in the future.
  func requirePastBirth(on today: CalendarDate) throws {
    if let birthDate, birthDate > today { throw Refusal.invalid("birth_date", "error.future") }
  }
}
