import Crypto
import PolyclinicCore

extension Vault {
  /// The tables that everything else refers to: the accounts' module begins its own list with these.
  static let migrations: [Migration] = [
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

  /// Gives a new database its installation: a random name, a random lookup key wrapped by the newest
  /// master key, and a value by which the key file is recognized.
  ///
  /// Throws `DatabaseError` of kind `.unique` where there is one already.
  static func establish(ring: KeyRing, on connection: Connection) throws -> Vault {
    let installation: [UInt8] = .random(idLength)
    let lookupKey = SymmetricKey(size: .bits256)
    let vault = try Vault(ring: ring, installation: installation, lookupKey: lookupKey)
    try insert(.installation, installation, on: connection)
    try insert(.lookupKey, vault.markedLookupKey(), on: connection)
    try insert(.masterKeyCheck, check(ring.newest, installation), on: connection)
    return vault
  }

  /// The vault of a database that ``establish(ring:on:)`` was called on.
  ///
  /// Throws ``VaultError`` when the key file is not this database's, or the record is incomplete.
  static func open(ring: KeyRing, on connection: Connection) throws -> Vault {
    guard let installation = try value(.installation, on: connection),
      let wrapped = try value(.lookupKey, on: connection),
      let check = try value(.masterKeyCheck, on: connection)
    else { throw VaultError.notEstablished }
    guard let id = KeyRing.masterKey(of: wrapped) else { throw VaultError.damaged }
    guard let master = ring[id] else {
      throw VaultError.unknownMasterKey(id, path: ring.path)
    }
    guard Self.check(master, installation).isSame(as: check) else {
      throw VaultError.wrongMasterKey(id, path: ring.path)
    }
    do {
      let lookupKey = try ring.unwrap(wrapped, binding: lookupBinding(installation))
      return try Vault(ring: ring, installation: installation, lookupKey: lookupKey)
    } catch is UnsealingError {
      throw VaultError.damaged
    }
  }

  /// True if accounts without a seal are taken, as those of a release that knew none.
  ///
  /// The lookup key, which the portal cannot do without, tells it by the nonce of its wrapping: who
  /// writes the database without the master key can make no other, nor take it away. Releases that seal
  /// nothing read it all the same.
  func acceptsUnsealed(on connection: Connection) throws -> Bool {
    guard let wrapped = try Self.value(.lookupKey, on: connection) else { return false }
    do { _ = try ring.unwrap(wrapped, binding: Self.lookupBinding(installation)) } catch {
      // Damaged or exchanged: nothing follows from it.
      return false
    }
    return !KeyRing.nonce(of: wrapped).isSame(as: sealedMark)
  }

  /// From now on no account is taken without its seal, and none ever again.
  func refuseUnsealed(on connection: Connection) throws {
    try connection.run(
      """
      UPDATE installation SET value = \(try markedLookupKey())
      WHERE name = \(Name.lookupKey.rawValue)
      """)
  }

  private func markedLookupKey() throws -> [UInt8] {
    try ring.wrap(lookupKey, binding: Self.lookupBinding(installation), nonce: sealedMark)
  }

  /// The nonce that says that all accounts are sealed.
  private var sealedMark: [UInt8] {
    derived("accounts-are-sealed").withUnsafeBytes { Array($0.prefix(KeyRing.nonceLength)) }
  }

  /// The random name of the database's installation; nil before it was established.
  static func installation(on connection: Connection) throws -> [UInt8]? {
    try value(.installation, on: connection)
  }

  /// The rows of `installation`.
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

  /// What tells a master key from another one of the same id, and nothing about the key.
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
