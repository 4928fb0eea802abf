import PolyclinicCore
import PolyclinicSystem
import PolyclinicVault

/// A passkey of a person: the public half of a key pair, with which one of the person's devices
/// signs in (WebAuthn Level 3, "credential record").
package struct Passkey: Sendable {
  package static let schema: [SQL] = [
    """
    CREATE TABLE passkeys (
      id_passkey \(.identity),
      credential_hash \(.bytes) NOT NULL UNIQUE,
      person \(.person),
      host TEXT NOT NULL,
      created_at \(.integer) NOT NULL,
      used_at \(.integer),
      sealed \(.bytes) NOT NULL
    ) \(.strict)
    """,
    "CREATE INDEX passkeys_person ON passkeys (person)",
  ]

  /// The largest number of passkeys of one person.
  package static let most = 20
  /// The length in bytes of a user handle (WebAuthn Level 3, 14.6.1).
  private static let handleLength = 32

  /// The sealed part of a passkey.
  package struct Content: Sendable, Equatable {
    /// The name that its owner has given.
    package var name: String
    package let credentialID: [UInt8]
    /// The SubjectPublicKeyInfo in DER.
    package let publicKey: [UInt8]
    package var signCount: UInt32
    package let isSynchronizable: Bool
    package var isSynchronized: Bool
    /// The ways in which a browser reaches the passkey.
    package let transports: [String]
    /// The kind of the authenticator; zero unless it has attested itself.
    package let model: [UInt8]
  }

  package let id: ID<Passkey>
  package let content: Content
  /// The host name of the portal for which it was made. It works for no other one.
  package let host: String
  package let createdAt: Instant
  package let usedAt: Instant?
}

/// Functions that find passkeys.
extension Passkey {
  private static let columns: SQL =
    "id_passkey, credential_hash, host, created_at, used_at, passkeys.sealed"
  private static let sealedColumn: StaticString = "passkeys.sealed"

  private init(_ row: Row, by keys: Keys) throws {
    id = row.id(0)
    host = row.string(2)
    createdAt = row.instant(3)
    usedAt = row.optional(4, Row.instant)
    content = try Content(
      keys.open(row.sealed(5), as: Self.sealedColumn, row: Token.row(of: row.bytes(1))))
  }

  private static func hash(_ credentialID: [UInt8], _ vault: Vault) -> [UInt8] {
    vault.lookup("passkey", Base64.url.text(credentialID))
  }

  /// Returns the name under which ``Throttle`` counts sign-ins with a passkey.
  package static func throttleName(_ credentialID: [UInt8], _ vault: Vault) -> String {
    "passkey:\(hash(credentialID, vault).hexadecimalText)"
  }

  /// Returns the owner of a passkey; nil if none is stored.
  package static func owner(
    of credentialID: [UInt8], _ vault: Vault, on connection: Connection
  ) throws -> ID<Person>? {
    try connection.row(
      "SELECT person FROM passkeys WHERE credential_hash = \(hash(credentialID, vault))"
    ) { $0.id(0) }
  }

  /// Returns the passkey with this id of the person whose keys the work has; nil if there is none.
  ///
  /// A row that was written outside the portal is ignored: only the person's keys can have sealed
  /// it.
  package static func find(
    _ credentialID: [UInt8], _ vault: Vault, in work: Work
  ) throws -> Passkey? {
    let keys = try work.keys
    do {
      let passkey = try work.row(
        """
        SELECT \(columns) FROM passkeys WHERE credential_hash = \(hash(credentialID, vault))
          AND person = \(keys.person)
        """
      ) { try Passkey($0, by: keys) }
      return passkey?.content.credentialID == credentialID ? passkey : nil
    } catch is UnsealingError {
      return nil
    }
  }

  /// Returns a passkey of the person; nil if it does not exist or belongs to another person.
  package static func find(_ id: ID<Passkey>, in work: Work) throws -> Passkey? {
    let keys = try work.keys
    return try work.row(
      "SELECT \(columns) FROM passkeys WHERE id_passkey = \(id) AND person = \(keys.person)"
    ) { try Passkey($0, by: keys) }
  }

  /// Returns the person's passkeys, latest first, including those for another host.
  package static func all(in work: Work) throws -> [Passkey] {
    let keys = try work.keys
    return try work.rows(
      "SELECT \(columns) FROM passkeys WHERE person = \(keys.person) ORDER BY id_passkey DESC"
    ) { try Passkey($0, by: keys) }
  }

  /// Returns true if the person has a passkey that works for the host, other than `except`.
  ///
  /// It opens each one, because a row that was written outside the portal does not count.
  package static func hasAny(
    for party: RelyingParty?, except: ID<Passkey>? = nil, in work: Work
  ) throws -> Bool {
    guard let party else { return false }
    let keys = try work.keys
    let found = try work.rows(
      "SELECT \(columns) FROM passkeys WHERE person = \(keys.person) AND host = \(party.host)"
    ) { row -> Passkey? in
      do { return try Passkey(row, by: keys) } catch is UnsealingError { return nil }
    }
    return found.contains { $0 != nil && $0?.id != except }
  }

  /// Returns true if a passkey is stored for the person, for any host.
  package static func isStored(for person: ID<Person>, on connection: Connection) throws -> Bool {
    try connection.integer("SELECT 1 FROM passkeys WHERE person = \(person) LIMIT 1") != nil
  }

