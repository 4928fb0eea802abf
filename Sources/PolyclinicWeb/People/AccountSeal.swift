import Crypto
import PolyclinicCore
import PolyclinicVault

/// Authenticates an account's credentials and roles with an HMAC whose key is not in the database.
///
/// It does not detect a replay: an earlier state of the same row with its own seal is valid too.
package struct AccountSeal: Sendable {
  /// Adds the seal columns. Accounts of earlier releases have no seal until ``AccountSealing`` adds
  /// it.
  package static let migration = Migration(
    "0015-account-seals", "ALTER TABLE accounts ADD COLUMN seal \(.bytes)",
    "ALTER TABLE password_links ADD COLUMN seal \(.bytes)",
    "ALTER TABLE setup_links ADD COLUMN seal \(.bytes)")

  fileprivate let keyed: HMAC<SHA256>

  /// Returns the seal of an account, bound to its person.
  package func code(of account: Account) -> [UInt8] {
    var bytes = ByteWriter()
    bytes.write("account")
    bytes.write(account.person)
    bytes.write(account.loginHash)
    bytes.write(account.emailHash)
    bytes.write(account.password)
    bytes.write(account.state.rawValue)
    bytes.write(account.rolesText)
    bytes.write(account.wantedRoleText)
    // Left out if absent, so that the seal equals that of releases without second factors.
    if let sealed = account.secondFactor { bytes.write(sealed.bytes) }
    return code(of: bytes)
  }

  /// Returns the seal of a one-time link for a person, or for the first administrator if `person`
  /// is nil.
  package func code(
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

extension Vault {
  /// Seals accounts and verifies their seals.
  var accountSeal: AccountSeal { AccountSeal(keyed: accountCode) }
}

/// Thrown if something other than the portal has changed a row in the database.
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
  /// The roles as text for the database. While the known roles are unchanged, it is the stored
  /// text, so that roles of a newer release are kept.
  fileprivate var rolesText: String {
    if let stored, Self.roles(stored.roles) == roles { return stored.roles }
    return Self.text(of: roles)
  }

  fileprivate var wantedRoleText: String {
    if let stored, Role(rawValue: stored.wantedRole) == wantedRole { return stored.wantedRole }
    return wantedRole?.rawValue ?? ""
  }

  /// True if the seal is valid, or if the installation still accepts accounts without a seal.
  package func isGenuine(_ vault: Vault, on connection: Connection) throws -> Bool {
    try vault.accountSeal.code(of: self).isSame(as: stored?.seal ?? [])
      || vault.acceptsUnsealed(on: connection)
  }

  /// Throws ``AlteredRow`` if something other than the portal has changed the account.
  package func requireGenuine(_ vault: Vault, on connection: Connection) throws {
    guard try isGenuine(vault, on: connection) else {
      throw AlteredRow(person: person, table: "accounts")
    }
  }

  /// Stores all sealed columns with a new seal.
  package func store(_ vault: Vault, on connection: Connection) throws {
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

/// The job that seals the accounts of earlier releases, once after an upgrade.
///
/// Until it has run, workers of the previous release may change accounts without sealing them, so
/// accounts without a seal are accepted.
package struct AccountSealing {
  package let database: any Database
  package let vault: Vault

  package init(database: any Database, vault: Vault) {
    self.database = database
    self.vault = vault
  }

  /// Seals all accounts once the transition to this release is over. Returns the time of the next
  /// run.
  package func run(at now: Instant) throws -> Instant {
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
