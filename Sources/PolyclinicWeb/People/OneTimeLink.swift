import PolyclinicCore
import PolyclinicVault

/// Links that work once. They set up the first administrator, set a new password, or create an
/// account for a person without one.
package enum OneTimeLink {
  /// The origin of a person's link, with what it does.
  package enum Kind: String, Sendable {
    /// The clinic has handed it out.
    case handedOut = "handed-out"
    /// As ``handedOut``, and it removes the second factor, for a person who has lost it and proved
    /// their identity at the clinic (ASVS 5.0, 6.4.4).
    case endingSecondFactor = "ending-second-factor"
    /// It was sent to the confirmed e-mail address, because anybody asked for it.
    case mailed
  }

  /// The time for which a link is valid.
  package static let lifetime = Seconds.hours(24)

  /// The error for an invalid link. It does not say whether the link expired or never existed.
  package static let gone = Refusal.gone("error.link-gone")
  /// The error for an invalid link of the first administrator.
  package static let setupGone = Refusal.gone("error.setup-gone")

  /// Creates the link that sets up the first administrator. Earlier ones become invalid.
  package static func makeSetup(
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

  /// True if the setup link is valid. It is invalid once an administrator exists.
  package static func isSetup(
    _ text: String?, at now: Instant, _ vault: Vault, on connection: Connection
  ) throws -> Bool {
    guard let token = text.flatMap(Token.init), try !Account.isAdministrated(on: connection) else {
      return false
    }
    let link = try connection.row(
      """
      SELECT expires_at, seal FROM setup_links
      WHERE token_hash = \(token.hash) AND expires_at > \(now) AND expires_at <= \(latest(now))
      """
    ) { (expiry: $0.instant(0), seal: $0.bytes(1)) }
    guard let link else { return false }
    return isGenuine(link.seal, token, for: nil, until: link.expiry, vault)
  }

  /// True if the portal sealed the link. Otherwise anyone who can write to the database could set
  /// any password.
  private static func isGenuine(
    _ seal: [UInt8], _ token: Token, for person: ID<Person>?, until expiry: Instant,
    as kind: Kind? = nil, _ vault: Vault
  ) -> Bool {
    vault.accountSeal.code(ofLink: token, for: person, until: expiry, as: kind).isSame(as: seal)
  }

  /// Uses up the setup link. Returns false if it is no longer valid.
  package static func useSetup(
    _ text: String?, at now: Instant, _ vault: Vault, on connection: Connection
  ) throws -> Bool {
    guard try isSetup(text, at: now, vault, on: connection) else { return false }
    return try connection.run("DELETE FROM setup_links") > 0
  }

  /// Creates a link with which the person sets a password. The link's page asks for the second
  /// factor, if there is one, unless it removes the factor.
  ///
  /// Earlier links become invalid, unless the new one is ``Kind/mailed``: a stranger can ask for
  /// that one.
  package static func makeReset(
    for person: ID<Person>, as kind: Kind = .handedOut, lasting: Seconds = lifetime,
    at now: Instant, _ vault: Vault, on connection: Connection
  ) throws -> Path {
    "/reset/\(try make(kind, for: person, lasting: lasting, at: now, vault, on: connection).text)"
  }

  /// Creates a link with which a person without an account gets one. Earlier ones become invalid.
  package static func makeInvitation(
    for person: ID<Person>, at now: Instant, _ vault: Vault, on connection: Connection
  ) throws -> Path {
    "/invitation/\(try make(.handedOut, for: person, at: now, vault, on: connection).text)"
  }

  private static func make(
    _ kind: Kind, for person: ID<Person>, lasting: Seconds = lifetime, at now: Instant,
    _ vault: Vault, on connection: Connection
  ) throws -> Token {
    let token = Token.random()
    let expiry = now + lasting
    let seal = vault.accountSeal.code(ofLink: token, for: person, until: expiry, as: kind)
    if kind != .mailed { try forget(of: person, on: connection) }
    try connection.run(
      """
      INSERT INTO password_links (token_hash, person, expires_at, seal, kind)
      VALUES (\(token.hash), \(person), \(expiry), \(seal), \(kind.rawValue))
      """)
    return token
  }

  /// A link that sets a password.
  package struct Reset {
    package let person: ID<Person>
    let kind: Kind

    package var endsSecondFactor: Bool { kind == .endingSecondFactor }
  }

  /// Returns the password link of this token; nil for an invitation and for a link that is no
  /// longer valid.
  package static func reset(
    by text: String?, at now: Instant, _ vault: Vault, on connection: Connection
  ) throws -> Reset? {
    try link(of: text, at: now, vault, "IN", on: connection)
  }

  /// Returns the person invited by this token; nil if it is no longer valid or the person already
  /// has an account.
  package static func invited(
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
      SELECT person, expires_at, seal, kind FROM password_links
      WHERE token_hash = \(token.hash) AND expires_at > \(now) AND expires_at <= \(latest(now))
        AND person \(accounts) (SELECT person FROM accounts)
      """
    ) { row in
      (
        person: row.id(0) as ID<Person>, expiry: row.instant(1), seal: row.bytes(2),
        kind: Kind(rawValue: row.string(3))
      )
    }
    guard let link, let kind = link.kind,
      isGenuine(link.seal, token, for: link.person, until: link.expiry, as: kind, vault)
    else { return nil }
    return Reset(person: link.person, kind: kind)
  }

  /// Returns the latest time until which a link of this person works; nil if there is none.
  package static func expiry(
    for person: ID<Person>, at now: Instant, on connection: Connection
  ) throws -> Instant? {
    try connection.row(
      """
      SELECT expires_at FROM password_links
      WHERE person = \(person) AND expires_at > \(now) AND expires_at <= \(latest(now))
      ORDER BY expires_at DESC LIMIT 1
      """
    ) { $0.instant(0) }
  }

  /// Deletes all links of this person.
  package static func forget(of person: ID<Person>, on connection: Connection) throws {
    try connection.run("DELETE FROM password_links WHERE person = \(person)")
  }

  /// Deletes the links that were sent to the person's e-mail address.
  static func forgetMailed(to person: ID<Person>, on connection: Connection) throws {
    try connection.run(
      """
      DELETE FROM password_links WHERE person = \(person) AND kind = \(Kind.mailed.rawValue)
      """)
  }

  package static func purge(at now: Instant, on connection: Connection) throws {
    for table in ["setup_links", "password_links"] as [SQL] {
      try connection.run(
        "DELETE FROM \(table) WHERE expires_at <= \(now) OR expires_at > \(latest(now))")
    }
  }

  /// Returns the latest end of a link that was made by now; a later one was made while the clock
  /// was ahead.
  private static func latest(_ now: Instant) -> Instant { now + lifetime + .clockLead }
}