  /// Returns the number of passkeys of all people that were made for another host.
  package static func countOfOthers(
    than party: RelyingParty?, on connection: Connection
  ) throws -> Int {
    try connection.integer(
      "SELECT count(*) FROM passkeys WHERE host <> \(party?.host ?? "")") ?? 0
  }
}

/// Functions that change passkeys.
extension Passkey {
  /// Stores a new passkey of the person whose keys the work has.
  ///
  /// Throws ``PasskeyFault/known`` if it is stored for anybody already.
  package static func insert(
    _ content: Content, for party: RelyingParty, _ vault: Vault, in work: Work
  ) throws {
    let (keys, hash) = (try work.keys, hash(content.credentialID, vault))
    let sealed = try keys.seal(content.bytes, as: sealedColumn, row: Token.row(of: hash))
    let inserted = try work.runCounting(
      """
      INSERT INTO passkeys (credential_hash, person, host, created_at, sealed)
      VALUES (\(hash), \(keys.person), \(party.host), \(work.now), \(sealed))
      ON CONFLICT DO NOTHING
      """)
    guard inserted > 0 else { throw PasskeyFault.known }
    try closeOffer(to: keys.person, on: work)
  }

  /// Offers the person no first passkey any more.
  package static func closeOffer(to person: ID<Person>, on connection: Connection) throws {
    try connection.run("UPDATE accounts SET passkey_offer_closed = 1 WHERE person = \(person)")
  }

  /// Stores the content after a sign-in with the passkey.
  package func recordUse(_ content: Content, _ vault: Vault, in work: Work) throws {
    try work.run(
      """
      UPDATE passkeys SET sealed = \(try sealed(content, vault, in: work)), used_at = \(work.now)
      WHERE id_passkey = \(id)
      """)
  }

  /// Stores another name.
  package func rename(to name: String, _ vault: Vault, in work: Work) throws {
    var content = content
    content.name = name
    try work.run(
      """
      UPDATE passkeys SET sealed = \(try sealed(content, vault, in: work)) WHERE id_passkey = \(id)
      """)
  }

  private func sealed(_ content: Content, _ vault: Vault, in work: Work) throws -> Sealed {
    let hash = Self.hash(content.credentialID, vault)
    return try work.keys.seal(content.bytes, as: Self.sealedColumn, row: Token.row(of: hash))
  }

  /// Removes a passkey. Returns false if the person has no such passkey.
  package static func remove(
    _ id: ID<Passkey>, of person: ID<Person>, on connection: Connection
  ) throws -> Bool {
    try connection.runCounting(
      "DELETE FROM passkeys WHERE id_passkey = \(id) AND person = \(person)") > 0
  }

  /// Removes all passkeys of the person. Returns the number of them.
  @discardableResult
  package static func removeAll(of person: ID<Person>, on connection: Connection) throws -> Int {
    try connection.runCounting("DELETE FROM passkeys WHERE person = \(person)")
  }
}

/// The user handle: random bytes that name the account to the person's devices, and nothing else.
extension Passkey {
  private static let handleColumn: StaticString = "accounts.passkey_handle"

  /// Returns the account's user handle; nil if it has never had a passkey.
  package static func handle(in work: Work) throws -> [UInt8]? {
    let keys = try work.keys
    let sealed =
      try work.row(
        "SELECT passkey_handle FROM accounts WHERE person = \(keys.person)"
      ) { $0.optional(0, Row.sealed) } ?? nil
    return try sealed.map { try keys.open($0, as: handleColumn, row: keys.person.rawValue) }
  }

  package static func newHandle() -> [UInt8] { .random(handleLength) }

  /// Stores the user handle with the first passkey. Throws ``PasskeyFault/expired`` if the account
  /// has got another one meanwhile.
  package static func keep(handle: [UInt8], in work: Work) throws {
    if let stored = try self.handle(in: work) {
      guard stored == handle else { throw PasskeyFault.expired }
      return
    }
    let keys = try work.keys
    let sealed = try keys.seal(handle, as: handleColumn, row: keys.person.rawValue)
    try work.run("UPDATE accounts SET passkey_handle = \(sealed) WHERE person = \(keys.person)")
  }
}

extension Passkey {
  /// Returns the passkeys for the person's data export, without their keys.
  package static func json(in work: Work) throws -> JSON {
    .array(
      try all(in: work).map {
        [
          "name": .string($0.content.name), "host": .string($0.host),
          "created_at": .string($0.createdAt.timestamp),
          "last_used_at": $0.usedAt.map { .string($0.timestamp) } ?? .null,
          "synchronized": .boolean($0.content.isSynchronized),
        ]
      })
  }
}

extension Passkey.Content {
  fileprivate init(_ bytes: [UInt8]) throws {
    var reader = ByteReader(bytes)
    name = try reader.string()
    credentialID = Array(try reader.bytes())
    publicKey = Array(try reader.bytes())
    signCount = UInt32(truncatingIfNeeded: try reader.integer())
    let flags = try reader.byte()
    (isSynchronizable, isSynchronized) = (flags & 1 != 0, flags & 2 != 0)
    transports = try reader.strings()
    model = Array(try reader.bytes())
  }

  fileprivate var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.write(name)
    writer.write(credentialID)
    writer.write(publicKey)
    writer.write(Int64(signCount))
    writer.write((isSynchronizable ? 1 : 0) | (isSynchronized ? 2 : 0) as UInt8)
    writer.write(transports)
    writer.write(model)
    return writer.bytes
  }
}
