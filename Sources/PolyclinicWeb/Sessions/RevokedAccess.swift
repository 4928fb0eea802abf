import PolyclinicCore
import PolyclinicVault

/// Changes of an account that end all access to it.
extension Account {
  /// Sets a new password and ends all access that was gained with the old one.
  package static func replacePassword(
    _ hash: String, of person: ID<Person>, _ vault: Vault, on connection: Connection
  ) throws {
    try setPassword(hash, of: person, vault, on: connection)
    try revokeAllAccess(of: person, on: connection)
  }

  /// Ends the person's sessions and revokes everything else that gives access to their data:
  /// one-time links, API tokens, calendar addresses, trusted browsers and offline copies.
  package static func revokeAllAccess(of person: ID<Person>, on connection: Connection) throws {
    try Sessions().endAll(of: person, on: connection)
    try OneTimeLink.forget(of: person, on: connection)
    try AccessToken.revokeAll(of: person, on: connection)
    try RememberedBrowsers.trusted.forgetAll(of: person, on: connection)
    try RememberedBrowsers.offline.forgetAll(of: person, on: connection)
    try SecretAddressBook.revokeAll(of: person, on: connection)
  }

  /// Repairs this account, which something other than the portal has changed.
  ///
  /// - Login and e-mail come from the sealed profile.
  /// - The only role is patient. A suspended account stays suspended.
  /// - `password` is the new password hash; the second factor and the passkeys are removed and all
  ///   access ends.
  package func renew(password: String, _ vault: Vault, on connection: Connection) throws {
    guard let keys = try KeyStore(vault).unloggedKeys(of: person, on: connection),
      let profile = try Profile.find(by: keys, on: connection)
    else { throw Refusal.notFound }
    var account = self
    account.loginHash = Self.loginHash(profile.login, vault)
    account.emailHash = Self.emailHash(profile.email, vault)
    account.password = password
    account.roles = [.patient]
    account.wantedRole = nil
    account.secondFactor = nil
    try account.store(vault, on: connection)
    try RecoveryCode.forget(of: person, on: connection)
    try Passkey.removeAll(of: person, on: connection)
    try Self.revokeAllAccess(of: person, on: connection)
  }
}
