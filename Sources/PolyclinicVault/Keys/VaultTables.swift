import Crypto
import PolyclinicCore

extension Vault {
  /// The tables that all others refer to. They are the first migrations of the accounts module.
  package static let migrations: [Migration] = [
    Migration(
      "0001-people",
      """
      CREATE TABLE installation (
        name TEXT NOT NULL PRIMARY KEY,
        value \(.bytes) NOT NULL
      ) \(.strict)
      """,
      """
      CREATE TABLE people (
        id_person \(.identity),
        wrapped_key \(.bytes) NOT NULL,
        erasure_id \(.bytes) NOT NULL UNIQUE,
        created_at \(.integer) NOT NULL
      ) \(.strict)
      """,
      """
      CREATE TABLE erasures (
        erasure_id \(.bytes) NOT NULL PRIMARY KEY,
        erased_at \(.integer) NOT NULL
      ) \(.strict)
      """)
  ]

  /// Initializes a new database: a random id of the installation, a random lookup key wrapped with
  /// the newest master key, and a check value that identifies the key file.
  ///
  /// Throws `DatabaseError` of kind `.unique` if the database is already initialized.
  package static func establish(ring: KeyRing, on connection: Connection) throws -> Vault {
    let installation: [UInt8] = .random(idLength)
    let lookupKey = SymmetricKey(size: .bits256)
    let vault = try Vault(
      masterKeys: LiveKeyRing(ring), installation: installation, lookupKey: lookupKey)
    try insert(.installation, installation, on: connection)
    try insert(.lookupKey, vault.wrappedLookupKey(by: ring, .marked), on: connection)
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

  /// Returns true if accounts without a seal are accepted, because an older release stored them.
  ///
  /// The nonce of the wrapped lookup key records this. Without the master key, an attacker who can
  /// write the database cannot forge that value, nor remove it, because the portal needs it to run.
  /// Older releases can still read it.
  package func acceptsUnsealed(on connection: Connection) throws -> Bool {
    guard let wrapped = try Self.value(.lookupKey, on: connection) else { return false }
    do {
      let ring = try currentRing(on: connection)
      _ = try ring.unwrap(wrapped, binding: Self.lookupBinding(installation))
    } catch {
      // A damaged or exchanged value permits nothing.
      return false
    }
    return !KeyRing.nonce(of: wrapped).isSame(as: sealedMark)
  }

  /// Refuses accounts without a seal from now on. This cannot be undone.
  package func refuseUnsealed(on connection: Connection) throws {
    try storeLookupKey(by: currentRing(on: connection), .marked, on: connection)
  }

  /// Wraps the lookup key with the ring's newest key. Returns false if it is already wrapped with
  /// it.
  ///
  /// After the transaction, every process wraps only with that key.
  package func wrapLookupKey(by ring: KeyRing, on connection: Connection) throws -> Bool {
    if try Self.masterKeyID(on: connection) == ring.newest.id { return false }
    let mark: Mark = try acceptsUnsealed(on: connection) ? .unmarked : .marked
    try storeLookupKey(by: ring, mark, on: connection)
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

  /// The state that the nonce records: all accounts are sealed, or some may be unsealed.
  private enum Mark {
    case marked
    case unmarked
  }

  private func storeLookupKey(by ring: KeyRing, _ mark: Mark, on connection: Connection) throws {
    let values = [
      (Name.lookupKey, try wrappedLookupKey(by: ring, mark)),
      (.masterKeyCheck, Self.check(ring.newest, installation)),
    ]
    for (name, value) in values {
      try connection.run(
        "UPDATE installation SET value = \(value) WHERE name = \(name.rawValue)")
    }
  }

  private func wrappedLookupKey(by ring: KeyRing, _ mark: Mark) throws -> [UInt8] {
    try ring.wrap(
      lookupKey, binding: Self.lookupBinding(installation),
      nonce: mark == .marked ? sealedMark : nil)
  }

  /// The nonce that records that all accounts are sealed.
  private var sealedMark: [UInt8] {
    derived("accounts-are-sealed").withUnsafeBytes { Array($0.prefix(KeyRing.nonceLength)) }
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
    HKDF<SHA256>.deriveKey(
      inputKeyMaterial: master.secret, salt: installation, info: Array("master-key-check".utf8),
      outputByteCount: 16
    ).withUnsafeBytes(Array.init)
  }

  static func lookupBinding(_ installation: [UInt8]) -> [UInt8] {
    Array("lookup-key\0".utf8) + installation
  }
}
