import PolyclinicCore
import PolyclinicWeb

/// The form fields for a new password, entered twice.
package struct NewPassword: Sendable {
  package var password = ""
  var passwordConfirm = ""
  /// The hash, computed before the transaction because it takes long.
  package var passwordHash = ""

  package static let form = Form<NewPassword>(
    NewPassword(),
    .password(
      \.password, "password", autocomplete: "new-password", hint: "field.password.hint",
      comfort: .strength),
    .password(\.passwordConfirm, "password_confirm", autocomplete: "new-password")
  ).requiring("password_confirm") {
    $0.password == $0.passwordConfirm ? nil : "error.password-confirm"
  }
}

/// The form for changing a known password.
struct PasswordChange: Sendable {
  var currentPassword = CurrentPassword()
  var new = NewPassword()

  static let form = Form<PasswordChange>(
    PasswordChange(),
    .part(\.currentPassword, CurrentPassword.form),
    .part(\.new, NewPassword.form))
}

extension AccountsModule {
  func prepareChange(_ change: inout PasswordChange, _ context: Context) throws {
    let visitor = try context.signedIn()
    let profile = try loadProfile(context)
    let server = self.server()
    try change.currentPassword.prove(context, server)
    change.new.passwordHash = try server.hashed(
      change.new.password, personal: profile.personalWords + [visitor.name],
      hasSecondFactor: try context.hasSecondFactor,
      for: server.passwords.priority(knownTo: "\(try context.keys.person)", at: context.now))
  }

  /// Sets the password, ends all access that the old one gave, and begins a new session for this
  /// browser.
  func changePassword(
    _ change: PasswordChange, _ context: Context, _ connection: Connection
  ) throws -> Redirect {
    let server = self.server()
    let keys = try context.keys
    try change.currentPassword.requireStill(of: keys.person, on: connection)
    try Account.replacePassword(
      change.new.passwordHash, of: keys.person, server.vault, on: connection)
    let effects = try server.signIn(keys, for: context, on: connection)
    return Redirect(to: "/account", effects)
      .logging(SecurityEvent(.passwordChanged, of: keys.person))
  }
}
