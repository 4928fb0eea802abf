import PolyclinicCore

/// What a program signs in with in a person's name: a secret of which only the hash is stored, for
/// some modules, to read or to change.
struct AccessToken {
  static let migration = Migration(
    "0010-api-tokens",
    // What is sealed is bound to the row's id: it is NULL until the row has one.
    """
    CREATE TABLE api_tokens (
      id_token \(.identity),
      token_hash \(.bytes) NOT NULL UNIQUE,
      person \(.person),
      created_at \(.integer) NOT NULL,
      used_at \(.integer),
      expires_at \(.integer),
      sealed \(.bytes)
    ) \(.strict)
    """,
    "CREATE INDEX api_tokens_person ON api_tokens (person)",
    "CREATE INDEX api_tokens_expires_at ON api_tokens (expires_at) WHERE expires_at IS NOT NULL")

  /// Begins each secret, so that people and programs that look for lost secrets know it.
  static let prefix = "polyclinic_"
  /// More than anybody's programs need.
  static let most = 20
  /// How often the last use is written: not each request is to be a write.
  static let touchInterval = Seconds.minutes(5)
  /// How long one that has run out is still listed.
  static let listedFor = Seconds.days(30)

  /// What somebody may do with the records of a module.
  enum Scope: String, CaseIterable, Sendable {
    case read
    /// Reads as well.
    case write
  }

  /// What its owner has said about it.
  struct Details: Sendable, Equatable {
    var name = ""
    /// By module.
    var scopes: [String: Scope] = [:]
    /// The beginning of the secret's hash, by which the row cannot be given another secret; empty in
    /// tokens of earlier releases.
    var secret: [UInt8] = []

    static let secretLength = 8

    /// True if it was made with this secret, as far as it tells.
    func isMade(with token: Token) -> Bool {
      secret.isEmpty || secret == Array(token.hash.prefix(Self.secretLength))
    }
  }

  let id: ID<AccessToken>
  let details: Details
  let createdAt: Instant
  let usedAt: Instant?
  let expiresAt: Instant?
}

extension AccessToken {
  /// Who asks by a token.
  struct Bearer {
    let token: AccessToken
    let keys: Keys
    let visitor: Visitor
    let language: Language?
  }

  private static let columns: SQL =
    "id_token, api_tokens.created_at, used_at, expires_at, api_tokens.sealed"
  private static let columnCount = 5

  private init(_ row: Row, by keys: Keys) throws {
    id = row.id(0)
    createdAt = row.instant(1)
    usedAt = row.optional(2, Row.instant)
    expiresAt = row.optional(3, Row.instant)
    details = try Details(keys.open(row.sealed(4), as: Self.slot, row: id.rawValue))
  }

  private static let slot: StaticString = "api_tokens.sealed"

  /// Whose token it is; nil when there is no such token, when it was revoked or has run out, and when
  /// the account is suspended.
  static func find(
    _ secret: String, at now: Instant, by recent: RecentKeys, on connection: Connection
  ) throws -> Bearer? {
    guard secret.hasPrefix(prefix), let token = Token(String(secret.dropFirst(prefix.count)))
    else { return nil }
    let bearer = try connection.row(
      """
      SELECT \(columns), person, wrapped_key, erasure_id, sealed_name, roles, language
      FROM api_tokens JOIN people ON id_person = person JOIN profiles USING (person)
        JOIN accounts USING (person)
      WHERE token_hash = \(token.hash) AND (expires_at IS NULL OR expires_at > \(now))
        AND state = 'active'
      """
    ) { row in
      let first = columnCount
      let keys = try recent.keys(
        of: row.id(first), wrapped: row.bytes(first + 1), erasureID: row.bytes(first + 2))
      let visitor = Visitor(
        person: keys.person, name: try Profile.openName(row.sealed(first + 3), by: keys),
        roles: Account.roles(row.string(first + 4)))
      return Bearer(
        token: try AccessToken(row, by: keys), keys: keys, visitor: visitor,
        language: Language(rawValue: row.string(first + 5)))
    }
    guard let bearer else { return nil }
    let person = bearer.keys.person
    guard bearer.token.details.isMade(with: token) else {
      throw AlteredRow(person: person, table: "api_tokens")
    }
    try Account.find(person, on: connection)?.requireGenuine(recent.vault, on: connection)
    return bearer
  }

