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
    endingSecondFactor: Bool = false, _ vault: Vault, on connection: Connection
  ) throws -> Bool {
    let code = vault.accountSeal.code(
      ofLink: token, for: person, until: expiry, endingSecondFactor: endingSecondFactor)
    return try code.isSame(as: seal ?? []) || vault.acceptsUnsealed(on: connection)
  }

  /// Uses the address up; false when it does not work any more.
  static func useSetup(
    _ text: String?, at now: Instant, _ vault: Vault, on connection: Connection
  ) throws -> Bool {
    guard try isSetup(text, at: now, vault, on: connection) else { return false }
    return try connection.run("DELETE FROM setup_links") > 0
  }

  /// A new address at which this person sets a password; earlier ones stop working.
  ///
  /// The address asks for the second factor where there is one, unless it takes it away: for somebody who has proved
  /// at the clinic who they are (ASVS 5.0, 6.4.4).
  static func makeReset(
    for person: ID<Person>, endingSecondFactor: Bool = false, lasting: Seconds = lifetime,
    at now: Instant, _ vault: Vault, on connection: Connection
  ) throws -> Path {
    let token = try make(
      for: person, endingSecondFactor: endingSecondFactor, lasting: lasting, at: now, vault,
      on: connection)
    return "/reset/\(token.text)"
  }

  /// A new address at which this person, who has no account, gets one; earlier ones stop working.
  static func makeInvitation(
    for person: ID<Person>, at now: Instant, _ vault: Vault, on connection: Connection
  ) throws -> Path {
    "/invitation/\(try make(for: person, at: now, vault, on: connection).text)"
  }

  private static func make(
    for person: ID<Person>, endingSecondFactor: Bool = false, lasting: Seconds = lifetime,
    at now: Instant, _ vault: Vault, on connection: Connection
  ) throws -> Token {
    let token = Token.random()
    let expiry = now + lasting
    let seal = vault.accountSeal.code(
      ofLink: token, for: person, until: expiry, endingSecondFactor: endingSecondFactor)
    try connection.run("DELETE FROM password_links WHERE person = \(person)")
    try connection.run(
      """
      INSERT INTO password_links (token_hash, person, expires_at, seal, ends_second_factor)
      VALUES (\(token.hash), \(person), \(expiry), \(seal), \(endingSecondFactor))
      """)
    return token
  }

  /// An address that sets a password.
  struct Reset {
    let person: ID<Person>
    let endsSecondFactor: Bool
  }

  /// The link of an address that sets a password; nil when it does not work any more, and for an invitation.
  static func reset(
    by text: String?, at now: Instant, _ vault: Vault, on connection: Connection
  ) throws -> Reset? {
    try link(of: text, at: now, vault, "IN", on: connection)
  }

  /// The person who gets an account by the address; nil when it no longer works, as when the person
  /// has one already.
  static func invited(
    by text: String?, at now: Instant, _ vault: Vault, on connection: Connection
  ) throws -> ID<Person>? {
    try link(of: text, at: now, vault, "NOT IN", on: connection)?.person
  }

  private static func link(
    of text: String?, at now: Instant, _ vault: Vault, _ accounts: SQL, on connection: Connection
  ) throws -> Reset? {
    guard let token = text.flatMap(Token.init) else { return nil }
    let link = try connection.row(
      """
      SELECT person, expires_at, seal, ends_second_factor FROM password_links
      WHERE token_hash = \(token.hash) AND expires_at > \(now)
        AND person \(accounts) (SELECT person FROM accounts)
      """
    ) { row in
      (
        reset: Reset(person: row.id(0), endsSecondFactor: row.bool(3)), expiry: row.instant(1),
        seal: row.optional(2, Row.bytes)
      )
    }
    guard let link,
      try isGenuine(
        link.seal, token, for: link.reset.person, until: link.expiry,
        endingSecondFactor: link.reset.endsSecondFactor, vault, on: connection)
    else { return nil }
    return link.reset
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
