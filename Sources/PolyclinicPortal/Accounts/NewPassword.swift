import PolyclinicCore
import PolyclinicVault
import PolyclinicWeb

/// The form fields for a new password, entered twice.
struct NewPassword: Sendable {
  var password = ""
  var passwordConfirm = ""
  /// The hash, computed before the transaction because it takes long.
  var passwordHash = ""
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
  static let form = form("field.password", "field.password_confirm")
    .requiring("password") {
      PasswordPolicy(portalName: "").problem(with: $0.password, personal: [])?.text()
    }
  /// The form for a password in place of another one.
  static let replacingForm = form("field.new_password", "field.new_password_confirm")

  private static func form(_ password: Text, _ confirm: Text) -> Form<NewPassword> {
    Form<NewPassword>(
      NewPassword(),
      .password(
        \.password, "password", autocomplete: "new-password", hint: "field.password.hint"
      ).helped(by: .strength).labelled(password),
      .password(\.passwordConfirm, "password_confirm", autocomplete: "new-password")
        .labelled(confirm)
    ).requiring("password_confirm") {
      $0.password.isIdentical(to: $0.passwordConfirm) ? nil : "error.password-confirm"
    }
  }
}

extension ServerContext {
  /// Hashes a new password. Throws ``Refusal/invalid(_:_:)`` for `password` if the password policy
  /// rejects it, with the reason.
  func hashed(
    _ password: String, personal: [String], hasSecondFactor: Bool = false,
    for client: HashingLimiter.Priority = .unknown
  ) throws -> String {
    let problem = passwordPolicy.problem(
      with: password, personal: personal, hasSecondFactor: hasSecondFactor)
    if let problem {
      throw Refusal.invalid("password", problem.text(hasSecondFactor: hasSecondFactor))
    }
    database.endSharedReads()
    return try passwords.hash(password, for: client)
  }
}
