import PolyclinicCore

/// One module's secret addresses, found by the hash of a random token.
struct SecretAddressBook: SecretAddresses {
  let vault: Vault
  let module: ModuleID

  static let migration = Migration(
    "0008-secret-addresses",
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
    "CREATE INDEX secret_addresses_person ON secret_addresses (person, module)")

  func make(
    for keys: Keys, purpose: String, at now: Instant, on connection: Connection
  ) throws -> String {
    let token = Token.random()
    try connection.run(
      """
      INSERT INTO secret_addresses (token_hash, person, module, purpose, created_at)
      VALUES (\(token.hash), \(keys.person), \(module.rawValue), \(purpose), \(now))
      """)
    return token.text
  }

  func open(_ secret: String, on connection: Connection) throws -> SecretAddress.Opened? {
    guard let token = Token(secret) else { return nil }
    return try connection.row(
      """
      SELECT person, purpose, wrapped_key, erasure_id FROM secret_addresses
      JOIN people ON id_person = person JOIN accounts USING (person)
      WHERE token_hash = \(token.hash) AND module = \(module.rawValue) AND state = 'active'
      """
    ) { row in
      SecretAddress.Opened(
        keys: try vault.keys(of: row.id(0), wrapped: row.bytes(2), erasureID: row.bytes(3)),
        purpose: row.string(1))
    }
  }

  func all(of person: ID<Person>, on connection: Connection) throws -> [SecretAddress] {
    try connection.rows(
      """
      SELECT id_address, purpose, created_at FROM secret_addresses
      WHERE person = \(person) AND module = \(module.rawValue) ORDER BY id_address
      """
    ) { SecretAddress(id: $0.id(0), purpose: $0.string(1), createdAt: $0.instant(2)) }
  }

  func revoke(
    _ id: ID<SecretAddress>, of person: ID<Person>, on connection: Connection
  ) throws -> Bool {
    try connection.run(
      """
      DELETE FROM secret_addresses
      WHERE id_address = \(id) AND person = \(person) AND module = \(module.rawValue)
      """) > 0
  }

  /// None of the person's works any more, whichever module's it is.
  static func revokeAll(of person: ID<Person>, on connection: Connection) throws {
    try connection.run("DELETE FROM secret_addresses WHERE person = \(person)")
  }
}
