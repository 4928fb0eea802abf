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
  static func makeSetup(
    at now: Instant, _ vault: Vault, on connection: Connection
  ) throws -> Path {
    let token = Token.random()
    let expiry = now + lifetime
    let seal = vault.accountSeal.code(ofLink: token, for: nil, until: expiry)
    try connection.run("DELETE FROM setup_links")
    try connection.run(
      """
      INSERT INTO setup_links (token_hash, expires_at, seal)
      VALUES (\(token.hash), \(expiry), \(seal))
      """)
    return "/setup/\(token.text)"
  }

  /// Whether the address makes an administrator: not any more once there is one.
  static func isSetup(
    _ text: String?, at now: Instant, _ vault: Vault, on connection: Connection
  ) throws -> Bool {
    guard let token = text.flatMap(Token.init), try !Account.isAdministrated(on: connection) else {
      return false
    }
    let link = try connection.row(
      """
      SELECT expires_at, seal FROM setup_links
      WHERE token_hash = \(token.hash) AND expires_at > \(now)
      """
    ) { (expiry: $0.instant(0), seal: $0.optional(1, Row.bytes)) }
    guard let link else { return false }
    return try isGenuine(link.seal, token, for: nil, until: link.expiry, vault, on: connection)
  }

  /// True if the portal has made the link: a writer of the database could else set anybody's password.
  private static func isGenuine(
    _ seal: [UInt8]?, _ token: Token, for person: ID<Person>?, until expiry: Instant,
    _ vault: Vault, on connection: Connection
  ) throws -> Bool {
    try vault.accountSeal.code(ofLink: token, for: person, until: expiry).isSame(as: seal ?? [])
      || vault.acceptsUnsealed(on: connection)
  }

  /// Uses the address up; false when it does not work any more.
  static func useSetup(
    _ text: String?, at now: Instant, _ vault: Vault, on connection: Connection
  ) throws -> Bool {
    guard try isSetup(text, at: now, vault, on: connection) else { return false }
    return try connection.run("DELETE FROM setup_links") > 0
  }

  /// A new address at which this person sets a password; earlier ones stop working.
  static func makeReset(
    for person: ID<Person>, at now: Instant, _ vault: Vault, on connection: Connection
  ) throws -> Path {
    "/reset/\(try make(for: person, at: now, vault, on: connection).text)"
  }

  /// A new address at which this person, who has no account, gets one; earlier ones stop working.
  static func makeInvitation(
    for person: ID<Person>, at now: Instant, _ vault: Vault, on connection: Connection
  ) throws -> Path {
    "/invitation/\(try make(for: person, at: now, vault, on: connection).text)"
  }

  private static func make(
    for person: ID<Person>, at now: Instant, _ vault: Vault, on connection: Connection
  ) throws -> Token {
    let token = Token.random()
    let expiry = now + lifetime
    let seal = vault.accountSeal.code(ofLink: token, for: person, until: expiry)
    try connection.run("DELETE FROM password_links WHERE person = \(person)")
    try connection.run(
      """
      INSERT INTO password_links (token_hash, person, expires_at, seal)
      VALUES (\(token.hash), \(person), \(expiry), \(seal))
      """)
    return token
  }

  /// The person whose password the address sets; nil when it does not work any more, and for an
  /// invitation.
  static func person(
    of text: String?, at now: Instant, _ vault: Vault, on connection: Connection
  ) throws -> ID<Person>? {
    try person(of: text, at: now, vault, "IN", on: connection)
  }

  /// The person who gets an account by the address; nil when it no longer works, as when the person
  /// has one already.
  static func invited(
    by text: String?, at now: Instant, _ vault: Vault, on connection: Connection
  ) throws -> ID<Person>? {
    try person(of: text, at: now, vault, "NOT IN", on: connection)
  }

  private static func person(
    of text: String?, at now: Instant, _ vault: Vault, _ accounts: SQL, on connection: Connection
  ) throws -> ID<Person>? {
    guard let token = text.flatMap(Token.init) else { return nil }
    let link = try connection.row(
      """
      SELECT person, expires_at, seal FROM password_links
      WHERE token_hash = \(token.hash) AND expires_at > \(now)
        AND person \(accounts) (SELECT person FROM accounts)
      """
    ) { row -> (person: ID<Person>, expiry: Instant, seal: [UInt8]?) in
      (row.id(0), row.instant(1), row.optional(2, Row.bytes))
    }
    guard let link,
      try isGenuine(
        link.seal, token, for: link.person, until: link.expiry, vault, on: connection)
    else { return nil }
    return link.person
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