  /// What its person may do by now; nil where it was revoked since it was found, or the account suspended.
  static func roles(
    by token: ID<AccessToken>, on connection: Connection
  ) throws -> Set<Role>? {
    try connection.row(
      """
      SELECT roles FROM api_tokens JOIN accounts USING (person)
      WHERE id_token = \(token) AND state = 'active'
      """
    ) { Account.roles($0.string(0)) }
  }

  /// Makes one and returns its secret, which nobody can tell again.
  static func make(
    _ details: Details, expiresAt: Instant?, by keys: Keys, at now: Instant,
    on connection: Connection
  ) throws -> String {
    let token = Token.random()
    let id: ID<AccessToken> = try connection.insert(
      """
      INSERT INTO api_tokens (token_hash, person, created_at, expires_at)
      VALUES (\(token.hash), \(keys.person), \(now), \(expiresAt))
      """)
    var details = details
    details.secret = Array(token.hash.prefix(Details.secretLength))
    let sealed = try keys.seal(details.bytes, as: slot, row: id.rawValue)
    try connection.run("UPDATE api_tokens SET sealed = \(sealed) WHERE id_token = \(id)")
    return prefix + token.text
  }

  /// Notes that it was used.
  static func touch(_ id: ID<AccessToken>, at now: Instant, on connection: Connection) throws {
    try connection.run("UPDATE api_tokens SET used_at = \(now) WHERE id_token = \(id)")
  }

  /// The person's, the latest first, also those that have run out of late.
  static func all(by keys: Keys, on connection: Connection) throws -> [AccessToken] {
    try connection.rows(
      """
      SELECT \(columns) FROM api_tokens WHERE person = \(keys.person) ORDER BY id_token DESC
      """
    ) { try AccessToken($0, by: keys) }
  }

  /// One of the person's; nil for an unknown one and for somebody else's.
  static func find(
    _ id: ID<AccessToken>, by keys: Keys, on connection: Connection
  ) throws -> AccessToken? {
    try connection.row(
      "SELECT \(columns) FROM api_tokens WHERE id_token = \(id) AND person = \(keys.person)"
    ) { try AccessToken($0, by: keys) }
  }

  /// It works no more from now on; false when it is not the person's.
  static func revoke(
    _ id: ID<AccessToken>, of person: ID<Person>, on connection: Connection
  ) throws -> Bool {
    try connection.run("DELETE FROM api_tokens WHERE id_token = \(id) AND person = \(person)") > 0
  }

  /// None of the person's works any more.
  static func revokeAll(of person: ID<Person>, on connection: Connection) throws {
    try connection.run("DELETE FROM api_tokens WHERE person = \(person)")
  }

  /// Deletes those that ran out long ago; for a job.
  static func purge(at now: Instant, on connection: Connection) throws {
    try connection.run("DELETE FROM api_tokens WHERE expires_at <= \(now - listedFor)")
  }

  /// A person's copy: everything but what could be used.
  static func json(by keys: Keys, on connection: Connection) throws -> JSON {
    func time(_ instant: Instant?) -> JSON {
      instant.map { .string($0.timestamp) } ?? .null
    }
    return .array(
      try all(by: keys, on: connection).map { token in
        [
          "name": .string(token.details.name),
          "scopes": .object(
            token.details.scopes.sorted { $0.key < $1.key }.map {
              JSON.Member($0.key, .string($0.value.rawValue))
            }),
          "created_at": time(token.createdAt), "last_used_at": time(token.usedAt),
          "expires_at": time(token.expiresAt),
        ]
      })
  }
}

extension AccessToken.Details {
  fileprivate init(_ bytes: [UInt8]) throws {
    var reader = ByteReader(bytes)
    name = try reader.string()
    let names = try reader.strings()
    for name in names {
      // A scope that this release does not know gives nothing.
      scopes[name] = AccessToken.Scope(rawValue: try reader.string())
    }
    if !reader.isAtEnd { secret = Array(try reader.bytes()) }
  }

  fileprivate var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.write(name)
    writer.write(scopes.keys.sorted())
    for name in scopes.keys.sorted() { writer.write(scopes[name]?.rawValue ?? "") }
    if !secret.isEmpty { writer.write(secret) }
    return writer.bytes
  }
}
