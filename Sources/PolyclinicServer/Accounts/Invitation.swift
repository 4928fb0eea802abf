import PolyclinicCore

/// What somebody who was entered without an account, at a desk say, fills in to get one.
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
  func startInvitation(_ context: Context) throws -> Invitation {
    _ = try context.database.read { try invited(context, on: $0) }
    return Invitation()
  }

  /// Whose account it becomes: nobody is to fill in somebody else's.
  func aboutInvitation(_ context: Context) throws -> HTML? {
    let (_, profile) = try context.database.read { try invited(context, on: $0) }
    return "<p>\(context.text("invitation.about", ["name": profile.displayName]))</p>"
  }

  /// Judges and hashes the password before the transaction.
  func prepareInvitation(_ invitation: inout Invitation, _ context: Context) throws {
    let (_, profile) = try context.database.read { try invited(context, on: $0) }
    invitation.password.passwordHash = try context.front().hashed(
      invitation.password.password,
      personal: profile.personalWords + [invitation.login, invitation.email])
  }

  /// Gives the person an account, once, and signs in: it is the same person, with all that is kept.
  func acceptInvitation(
    _ invitation: Invitation, _ context: Context, _ connection: Connection
  ) throws -> Path {
    let front = try context.front()
    var (keys, profile) = try invited(context, on: connection)
    profile.login = invitation.login
    profile.email = invitation.email
    let new = Account.New(
      profile: profile, passwordHash: invitation.password.passwordHash,
      language: context.language, consentVersion: PrivacyPage.version)
    try Account.open(new, for: keys.person, at: context.now, front.vault, on: connection)
    try profile.save(by: keys, on: connection)
    try OneTimeLink.forget(of: keys.person, on: connection)
    try Administrator(vault: front.vault, author: .person(keys.person), now: context.now)
      .record(.add, keys.person, .patient, on: connection)
    try context.visit?.signIn(keys, on: connection)
    context.visit?.record(
      SecurityEvent(.linkUsed, of: keys.person, ["purpose": "invitation"]))
    return "/"
  }

  /// Throws ``OneTimeLink/gone`` when the address invites nobody any more.
  private func invited(
    _ context: Context, on connection: Connection
  ) throws -> (Keys, Profile) {
    let token = context.request.parameters["token"]
    let vault = try context.front().vault
    guard let person = try OneTimeLink.invited(by: token, at: context.now, vault, on: connection),
      let keys = try KeyCabinet(vault).keys(of: person, on: connection),
      let profile = try Profile.find(by: keys, on: connection)
    else { throw OneTimeLink.gone }
    return (keys, profile)
  }
}
