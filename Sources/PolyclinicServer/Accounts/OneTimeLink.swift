import PolyclinicCore

/// Addresses that work once: to become the first administrator, to set a lost password anew, or,
/// for those who were entered without an account, to get one.
enum OneTimeLink {
  /// How long a link works.
  static let lifetime = Seconds.hours(24)

  /// What an address says that does not work any more, or never did: which, is not told.
  static let gone = Refusal.gone("error.link-gone")
  /// As ``gone``, for whoever was to administer the portal.
  static let setupGone = Refusal.gone("error.setup-gone")

  /// A new address for whoever is to administer this portal; earlier ones stop working.
  static func makeSetup(at now: Instant, on connection: Connection) throws -> Path {
    let token = Token.random()
    try connection.run("DELETE FROM setup_links")
    try connection.run(
      """
      INSERT INTO setup_links (token_hash, expires_at) VALUES (\(token.hash), \(now + lifetime))
      """)
    return "/setup/\(token.text)"
  }

  /// Whether the address makes an administrator: not any more once there is one.
  static func isSetup(_ text: String?, at now: Instant, on connection: Connection) throws -> Bool {
    guard let token = text.flatMap(Token.init), try !Account.isAdministrated(on: connection) else {
      return false
    }
    return try connection.integer(
      "SELECT 1 FROM setup_links WHERE token_hash = \(token.hash) AND expires_at > \(now)") != nil
  }

  /// Uses the address up; false when it does not work any more.
  static func useSetup(_ text: String?, at now: Instant, on connection: Connection) throws -> Bool {
    guard try isSetup(text, at: now, on: connection) else { return false }
    return try connection.run("DELETE FROM setup_links") > 0
  }

  /// A new address at which this person sets a password; earlier ones stop working.
  static func makeReset(
    for person: ID<Person>, at now: Instant, on connection: Connection
  ) throws -> Path {
    "/reset/\(try make(for: person, at: now, on: connection).text)"
  }

  /// A new address at which this person, who has no account, gets one; earlier ones stop working.
  static func makeInvitation(
    for person: ID<Person>, at now: Instant, on connection: Connection
  ) throws -> Path {
    "/invitation/\(try make(for: person, at: now, on: connection).text)"
  }

  private static func make(
    for person: ID<Person>, at now: Instant, on connection: Connection
  ) throws -> Token {
    let token = Token.random()
    try connection.run("DELETE FROM password_links WHERE person = \(person)")
    try connection.run(
      """
      INSERT INTO password_links (token_hash, person, expires_at)
      VALUES (\(token.hash), \(person), \(now + lifetime))
      """)
    return token
  }

  /// Whose password the address sets; nil when it does not work any more, and for an invitation.
  static func person(
    of text: String?, at now: Instant, on connection: Connection
  ) throws -> ID<Person>? {
    guard let token = text.flatMap(Token.init) else { return nil }
    return try connection.row(
      """
      SELECT person FROM password_links JOIN accounts USING (person)
      WHERE token_hash = \(token.hash) AND expires_at > \(now)
      """
    ) { $0.id(0) }
  }

  /// The person who gets an account by the address; nil when it no longer works, as when the person
  /// has one already.
  static func invited(
    by text: String?, at now: Instant, on connection: Connection
  ) throws -> ID<Person>? {
    guard let token = text.flatMap(Token.init) else { return nil }
    return try connection.row(
      """
      SELECT person FROM password_links
      WHERE token_hash = \(token.hash) AND expires_at > \(now)
        AND person NOT IN (SELECT person FROM accounts)
      """
    ) { $0.id(0) }
  }

  /// Makes all addresses useless that this person was given.
  static func forget(of person: ID<Person>, on connection: Connection) throws {
    try connection.run("DELETE FROM password_links WHERE person = \(person)")
  }

  static func purge(at now: Instant, on connection: Connection) throws {
    try connection.run("DELETE FROM setup_links WHERE expires_at <= \(now)")
    try connection.run("DELETE FROM password_links WHERE expires_at <= \(now)")
  }
}
