import Crypto
import PolyclinicCore

/// Authenticates what an account's sign-in and rights rest on, under a key that is not in the database.
///
/// Only an earlier state of the same row, put back with its seal, passes as well.
struct AccountSeal: Sendable {
  /// Accounts of earlier releases have no seal until ``AccountSealing`` gives them theirs.
  static let migration = Migration(
    "0015-account-seals", "ALTER TABLE accounts ADD COLUMN seal \(.bytes)",
    "ALTER TABLE password_links ADD COLUMN seal \(.bytes)",
    "ALTER TABLE setup_links ADD COLUMN seal \(.bytes)")

  /// Copied for each account: preparing the key takes as long as the code itself.
  private let keyed: HMAC<SHA256>

  init(key: SymmetricKey) { keyed = HMAC(key: key) }

  /// The seal of an account, bound to its person.
  func code(of account: Account) -> [UInt8] {
    var bytes = ByteWriter()
    bytes.write("account")
    bytes.write(account.person)
    bytes.write(account.loginHash)
    bytes.write(account.emailHash)
    bytes.write(account.password)
    bytes.write(account.state.rawValue)
    bytes.write(account.rolesText)
    bytes.write(account.wantedRoleText)
    // Without one the code is that of releases that knew none.
    if let sealed = account.secondFactor { bytes.write(sealed.bytes) }
    return code(of: bytes)
  }

  /// The seal of a one-time link, for a person or, with nil, for the first administrator.
  func code(
    ofLink token: Token, for person: ID<Person>?, until expiry: Instant,
    endingSecondFactor: Bool = false
  ) -> [UInt8] {
    var bytes = ByteWriter()
    bytes.write("link")
    bytes.write(token.hash)
    bytes.write(person?.rawValue ?? 0)
    bytes.write(expiry.seconds)
    if endingSecondFactor { bytes.write("second factor") }
    return code(of: bytes)
  }

  private func code(of bytes: ByteWriter) -> [UInt8] {
    var code = keyed
    code.update(data: bytes.bytes)
    return Array(code.finalize())
  }
}

/// A row was changed in the database by something else than the portal.
struct AlteredRow: Error, CustomStringConvertible {
  let person: ID<Person>
  let table: String

  var description: String {
    """
    The account of person \(person) was changed in the database by something else than the portal \
    (\(table)). Find out who can write it. "polyclinic user reset LOGIN" makes the account anew, with a \
    patient's rights alone.
    """
  }
}

extension Account {
  /// As it is stored: roles that this release does not know stay while the others do.
  fileprivate var rolesText: String {
    if let stored, Self.roles(stored.roles) == roles { return stored.roles }
    return Self.text(of: roles)
  }

  fileprivate var wantedRoleText: String {
    if let stored, Role(rawValue: stored.wantedRole) == wantedRole { return stored.wantedRole }
    return wantedRole?.rawValue ?? ""
  }

  /// True if it is as the portal left it, or as an earlier release did that seals none.
  func isGenuine(_ vault: Vault, on connection: Connection) throws -> Bool {
    try vault.accountSeal.code(of: self).isSame(as: stored?.seal ?? [])
      || vault.acceptsUnsealed(on: connection)
  }

  /// Throws ``AlteredRow`` for an account that something else than the portal has changed.
  func requireGenuine(_ vault: Vault, on connection: Connection) throws {
    guard try isGenuine(vault, on: connection) else {
      throw AlteredRow(person: person, table: "accounts")
    }
  }

  /// Makes an account anew that something else than the portal has changed: found by what the sealed
  /// profile says, with a patient's rights alone, and with this password in place of the stored one.
  static func renew(
    _ person: ID<Person>, password: String, _ vault: Vault, on connection: Connection
  ) throws {
    guard var account = try find(person, on: connection),
      let keys = try KeyCabinet(vault).keys(of: person, on: connection),
      let profile = try Profile.find(by: keys, on: connection)
    else { throw Refusal.notFound }
    account.loginHash = loginHash(profile.login, vault)
    account.emailHash = emailHash(profile.email, vault)
    account.password = password
    account.state = .active
    account.roles = [.patient]
    account.wantedRole = nil
    account.secondFactor = nil
    try account.store(vault, on: connection)
    try RecoveryCode.forget(of: person, on: connection)
    try endAccess(of: person, on: connection)
  }

  /// Stores everything that is sealed, with a new seal.
  func store(_ vault: Vault, on connection: Connection) throws {
    try connection.run(
      """
      UPDATE accounts SET login_hash = \(loginHash), email_hash = \(emailHash),
        password = \(password), state = \(state.rawValue), roles = \(rolesText),
        wanted_role = \(wantedRoleText), second_factor = \(secondFactor),
        seal = \(vault.accountSeal.code(of: self))
      WHERE person = \(person)
      """)
  }
}

/// Seals the accounts of earlier releases: a job that has something to do once, after an upgrade.
///
/// Until then workers of the release before may change accounts without sealing them, so that no seal is
/// asked for.
struct AccountSealing {
  let database: any Database
  let vault: Vault

  /// Seals all accounts if it is time; returns when to look again.
  func run(at now: Instant) throws -> Instant {
    try database.write { connection in
      guard try vault.acceptsUnsealed(on: connection) else { return now + .days(1) }
      let due = try AccountSeal.migration.transitionEnd(in: "account", at: now, on: connection)
      if let due { return due }
      for account in try Account.all(on: connection) { try account.store(vault, on: connection) }
      try vault.refuseUnsealed(on: connection)
      return now + .days(1)
    }
  }
}
