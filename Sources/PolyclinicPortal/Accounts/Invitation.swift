import PolyclinicCore
import PolyclinicWeb

/// The form with which a person without an account creates one, for example after reception
/// registered them.
struct Invitation: RoutedForm {
  static let address: Address<String> = "/invitation/{token}"
  static let access = Access.everyone
  static let title: Text = "invitation.title"
  static let submit: Text = "register.submit"
  static let cancel: Path = "/"
  static let preparesOnce = true

  struct Draft: Sendable {
    var login = ""
    var email = ""
    var password = NewPassword()
    var consent = false
  }

  static let form = Form<Draft>(
    Draft(),
    .section(
      "profile.section.sign-in",
      .text(
        \.login, "login", required: true, limit: 64, autocomplete: "username",
        hint: "field.login.hint", rule: Profile.loginProblem),
      .email(\.email, "email", required: true, hint: "field.email.hint")),
    .section("register.section.password", .part(\.password, NewPassword.form)),
    .check(\.consent, "consent", required: true, link: PrivacyPage.path))

  private let keys: Keys
  private let profile: Profile
  private let context: Context

  /// Finds the invited person. Throws ``OneTimeLink/gone`` if the link is no longer valid.
  init(_ context: Context) throws {
    self.context = context
    let (token, vault) = (context.request.parameters["token"], context.server.vault)
    guard let person = try OneTimeLink.invited(by: token, vault, in: context),
      let keys = try KeyStore(vault).unloggedKeys(of: person, on: context),
      let profile = try Profile.find(by: keys, on: context)
    else { throw OneTimeLink.gone }
    (self.keys, self.profile) = (keys, profile)
  }

  /// Names the person that the account belongs to, so that nobody creates an account for another
  /// person.
  var about: HTML? {
    "<p>\(context.text("invitation.about", ["name": profile.displayName]))</p>"
  }

  /// Checks and hashes the password before the transaction.
  func prepare(_ draft: inout Draft, in context: Context) throws {
    draft.password.passwordHash = try context.server.hashed(
      draft.password.password, personal: profile.personalWords + [draft.login, draft.email])
  }

  /// Creates the account, uses up the invitation and signs the person in. The person's records stay
  /// theirs. Links to them that others have made end, because from now on the person decides.
  func save(_ draft: Draft, in context: Context) throws -> Redirect {
    let server = context.server
    var profile = profile
    profile.login = draft.login
    profile.email = draft.email
    let new = Account.New(
      profile: profile, passwordHash: draft.password.passwordHash,
      language: context.language, consentVersion: PrivacyPage.version)
    try Account.open(new, server.vault, in: context.with(keys))
    try profile.save(by: keys, on: context)
    try OneTimeLink.forget(of: keys.person, on: context)
    try GuardianInvitation.forgetUnused(for: keys.person, on: context)
    var administrator = Administrator(
      vault: server.vault, author: .person(keys.person), now: context.now)
    try administrator.record(.add, keys.person, .patient, on: context)
    return try server.signIn(
      from: context.request.client, leadingTo: "/", in: context.with(keys)
    ).logging(SecurityEvent(.linkUsed, of: keys.person, ["purpose": "invitation"]))
  }
}
