import PolyclinicCore
import PolyclinicWeb

/// The form that changes the profile and the fields that modules add.
struct ProfileEdit: Sendable {
  static let address: Address<Void> = "/account/edit"

  var profile = Profile()
  var answers = ProfileAnswers()
  /// Needed only if login or e-mail change.
  var currentPassword = CurrentPassword()

  /// The route of the form, whose fields depend on the configuration.
  static func route(_ accounts: AccountsModule) -> Route {
    .form(
      address.pattern, form(accounts), title: "profile.edit", cancel: AccountPage.path,
      load: { try ProfileEdit($0, accounts.parts) }, prepare: { try $0.prepare(in: $1) },
      save: { try $0.save(accounts.parts, in: $1) }
    ).saying("profile.saved")
  }

  private static func form(_ accounts: AccountsModule) -> Form<ProfileEdit> {
    Form<ProfileEdit>(
      ProfileEdit(),
      .section(
        "profile.section.sign-in", .part(\.profile, Profile.signIn),
        .part(\.currentPassword, CurrentPassword.optionalForm)),
      .part(\.profile, Profile.about(accounts.address))
    ).adding(accounts.parts.map { $0.field(at: \.answers).needing(accounts.neededFields) })
  }
}

extension ProfileEdit {
  private init(_ context: Context, _ parts: [OwnedProfilePart]) throws {
    profile = try Profile.own(in: context)
    if profile.country.isEmpty { profile.country = context.portal.clinic.country }
    for part in parts { try part.load(into: &answers, in: context) }
  }

  private mutating func prepare(in context: Context) throws {
    try profile.requirePastBirth(on: context.today)
    guard try Profile.own(in: context).signsInOtherwise(than: profile) else { return }
    if currentPassword.typed.isEmpty {
      throw Refusal.invalid("current_password", "error.current-password-needed")
    }
    try currentPassword.prove(in: context)
  }

  private func save(_ parts: [OwnedProfilePart], in context: Context) throws -> Redirect {
    var profile = profile
    if !profile.hasAddress { profile.country = "" }
    let (server, keys) = (context.server, try context.keys)
    var next = Redirect(to: AccountPage.path)
    if let stored = try Profile.find(by: keys, on: context),
      stored.signsInOtherwise(than: profile)
    {
      try currentPassword.requireStill(of: keys.person, on: context)
      if !stored.login.isIdentical(to: profile.login) {
        next = next.logging(SecurityEvent(.loginChanged, of: keys.person))
      }
      if !stored.email.isIdentical(to: profile.email) {
        next = next.logging(SecurityEvent(.emailChanged, of: keys.person))
        try AddressConfirmation.tellFormer(of: keys, server, at: context.now, on: context)
      }
    }
    try profile.save(by: keys, on: context)
    try Account.rename(keys.person, to: profile, server.vault, on: context)
    for part in parts { try part.save(answers, in: context) }
    return next
  }
}

extension Profile {
  /// Throws ``Refusal/invalid(_:_:)`` for a date of birth in the future.
  func requirePastBirth(on today: CalendarDate) throws {
    if let birthDate, birthDate > today { throw Refusal.invalid("birth_date", "error.future") }
  }
}
