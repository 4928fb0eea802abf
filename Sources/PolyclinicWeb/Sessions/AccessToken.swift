import PolyclinicCore
import PolyclinicVault

/// An API token, with which a program signs in as a person. It allows reading or changing the data
/// of some modules. Only the hash of its secret is stored.
package struct AccessToken {
  package static let schema: [SQL] = [
    // The sealed value is bound to the row's id, so it is NULL until the row exists.
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
    "CREATE INDEX api_tokens_expires_at ON api_tokens (expires_at) WHERE expires_at IS NOT NULL",
  ]

  /// The prefix of each secret, by which people and secret scanners recognize it.
  package static let prefix = "polyclinic_"
  /// The largest number of tokens of one person.
  package static let most = 20
  /// The shortest time between two writes of the last use, so that not every request writes.
  static let touchInterval = Seconds.minutes(5)
  /// The time for which an expired token is still listed.
  static let listedFor = Seconds.days(30)

  /// The operations that a token allows on the records of a module.
  package enum Scope: String, CaseIterable, Sendable {
    case read
    /// Includes reading.
    case write
  }

  /// The details that its owner has entered.
  package struct Details: Sendable, Equatable {
    package var name = ""
    /// The scopes, by module id.
    package var scopes: [String: Scope] = [:]
    /// The beginning of the secret's hash, so that a row cannot be given another secret. Empty in
    /// the details of a token that is not made yet.
    package var secret: [UInt8] = []

    package init(name: String = "", scopes: [String: AccessToken.Scope] = [:], secret: [UInt8] = [])
    {
      self.name = name
      self.scopes = scopes
      self.secret = secret
    }

    static let secretLength = 8

    /// True if the token was created with this secret.
    func isMade(with token: Token) -> Bool {
      secret == Array(token.hash.prefix(Self.secretLength))
    }
  }

  package let id: ID<AccessToken>
  package let details: Details
  package let createdAt: Instant
  package let usedAt: Instant?
  package let expiresAt: Instant?
}

extension AccessToken {
  /// The owner of a token that was sent with a request.
  package struct Bearer {
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
    details = try Details(keys.open(row.sealed(4), as: Self.sealedColumn, row: id.rawValue))
  }

  private static let sealedColumn: StaticString = "api_tokens.sealed"

  /// Returns the owner of a token. Returns nil if the token is unknown, revoked or expired, or the
  /// account is suspended.
  ///
  /// Throws ``AlteredRow`` if the token or the account was modified outside the portal.
  static func find(_ secret: String, by keyCache: KeyCache, in work: Work) throws -> Bearer? {
    let now = work.now
    guard secret.hasPrefix(prefix), let token = Token(String(secret.dropFirst(prefix.count)))
    else { return nil }
    let bearer = try work.row(
      """
      SELECT \(columns), person, wrapped_key, erasure_id, sealed_name, roles, language
      FROM api_tokens JOIN people ON id_person = person JOIN profiles USING (person)
        JOIN accounts USING (person)
      WHERE token_hash = \(token.hash) AND (expires_at IS NULL OR expires_at > \(now))
        AND api_tokens.created_at <= \(now + .clockLead)
        AND state = 'active'
      """
    ) { row in
      let first = columnCount
      let keys = try keyCache.keys(
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
    try Account.find(person, on: work)?.requireGenuine(keyCache.vault)
    return bearer
  }

  /// Returns the token's owner as of this transaction; nil if the token was revoked since it was
  /// found, or the account is suspended. Nobody revokes the token or takes a role away until the end
  /// of the transaction, which must be one that writes.
  static func visitor(
    by token: ID<AccessToken>, on connection: Connection
  ) throws -> PresentVisitor? {
    try connection.row(
      """
      SELECT \(PresentVisitor.columns) FROM api_tokens JOIN accounts USING (person)
      JOIN people ON id_person = person
      WHERE id_token = \(token) AND state = 'active'
      \(sqlite: "", postgresql: "FOR SHARE OF api_tokens, accounts")
      """, PresentVisitor.init)
  }

  /// Creates a token and returns its secret, which cannot be retrieved again.
  package static func make(
    _ details: Details, expiresAt: Instant?, in work: Work
  ) throws -> String {
    let (keys, token) = (try work.keys, Token.random())
    let id: ID<AccessToken> = try work.insert(
      """
      INSERT INTO api_tokens (token_hash, person, created_at, expires_at)
      VALUES (\(token.hash), \(keys.person), \(work.now), \(expiresAt))
      """)
    var details = details
    details.secret = Array(token.hash.prefix(Details.secretLength))
    let sealed = try keys.seal(details.bytes, as: sealedColumn, row: id.rawValue)
    try work.run("UPDATE api_tokens SET sealed = \(sealed) WHERE id_token = \(id)")
    return prefix + token.text
  }

  /// Records the time of the last use.
  static func touch(_ id: ID<AccessToken>, at now: Instant, on connection: Connection) throws {
    try connection.run("UPDATE api_tokens SET used_at = \(now) WHERE id_token = \(id)")
  }

  /// Returns the person's tokens, latest first, including those that expired recently.
  package static func all(by keys: Keys, on connection: Connection) throws -> [AccessToken] {
    try connection.rows(
      """
      SELECT \(columns) FROM api_tokens WHERE person = \(keys.person) ORDER BY id_token DESC
      """
    ) { try AccessToken($0, by: keys) }
  }

  /// Returns a token of the person; nil if it does not exist or belongs to another person.
  package static func find(
    _ id: ID<AccessToken>, by keys: Keys, on connection: Connection
  ) throws -> AccessToken? {
    try connection.row(
      "SELECT \(columns) FROM api_tokens WHERE id_token = \(id) AND person = \(keys.person)"
    ) { try AccessToken($0, by: keys) }
  }

  /// Revokes a token. Returns false if the person has no such token.
  package static func revoke(
    _ id: ID<AccessToken>, of person: ID<Person>, on connection: Connection
  ) throws -> Bool {
    try connection.runCounting(
      "DELETE FROM api_tokens WHERE id_token = \(id) AND person = \(person)") > 0
  }

  /// Revokes all tokens of the person.
  static func revokeAll(of person: ID<Person>, on connection: Connection) throws {
    try connection.run("DELETE FROM api_tokens WHERE person = \(person)")
  }

  /// Deletes tokens that expired longer than ``listedFor`` ago. A job calls it.
  package static func purge(at now: Instant, on connection: Connection) throws {
    try connection.run("DELETE FROM api_tokens WHERE expires_at <= \(now - listedFor)")
  }

  /// Returns the tokens for the person's data export, without any secret.
  package static func json(by keys: Keys, on connection: Connection) throws -> JSON {
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
      // A scope that this release does not know allows nothing.
      scopes[name] = AccessToken.Scope(rawValue: try reader.string())
    }
    secret = Array(try reader.bytes())
  }

  fileprivate var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.write(name)
    writer.write(scopes.keys.sorted())
    for name in scopes.keys.sorted() { writer.write(scopes[name]?.rawValue ?? "") }
    writer.write(secret)
    return writer.bytes
  }
}
