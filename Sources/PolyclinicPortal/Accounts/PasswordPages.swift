import PolyclinicCore
import PolyclinicVault
import PolyclinicWeb

/// The form fields for a new password, entered twice.
package struct NewPassword: Sendable {
  package var password = ""
  var passwordConfirm = ""
  /// The hash, computed before the transaction because it takes long.
  package var passwordHash = ""
  /// True if it was checked as the password of an account with a second factor.
  var hasSecondFactor = false

  /// Throws ``Refusal/conflict(_:)`` if a second factor was set up or removed since the check. The
  /// password could be too short without one, and a code may have been asked for or not.
  func requireChecked(withSecondFactor: Bool) throws {
    guard hasSecondFactor == withSecondFactor else {
      throw Refusal.conflict("error.second-factor-changed")
    }
  }

  /// The form for the password of a new account, which has no second factor yet. The policy is
  /// applied with the other rules, and again with the words of the person before the password is
  /// hashed.
  package static let form = form("field.password", "field.password_confirm")
    .requiring("password") {
      PasswordPolicy(portalName: "").problem(with: $0.password, personal: [])?.text()
    }
  /// The form for a password in place of another one.
  static let replacingForm = form("field.new_password", "field.new_password_confirm")

  private static func form(_ password: Text, _ confirm: Text) -> Form<NewPassword> {
    Form<NewPassword>(
      NewPassword(),
      .password(
        \.password, "password", autocomplete: "new-password", hint: "field.password.hint",
        comfort: .strength
      ).labelled(password),
      .password(\.passwordConfirm, "password_confirm", autocomplete: "new-password")
        .labelled(confirm)
    ).requiring("password_confirm") {
      $0.password.isIdentical(to: $0.passwordConfirm) ? nil : "error.password-confirm"
    }
  }
}

/// The form for changing a known password.
struct PasswordChange: Sendable {
  var currentPassword = CurrentPassword()
  var new = NewPassword()

  static let form = Form<PasswordChange>(
    PasswordChange(),
    .part(\.currentPassword, CurrentPassword.form),
    .part(\.new, NewPassword.replacingForm)
  ).requiring("password") {
    $0.new.password == $0.currentPassword.typed ? "error.password-same" : nil
  }
}

extension AccountsModule {
  func prepareChange(_ change: inout PasswordChange, _ context: Context) throws {
    let visitor = try context.signedIn()
    let profile = try loadProfile(context)
    let server = self.server()
    try change.currentPassword.prove(context, server)
    let hasSecondFactor = try context.hasSecondFactor
    change.new.passwordHash = try server.hashed(
      change.new.password, personal: profile.personalWords + [visitor.name],
      hasSecondFactor: hasSecondFactor,
      for: server.passwords.priority(knownTo: "\(try context.keys.person)", at: context.now))
    change.new.hasSecondFactor = hasSecondFactor
  }

  /// Sets the password, ends all access that the old one gave, and begins a new session for this
  /// browser.
  func changePassword(
    _ change: PasswordChange, _ context: Context
  ) throws -> Redirect {
    let server = self.server()
    let keys = try context.keys
    try change.currentPassword.requireStill(of: keys.person, on: context)
    let hasSecondFactor = try Account.find(keys.person, on: context)?.secondFactor != nil
    try change.new.requireChecked(withSecondFactor: hasSecondFactor)
    try Account.replacePassword(
      change.new.passwordHash, of: keys.person, server.vault, on: context)
    try server.accountNotices.tell(
      keys.person, .passwordChanged, by: nil, at: context.now, on: context)
    let effects = try server.signIn(keys, for: context, on: context)
    return Redirect(to: "/account", effects)
      .logging(SecurityEvent(.passwordChanged, of: keys.person))
  }
}
