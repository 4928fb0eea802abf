import PolyclinicCore
import PolyclinicCryptography

extension Vault {
  /// The tables that all others refer to.
  package static let schema: [SQL] = [
    """
    CREATE TABLE installation (
      name TEXT NOT NULL PRIMARY KEY,
      value \(.bytes) NOT NULL
    ) \(.strict)
    """,
    // The stored bytes and records are NULL until the person's rows have been counted for the first
    // time.
    """
    CREATE TABLE people (
      id_person \(.identity),
      wrapped_key \(.bytes) NOT NULL,
      erasure_id \(.bytes) NOT NULL UNIQUE,
      created_at \(.integer) NOT NULL,
      stored_bytes \(.integer),
      stored_records \(.integer)
    ) \(.strict)
    """,
    """
    CREATE TABLE erasures (
      erasure_id \(.bytes) NOT NULL PRIMARY KEY,
      erased_at \(.integer) NOT NULL
    ) \(.strict)
    """,
  ]

  /// Initializes a new database: a random id of the installation, a random lookup key wrapped with
  /// the newest master key, and a check value that identifies the key file.
  ///
  /// Throws `DatabaseError` of kind `.unique` if the database is already initialized.
  package static func establish(ring: KeyRing, on connection: Connection) throws -> Vault {
    let installation: [UInt8] = .random(idLength)
    let lookupKey = SymmetricKey.random()
    let vault = try Vault(
      masterKeys: LiveKeyRing(ring), installation: installation, lookupKey: lookupKey)
    try insert(.installation, installation, on: connection)
    try insert(.lookupKey, vault.wrappedLookupKey(by: ring), on: connection)
    try insert(.masterKeyCheck, check(ring.newest, installation), on: connection)
    return vault
  }

  /// Opens the vault of a database that ``establish(ring:on:)`` has initialized.
  ///
  /// Throws ``VaultError`` if the key file is not this database's, or the record is incomplete.
  package static func open(ring: KeyRing, on connection: Connection) throws -> Vault {
    guard let installation = try value(.installation, on: connection),
      let wrapped = try value(.lookupKey, on: connection),
      let check = try value(.masterKeyCheck, on: connection)
    else { throw VaultError.notEstablished }
    guard let id = KeyRing.masterKey(of: wrapped) else { throw VaultError.damaged }
    let masterKeys = LiveKeyRing(ring)
    // A key may have been added since the file was read.
    let ring = try masterKeys.holding(id)
    guard let master = ring[id], Self.check(master, installation).isSame(as: check) else {
      throw VaultError.wrongMasterKey(id, path: ring.path)
    }
    do {
      let lookupKey = try ring.unwrap(wrapped, binding: lookupBinding(installation))
      return try Vault(masterKeys: masterKeys, installation: installation, lookupKey: lookupKey)
    } catch is UnsealingError {
      throw VaultError.damaged
    }
  }

  /// Wraps the lookup key with the ring's newest key. Returns false if it is already wrapped with
  /// it.
  ///
  /// After the transaction, every process wraps only with that key.
  package func wrapLookupKey(by ring: KeyRing, on connection: Connection) throws -> Bool {
    if try Self.masterKeyID(on: connection) == ring.newest.id { return false }
    let values = [
      (Name.lookupKey, try wrappedLookupKey(by: ring)),
      (.masterKeyCheck, Self.check(ring.newest, installation)),
    ]
    for (name, value) in values {
      try connection.run(
        "UPDATE installation SET value = \(value) WHERE name = \(name.rawValue)")
    }
    return true
  }

  /// Returns the id of the master key that wraps the lookup key.
  static func masterKeyID(on connection: Connection) throws -> KeyRing.ID {
    guard let wrapped = try value(.lookupKey, on: connection) else {
      throw VaultError.notEstablished
    }
    guard let id = KeyRing.masterKey(of: wrapped) else { throw VaultError.damaged }
    return id
  }

  private func wrappedLookupKey(by ring: KeyRing) throws -> [UInt8] {
    try ring.wrap(lookupKey, binding: Self.lookupBinding(installation))
  }

  /// Returns the random id of the database's installation; nil before ``establish(ring:on:)``.
  package static func installation(on connection: Connection) throws -> [UInt8]? {
    try value(.installation, on: connection)
  }

  /// The rows of the table `installation`.
  private enum Name: String {
    case installation = "installation"
    case lookupKey = "lookup-key"
    case masterKeyCheck = "master-key-check"
  }

  private static func insert(_ name: Name, _ value: [UInt8], on connection: Connection) throws {
    try connection.run(
      "INSERT INTO installation (name, value) VALUES (\(name.rawValue), \(value))")
  }

  private static func value(_ name: Name, on connection: Connection) throws -> [UInt8]? {
    try connection.row("SELECT value FROM installation WHERE name = \(name.rawValue)") {
      $0.bytes(0)
    }
  }

  /// Returns a check value that distinguishes a master key from another with the same id. It
  /// reveals nothing about the key.
  private static func check(_ master: KeyRing.Key, _ installation: [UInt8]) -> [UInt8] {
    master.secret.derived(salt: installation, info: "master-key-check".utf8)
      .withUnsafeBytes { Array($0.prefix(checkLength)) }
  }

  private static let checkLength = 16

  static func lookupBinding(_ installation: [UInt8]) -> [UInt8] {
    Array("lookup-key\0".utf8) + installation
  }
}
