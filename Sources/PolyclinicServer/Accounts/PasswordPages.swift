import PolyclinicCore

/// A password that somebody chooses, typed twice.
struct NewPassword: Sendable {
  var password = ""
  var passwordConfirm = ""
  /// Made before the transaction, since it takes long.
  var passwordHash = ""

  static let form = Form<NewPassword>(
    NewPassword(),
    .password(
      \.password, "password", autocomplete: "new-password", hint: "field.password.hint",
      comfort: .strength),
    .password(\.passwordConfirm, "password_confirm", autocomplete: "new-password")
  ).requiring("password_confirm") {
    $0.password == $0.passwordConfirm ? nil : "error.password-confirm"
  }
}

/// A password changed by somebody who knows the old one.
struct PasswordChange: Sendable {
  var current = PresentPassword()
  var new = NewPassword()

  static let form = Form<PasswordChange>(
    PasswordChange(),
    .part(\.current, PresentPassword.form),
    .part(\.new, NewPassword.form))
}

extension AccountsModule {
  func prepareChange(_ change: inout PasswordChange, _ context: Context) throws {
    let visitor = try context.signedIn()
    let profile = try loadProfile(context)
    try change.current.prove(context)
    let front = try context.front()
    change.new.passwordHash = try front.hashed(
      change.new.password, personal: profile.personalWords + [visitor.name],
      hasSecondFactor: try context.hasSecondFactor,
      for: front.passwords.priority(knownTo: "\(try context.keys.person)", at: context.now))
  }

  /// Sets the password and ends all other sessions; this one gets a new token.
  func changePassword(
    _ change: PasswordChange, _ context: Context, _ connection: Connection
  ) throws -> Path {
    guard let visit = context.visit else { throw Refusal.notFound }
    let keys = try context.keys
    try change.current.requireStill(of: keys.person, on: connection)
    try Account.replacePassword(
      change.new.passwordHash, of: keys.person, visit.front.vault, on: connection)
    try visit.signIn(keys, on: connection)
    visit.record(SecurityEvent(.passwordChanged, of: keys.person))
    return Path("/account").query(["changed": "password"])
  }
}
