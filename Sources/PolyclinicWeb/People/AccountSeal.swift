import PolyclinicCore
import PolyclinicCryptography
import PolyclinicVault

/// Authenticates an account's credentials and roles with an HMAC whose key is not in the database.
///
/// It does not detect a replay: an earlier state of the same row with its own seal is valid too.
package struct AccountSeal: Sendable {
  fileprivate let keyed: HMAC

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
    if let sealed = account.secondFactor { bytes.write(sealed.bytes) }
    return keyed.code(of: bytes.bytes)
  }

  /// Returns the seal of a guardianship. It does not cover who decided, which an erasure removes.
  func code(of guardianship: Guardianship) -> [UInt8] {
    var bytes = ByteWriter()
    bytes.write("guardianship")
    bytes.write(guardianship.person)
    bytes.write(guardianship.guardian)
    bytes.write(guardianship.basis.rawValue)
    bytes.write(guardianship.scope.rawValue)
    bytes.write(guardianship.agreed.rawValue)
    bytes.write(guardianship.startsAt.seconds)
    bytes.write(guardianship.reviewAt?.seconds ?? .max)
    bytes.write(guardianship.endsAt?.seconds ?? .max)
    bytes.write(guardianship.state.rawValue)
    bytes.write(guardianship.reason.rawValue)
    bytes.write(guardianship.decidedAt.seconds)
    return keyed.code(of: bytes.bytes)
  }

  /// Returns the seal of a link with which somebody becomes a guardian.
  func code(of invitation: GuardianInvitation) -> [UInt8] {
    var bytes = ByteWriter()
    bytes.write("guardian-invitation")
    bytes.write(invitation.tokenHash)
    bytes.write(invitation.kind.rawValue)
    bytes.write(invitation.inviter)
    bytes.write(invitation.person)
    bytes.write(invitation.basis.rawValue)
    bytes.write(invitation.scope.rawValue)
    bytes.write(invitation.endsAt?.seconds ?? .max)
    bytes.write(invitation.expiry.seconds)
    bytes.write(invitation.usedBy?.rawValue ?? 0)
    return keyed.code(of: bytes.bytes)
  }

  /// Returns the seal of a permission to read records.
  func code(of consent: SharingConsent) -> [UInt8] {
    var bytes = ByteWriter()
    bytes.write("consent")
    bytes.write(consent.person)
    bytes.write(consent.reader)
    bytes.write(consent.module.rawValue)
    bytes.write(consent.reason.rawValue)
    bytes.write(consent.startsAt.seconds)
    bytes.write(consent.endsAt.seconds)
    return keyed.code(of: bytes.bytes)
  }

  /// Returns the seal of a one-time link.
  func code(of link: OneTimeLink) -> [UInt8] {
    var bytes = ByteWriter()
    bytes.write("link")
    bytes.write(link.token.hash)
    bytes.write(link.person?.rawValue ?? 0)
    bytes.write(link.expiry.seconds)
    if let kind = link.kind { bytes.write(kind.rawValue) }
    return keyed.code(of: bytes.bytes)
  }
}

extension Vault {
  /// Seals accounts and verifies their seals.
  var accountSeal: AccountSeal { AccountSeal(keyed: accountCode) }
}

/// Thrown if something other than the portal has changed a row in the database.
package struct AlteredRow: Error, CustomStringConvertible {
  let person: ID<Person>
  let table: String

  package var description: String {
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

  /// True if the stored seal is valid.
  package func isGenuine(_ vault: Vault) -> Bool {
    vault.accountSeal.code(of: self).isSame(as: stored?.seal ?? [])
  }

  /// Throws ``AlteredRow`` if something other than the portal has changed the account.
  package func requireGenuine(_ vault: Vault) throws {
    guard isGenuine(vault) else { throw AlteredRow(person: person, table: "accounts") }
  }

  /// Stores all sealed columns with a new seal.
  package func store(_ vault: Vault, on connection: Connection) throws {
    // Waits, because the caller may turn the error for a taken login into a refusal.
    _ = try connection.runCounting(
      """
      UPDATE accounts SET login_hash = \(loginHash), email_hash = \(emailHash),
        password = \(password), state = \(state.rawValue), roles = \(rolesText),
        wanted_role = \(wantedRoleText), second_factor = \(secondFactor),
        seal = \(vault.accountSeal.code(of: self))
      WHERE person = \(person)
      """)
  }
}
