import PolyclinicCore
import PolyclinicWeb

/// The form with which a person without an account creates one, for example after reception
/// registered them.
struct Invitation: Sendable {
  var login = ""
  var email = ""
  var password = NewPassword()
  var consent = false

  static let form = Form<Invitation>(
    Invitation(),
    .section(
      "profile.section.sign-in",
      .text(
        \.login, "login", required: true, limit: 64, autocomplete: "username",
        hint: "field.login.hint", rule: Profile.loginProblem),
      .email(\.email, "email", required: true, hint: "field.email.hint")),
    .section("register.section.password", .part(\.password, NewPassword.form)),
    .check(\.consent, "consent", required: true, link: "/privacy"))
}

extension AccountsModule {
  typealias Invited = (keys: Keys, profile: Profile)

  /// Names the person that the account belongs to, so that nobody creates an account for another
  /// person.
  func aboutInvitation(_ invited: Invited, _ context: Context) -> HTML? {
    "<p>\(context.text("invitation.about", ["name": invited.profile.displayName]))</p>"
  }

  /// Checks and hashes the password before the transaction.
  func prepareInvitation(
    _ invitation: inout Invitation, _ invited: Invited, _ context: Context
  ) throws {
    invitation.password.passwordHash = try server().hashed(
      invitation.password.password,
      personal: invited.profile.personalWords + [invitation.login, invitation.email])
  }

  /// Creates the account, uses up the invitation and signs the person in. The person's records stay
  /// theirs.
  func acceptInvitation(
    _ invitation: Invitation, _ invited: Invited, _ context: Context
  ) throws -> Redirect {
    let server = self.server()
    var (keys, profile) = invited
    profile.login = invitation.login
    profile.email = invitation.email
    let new = Account.New(
      profile: profile, passwordHash: invitation.password.passwordHash,
      language: context.language, consentVersion: PrivacyPage.version)
    try Account.open(new, for: keys.person, at: context.now, server.vault, on: context)
    try profile.save(by: keys, on: context)
    try OneTimeLink.forget(of: keys.person, on: context)
    var administrator = Administrator(
      vault: server.vault, author: .person(keys.person), now: context.now)
    try administrator.record(.add, keys.person, .patient, on: context)
    return try server.signIn(keys, leadingTo: "/", for: context, on: context)
      .logging(SecurityEvent(.linkUsed, of: keys.person, ["purpose": "invitation"]))
  }

  /// Returns the invited person. Throws ``OneTimeLink/gone`` if the link is no longer valid.
  func invited(_ context: Context) throws -> Invited {
    let token = context.request.parameters["token"]
    let vault = server().vault
    guard let person = try OneTimeLink.invited(by: token, at: context.now, vault, on: context),
      let keys = try KeyStore(vault).unloggedKeys(of: person, on: context),
      let profile = try Profile.find(by: keys, on: context)
    else { throw OneTimeLink.gone }
    return (keys, profile)
  }
}
