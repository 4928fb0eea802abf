import PolyclinicCore
import PolyclinicVault
import PolyclinicWeb

/// The second factor of an account: an app that generates one-time passwords, and recovery codes
/// for its loss (OWASP ASVS 5.0, 6.3.3).
struct SecondFactor {
  let vault: Vault

  static let schema: [SQL] = [
    """
    CREATE TABLE recovery_codes (
      code_hash \(.bytes) NOT NULL PRIMARY KEY,
      person \(.person)
    ) \(.strict)
    """,
    "CREATE INDEX recovery_codes_person ON recovery_codes (person)",
    """
    CREATE TABLE trusted_browsers (
      id_browser \(.identity),
      token_hash \(.bytes) NOT NULL,
      person \(.person),
      device \(.bytes) NOT NULL,
      trusted_at \(.integer) NOT NULL,
      UNIQUE (token_hash, person)
    ) \(.strict)
    """,
    "CREATE INDEX trusted_browsers_person ON trusted_browsers (person)",
  ]

  private static let column: StaticString = "accounts.second_factor"

  /// The kind of code that a person entered.
  enum Proof {
    case code
    case recoveryCode(left: Int)
  }

  /// An app whose code was right at a time step.
  struct ProvenApp {
    let password: OneTimePassword
    let step: Int64
  }

  /// Sets up the second factor with the app's secret and returns new recovery codes.
  ///
  /// Throws ``Refusal/conflict(_:)`` if the account already has a second factor.
  func enrol(_ app: ProvenApp, in work: Work) throws -> [RecoveryCode] {
    let keys = try work.keys
    let person = keys.person
    guard let account = try Account.find(person, on: work) else { throw Refusal.notFound }
    if account.secondFactor != nil { throw Refusal.conflict("error.second-factor-there") }
    let sealed = try keys.seal(app.password.secret, as: Self.column, row: person.rawValue)
    try Account.setSecondFactor(sealed, of: person, vault, on: work)
    _ = try use(app.step, of: person, in: work)
    try RememberedBrowsers.trusted.forgetAll(of: person, on: work)
    return try RecoveryCode.renew(for: person, vault, on: work)
  }

  /// Removes the app, with the recovery codes and trusted browsers.
  func remove(of person: ID<Person>, on connection: Connection) throws {
    try removeApp(of: person, on: connection)
    try RecoveryCode.forget(of: person, on: connection)
  }

  /// Removes the app and the trusted browsers. The recovery codes stay for an account whose passkeys
  /// are its second factor.
  func removeApp(of person: ID<Person>, on connection: Connection) throws {
    try Account.setSecondFactor(nil, of: person, vault, on: connection)
    try RememberedBrowsers.trusted.forgetAll(of: person, on: connection)
  }

  /// Checks a code of the app or a recovery code and uses it up. Returns nil if it is neither.
  func prove(_ typed: String, of account: Account, in work: Work) throws -> Proof? {
    if let sealed = account.secondFactor {
      let password = OneTimePassword(
        secret: try work.keys.open(sealed, as: Self.column, row: account.person.rawValue))
      if let step = password.step(of: typed, at: work.now, after: 0) {
        return try use(step, of: account.person, in: work) ? .code : nil
      }
    }
    guard let code = RecoveryCode(typed), try code.use(by: account.person, vault, on: work) else {
      return nil
    }
    return .recoveryCode(left: try RecoveryCode.left(of: account.person, on: work))
  }

  /// Uses up a time step. Returns false for a step that is not after the last one used (ASVS 5.0,
  /// 6.5.1).
  ///
  /// Ignores a last step that is later than the clock allows: it was used while the clock was
  /// ahead, and would refuse every code until that time. A code that was used before can therefore
  /// be used once more after such a clock.
  private func use(_ step: Int64, of person: ID<Person>, in work: Work) throws -> Bool {
    let latest = OneTimePassword.step(at: work.now) + 2
    return try work.runCounting(
      """
      UPDATE accounts SET second_factor_step = \(step) WHERE person = \(person)
        AND (second_factor_step < \(step) OR second_factor_step > \(latest))
      """) > 0
  }
}
