import PolyclinicCore
import PolyclinicVault

/// The sessions of signed-in users. Only hashes of the browsers' tokens are stored.
package struct Sessions: Sendable {
  package init() {}

  /// The time without a request after which a session ends.
  static let idleTimeout = Seconds.hours(1)
  /// The longest duration of a session (ASVS 5.0, 7.3).
  package static let lifetime = Seconds.hours(12)
  /// The shortest time between two writes of the last use, so that not every page writes.
  static let touchInterval = Seconds.minutes(5)

  package static let schema: [SQL] = [
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
    "CREATE INDEX sessions_person ON sessions (person)",
  ]

  /// The session of a request's cookie. It is a class, because the pipeline passes it on a dozen
  /// times.
  package final class Session {
    package let id: ID<Session>
    package let tokenHash: [UInt8]
    package let person: ID<Person>
    package let seenAt: Instant
    package let keys: Keys
    package let visitor: Visitor
    package let language: Language?
    /// True if the session holds a form that was submitted after an earlier session had ended.
    let hasInterruptedForm: Bool
    package let unread: UnreadCount
    /// True if the person may act for others, or could before an age was reached.
    let isGuardian: Bool
    /// The version of the privacy page that the person has agreed to; 0 for none.
    package let consentVersion: Int
    /// True after a later sign-in than the registration, until the person has made a passkey or
    /// declined.
    package let isOfferedPasskey: Bool

    /// The part of the row that is trusted only after ``Sessions/find(_:by:in:)`` has verified
    /// it.
    fileprivate let claim: KeyCache.Claim
    fileprivate let known: KeyCache.Known

    fileprivate init(_ row: Row, of tokenHash: [UInt8], by keyCache: KeyCache) throws {
      id = row.id(0)
      self.tokenHash = tokenHash
      person = row.id(1)
      seenAt = row.instant(2)
      let known = try keyCache.known(person, wrapped: row.bytes(3), erasureID: row.bytes(4))
      self.known = known
      keys = known.keys
      claim = KeyCache.Claim(
        token: tokenHash, device: row.sealed(10), roles: row.string(6),
        seal: row.bytes(11))
      visitor = Visitor(
        person: person, name: try known.name(row.sealed(5)), roles: Account.roles(row.string(6)),
        wantedRole: Role(rawValue: row.string(12)))
      language = Language(rawValue: row.string(7))
      hasInterruptedForm = row.bool(8)
      unread = UnreadCount(row.int(9))
      isGuardian = row.bool(13)
      consentVersion = row.int(14)
      isOfferedPasskey = row.bool(15)
    }
  }

  /// Returns the session of a token; nil if it has ended or its account is suspended.
  ///
  /// Throws ``AlteredRow`` if the session or the account was modified outside the portal.
  func find(_ token: Token, by keys: KeyCache, in work: Work) throws -> Session? {
    let now = work.now
    let session = try work.row(
      """
      SELECT id_session, person, seen_at, wrapped_key, erasure_id, sealed_name, roles, language,
        carried IS NOT NULL, \(UnreadCount.ofPerson(at: now)), device, seal, wanted_role,
        \(Guardianship.isGuardian), consent_version,
        passkey_offer_closed = 0 AND sessions.created_at > accounts.created_at
      FROM sessions JOIN people ON id_person = person JOIN profiles USING (person)
        JOIN accounts USING (person)
      WHERE token_hash = \(token.hash) AND seen_at > \(now - Self.idleTimeout)
        AND sessions.created_at > \(now - Self.lifetime)
        AND sessions.created_at <= \(now + .clockLead) AND state = 'active'
      """
    ) { try Session($0, of: token.hash, by: keys) }
    guard let session else { return nil }
    if session.known.trusted == session.claim { return session }
    try prove(session, by: keys.vault, on: work)
    session.known.trusted = session.claim
    return session
  }

  /// Throws ``AlteredRow`` if the session was begun, or the roles were given, outside the portal.
  private func prove(_ session: Session, by vault: Vault, on connection: Connection) throws {
    do {
      _ = try session.keys.open(
        session.claim.device, as: "sessions.device", row: Token.row(of: session.tokenHash))
    } catch is UnsealingError { throw AlteredRow(person: session.person, table: "sessions") }
    try Account.find(session.person, on: connection)?.requireGenuine(vault)
  }

  /// Returns the session's user as of this transaction; nil if the session has ended since it was
  /// found, or the account is suspended. Nobody ends the session or takes a role away until the end
  /// of the transaction, which must be one that writes.
  func visitor(in session: Session, on connection: Connection) throws -> PresentVisitor? {
    try connection.row(
      """
      SELECT \(PresentVisitor.columns) FROM sessions JOIN accounts USING (person)
      JOIN people ON id_person = person
      WHERE id_session = \(session.id) AND state = 'active'
      \(sqlite: "", postgresql: "FOR SHARE OF sessions, accounts")
      """, PresentVisitor.init)
  }

  /// Begins a session of the person whose keys the work has. `device` is its name in the user's
  /// list of sessions.
  func begin(device: String, in work: Work) throws -> Token {
    let (token, keys) = (Token.random(), try work.keys)
    let sealed = try keys.seal(
      Array(device.utf8), as: "sessions.device", row: Token.row(of: token.hash))
    try work.run(
      """
      INSERT INTO sessions (token_hash, person, created_at, seen_at, device)
      VALUES (\(token.hash), \(keys.person), \(work.now), \(work.now), \(sealed))
      """)
    return token
  }

  /// Stores an interrupted form, sealed by ``InterruptedForm``, until its page restores it.
  package func store(interruptedForm form: String, in tokenHash: [UInt8], on connection: Connection)
    throws
  {
    try connection.run(
      """
      UPDATE sessions SET carried = \(Array(form.utf8)) WHERE token_hash = \(tokenHash)
      """)
  }

  /// Deletes the interrupted form after it was saved or discarded.
  func dropInterruptedForm(in session: Session, on connection: Connection) throws {
    try connection.run("UPDATE sessions SET carried = NULL WHERE id_session = \(session.id)")
  }

  /// Returns the time at which a session began; nil if there is none with this token.
  package func beginning(of token: Token, on connection: Connection) throws -> Instant? {
    try connection.row("SELECT created_at FROM sessions WHERE token_hash = \(token.hash)") {
      $0.instant(0)
    }
  }

  /// Records the time of the last use.
  func touch(_ session: Session, at now: Instant, on connection: Connection) throws {
    try connection.run("UPDATE sessions SET seen_at = \(now) WHERE id_session = \(session.id)")
  }

  /// Ends a session, and prevents resubmitted forms from signing the person in. Returns false if it
  /// does not exist.
  package func end(_ session: ID<Session>, of person: ID<Person>, on connection: Connection) throws
    -> Bool
  {
    try IdempotencyStore.forgetSignIns(of: person, on: connection)
    return try connection.runCounting(
      "DELETE FROM sessions WHERE id_session = \(session) AND person = \(person)") > 0
  }

  /// Ends all sessions of a person except `kept`.
  package func endAll(
    of person: ID<Person>, except kept: ID<Session>? = nil, on connection: Connection
  ) throws {
    try connection.run(
      "DELETE FROM sessions WHERE person = \(person) AND id_session <> \(kept?.rawValue ?? 0)")
    try IdempotencyStore.forgetSignIns(of: person, on: connection)
  }

  /// A session in the user's list of sessions.
  package struct Listed {
    package let id: ID<Session>
    package let device: String
    package let createdAt: Instant
    package let seenAt: Instant
    /// The time at which the session ends even if it is used until then.
    package var endsAt: Instant { createdAt + lifetime }
  }

  /// Returns the person's active sessions, latest first.
  package func list(by keys: Keys, at now: Instant, on connection: Connection) throws -> [Listed] {
    try connection.rows(
      """
      SELECT id_session, device, created_at, seen_at, token_hash FROM sessions
      WHERE person = \(keys.person) AND seen_at > \(now - Self.idleTimeout)
        AND created_at > \(now - Self.lifetime) AND created_at <= \(now + .clockLead)
      ORDER BY seen_at DESC, id_session DESC
      """
    ) { row in
      let device = try keys.open(
        row.sealed(1), as: "sessions.device", row: Token.row(of: row.bytes(4)))
      return Listed(
        id: row.id(0), device: String(decoding: device, as: UTF8.self),
        createdAt: row.instant(2), seenAt: row.instant(3))
    }
  }

  /// Deletes ended sessions. A job calls it.
  package static func purge(at now: Instant, on connection: Connection) throws {
    try connection.run(
      """
      DELETE FROM sessions WHERE seen_at <= \(now - idleTimeout)
        OR created_at <= \(now - lifetime) OR created_at > \(now + .clockLead)
      """)
  }
}

/// The visitor as a transaction that writes finds them.
struct PresentVisitor {
  let roles: Set<Role>
  /// The storage use of the person; nil if it was not counted yet.
  let stored: Connection.StorageUse?

  /// The columns of `accounts` and `people`, in the order in which ``init(_:)`` reads them.
  static let columns: SQL = "roles, stored_bytes, stored_records"

  init(_ row: Row) {
    roles = Account.roles(row.string(0))
    stored =
      row.isNull(1) ? nil : Connection.StorageUse(bytes: row.int(1), records: row.int(2))
  }
}
