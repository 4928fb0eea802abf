import PolyclinicCore

/// Who is signed in, in which browser: only hashes of the browsers' tokens are stored.
struct Sessions: Sendable {
  /// Without a page for this long, a session ends.
  static let idleTimeout = Seconds.hours(1)
  /// After this long, a session ends (ASVS 5.0, 7.3).
  static let lifetime = Seconds.hours(12)
  /// How often the time of the last page is written: not each view is to be a write.
  static let touchInterval = Seconds.minutes(5)

  static let migration = Migration(
    "0004-sessions",
    """
    CREATE TABLE sessions (
      id_session \(.identity),
      token_hash \(.bytes) NOT NULL UNIQUE,
      person \(.person),
      created_at \(.integer) NOT NULL,
      seen_at \(.integer) NOT NULL,
      device \(.bytes) NOT NULL,
      carried \(.bytes)
    ) \(.strict)
    """,
    "CREATE INDEX sessions_person ON sessions (person)")

  /// What a request's cookie stands for: asked for a dozen times on its way, and so one object.
  final class Session {
    let id: ID<Session>
    let tokenHash: [UInt8]
    let person: ID<Person>
    let seenAt: Instant
    let keys: Keys
    let visitor: Visitor
    let language: Language?
    /// Whether a form waits that was sent after an earlier session had ended.
    let carries: Bool
    let unread: UnreadCount

    /// The part of the row that is trusted only after ``Sessions/find(_:at:by:on:)`` has looked at it.
    fileprivate let claim: RecentKeys.Claim
    fileprivate let known: RecentKeys.Known

    fileprivate init(_ row: Row, of tokenHash: [UInt8], by recent: RecentKeys) throws {
      id = row.id(0)
      self.tokenHash = tokenHash
      person = row.id(1)
      seenAt = row.instant(2)
      let known = try recent.known(person, wrapped: row.bytes(3), erasureID: row.bytes(4))
      self.known = known
      keys = known.keys
      claim = RecentKeys.Claim(
        token: tokenHash, device: row.sealed(10), roles: row.string(6),
        seal: row.optional(11, Row.bytes) ?? [])
      visitor = Visitor(
        person: person, name: try known.name(row.sealed(5)), roles: Account.roles(row.string(6)))
      language = Language(rawValue: row.string(7))
      carries = row.bool(8)
      unread = UnreadCount(row.int(9))
    }
  }

  /// The session of a token; nil when it has ended or its account is suspended.
  ///
  /// Throws ``AlteredRow`` where session or account were changed by something else than the portal.
  func find(
    _ token: Token, at now: Instant, by keys: RecentKeys, on connection: Connection
  ) throws -> Session? {
    let session = try connection.row(
      """
      SELECT id_session, person, seen_at, wrapped_key, erasure_id, sealed_name, roles, language,
        carried IS NOT NULL, \(Inbox.unreadCount), device, seal
      FROM sessions JOIN people ON id_person = person JOIN profiles USING (person)
        JOIN accounts USING (person)
      WHERE token_hash = \(token.hash) AND seen_at > \(now - Self.idleTimeout)
        AND sessions.created_at > \(now - Self.lifetime) AND state = 'active'
      """
    ) { try Session($0, of: token.hash, by: keys) }
    guard let session else { return nil }
    if session.known.trusted == session.claim { return session }
    try prove(session, by: keys.vault, on: connection)
    session.known.trusted = session.claim
    return session
  }

  /// Throws ``AlteredRow`` where something else than the portal has begun the session or given the roles.
  private func prove(_ session: Session, by vault: Vault, on connection: Connection) throws {
    do {
      _ = try session.keys.open(
        session.claim.device, as: "sessions.device", row: Token.row(of: session.tokenHash))
    } catch is UnsealingError { throw AlteredRow(person: session.person, table: "sessions") }
    try Account.find(session.person, on: connection)?.requireGenuine(vault, on: connection)
  }

  /// What its person may do by now; nil where it has ended since it was found, or the account is suspended.
  func roles(in session: Session, on connection: Connection) throws -> Set<Role>? {
    try connection.row(
      """
      SELECT roles FROM sessions JOIN accounts USING (person)
      WHERE id_session = \(session.id) AND state = 'active'
      """
    ) { Account.roles($0.string(0)) }
  }

  /// Begins a session; `device` is what its owner reads in the list of sessions.
  func begin(
    for keys: Keys, device: String, at now: Instant, on connection: Connection
  ) throws -> Token {
    let token = Token.random()
    let sealed = try keys.seal(
      Array(device.utf8), as: "sessions.device", row: Token.row(of: token.hash))
    try connection.run(
      """
      INSERT INTO sessions (token_hash, person, created_at, seen_at, device)
      VALUES (\(token.hash), \(keys.person), \(now), \(now), \(sealed))
      """)
    return token
  }

  /// Keeps a form, sealed by ``Carrier``, for its page to take up again.
  func carry(_ form: String, in tokenHash: [UInt8], on connection: Connection) throws {
    try connection.run(
      """
      UPDATE sessions SET carried = \(Array(form.utf8)) WHERE token_hash = \(tokenHash)
      """)
  }

  /// Forgets the form: it was saved, or its owner does not want it.
  func dropCarried(in session: Session, on connection: Connection) throws {
    try connection.run("UPDATE sessions SET carried = NULL WHERE id_session = \(session.id)")
  }

  /// Notes that a page was looked at.
  func touch(_ session: Session, at now: Instant, on connection: Connection) throws {
    try connection.run("UPDATE sessions SET seen_at = \(now) WHERE id_session = \(session.id)")
  }

  /// Ends one session, and has no form sign the person in again; false when it is not there.
  func end(_ session: ID<Session>, of person: ID<Person>, on connection: Connection) throws -> Bool
  {
    try AnsweredForms.forgetSignIns(of: person, on: connection)
    return try connection.run(
      "DELETE FROM sessions WHERE id_session = \(session) AND person = \(person)") > 0
  }

  /// Ends all sessions of a person, but the one that is to be kept.
  func endAll(
    of person: ID<Person>, except kept: ID<Session>? = nil, on connection: Connection
  ) throws {
    try connection.run(
      "DELETE FROM sessions WHERE person = \(person) AND id_session <> \(kept?.rawValue ?? 0)")
    try AnsweredForms.forgetSignIns(of: person, on: connection)
  }

  /// A session as its owner sees it.
  struct Listed {
    let id: ID<Session>
    let device: String
    let createdAt: Instant
    let seenAt: Instant
  }

  /// The person's sessions that have not ended, the latest first.
  func list(by keys: Keys, at now: Instant, on connection: Connection) throws -> [Listed] {
    try connection.rows(
      """
      SELECT id_session, device, created_at, seen_at, token_hash FROM sessions
      WHERE person = \(keys.person) AND seen_at > \(now - Self.idleTimeout)
        AND created_at > \(now - Self.lifetime) ORDER BY seen_at DESC, id_session DESC
      """
    ) { row in
      let device = try keys.open(
        row.sealed(1), as: "sessions.device", row: Token.row(of: row.bytes(4)))
      return Listed(
        id: row.id(0), device: String(decoding: device, as: UTF8.self),
        createdAt: row.instant(2), seenAt: row.instant(3))
    }
  }

  /// Deletes sessions that have ended; for a job.
  static func purge(at now: Instant, on connection: Connection) throws {
    try connection.run(
      """
      DELETE FROM sessions WHERE seen_at <= \(now - idleTimeout)
        OR created_at <= \(now - lifetime)
      """)
  }
}
