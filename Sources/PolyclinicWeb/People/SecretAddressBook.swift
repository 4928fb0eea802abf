import PolyclinicCore
import PolyclinicVault

/// The secret addresses of one module, found by the hash of a random token.
package struct SecretAddressBook: Portal.SecretAddresses {
  package let vault: Vault
  package let module: ModuleID

  package static let schema: [SQL] = [
    """
    CREATE TABLE secret_addresses (
      id_address \(.identity),
      token_hash \(.bytes) NOT NULL UNIQUE,
      person \(.person),
      module TEXT NOT NULL,
      purpose TEXT NOT NULL,
      created_at \(.integer) NOT NULL
    ) \(.strict)
    """,
    "CREATE INDEX secret_addresses_person ON secret_addresses (person, module)",
  ]

  package func make(
    purpose: String, in work: Work
  ) throws -> String {
    let token = Token.random()
    try work.run(
      """
      INSERT INTO secret_addresses (token_hash, person, module, purpose, created_at)
      VALUES (\(token.hash), \(work.keys.person), \(module.rawValue), \(purpose), \(work.now))
      """)
    return token.text
  }

  package func open(_ secret: String, in work: Work) throws -> Portal.SecretAddress
    .Opened?
  {
    guard let token = Token(secret) else { return nil }
    return try work.row(
      """
      SELECT person, purpose, wrapped_key, erasure_id FROM secret_addresses
      JOIN people ON id_person = person JOIN accounts USING (person)
      WHERE token_hash = \(token.hash) AND module = \(module.rawValue) AND state = 'active'
      """
    ) { row in
      Portal.SecretAddress.Opened(
        work: work.with(
          try vault.keys(of: row.id(0), wrapped: row.bytes(2), erasureID: row.bytes(3))),
        purpose: row.string(1))
    }
  }

  package func all(of person: ID<Person>, in work: Work) throws -> [Portal
    .SecretAddress]
  {
    try work.rows(
      """
      SELECT id_address, purpose, created_at FROM secret_addresses
      WHERE person = \(person) AND module = \(module.rawValue) ORDER BY id_address
      """
    ) { Portal.SecretAddress(id: $0.id(0), purpose: $0.string(1), createdAt: $0.instant(2)) }
  }

  package func revoke(
    _ id: ID<Portal.SecretAddress>, of person: ID<Person>, in work: Work
  ) throws -> Bool {
    try work.runCounting(
      """
      DELETE FROM secret_addresses
      WHERE id_address = \(id) AND person = \(person) AND module = \(module.rawValue)
      """) > 0
  }

  /// Revokes all secret addresses of the person, of all modules.
  static func revokeAll(of person: ID<Person>, on connection: Connection) throws {
    try connection.run("DELETE FROM secret_addresses WHERE person = \(person)")
  }
}
