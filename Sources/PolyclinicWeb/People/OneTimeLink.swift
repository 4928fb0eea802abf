import PolyclinicCore
import PolyclinicVault

/// Links that work once. They set up the first administrator, set a new password, or create an
/// account for a person without one.
package enum OneTimeLink {
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
      WHERE token_hash = \(token.hash) AND expires_at > \(now)
      """
    ) { (expiry: $0.instant(0), seal: $0.optional(1, Row.bytes)) }
    guard let link else { return false }
    return try isGenuine(link.seal, token, for: nil, until: link.expiry, vault, on: connection)
  }

  /// True if the portal sealed the link. Otherwise anyone who can write to the database could set
  /// any password.
  private static func isGenuine(
    _ seal: [UInt8]?, _ token: Token, for person: ID<Person>?, until expiry: Instant,
    endingSecondFactor: Bool = false, _ vault: Vault, on connection: Connection
  ) throws -> Bool {
    let code = vault.accountSeal.code(
      ofLink: token, for: person, until: expiry, endingSecondFactor: endingSecondFactor)
    return try code.isSame(as: seal ?? []) || vault.acceptsUnsealed(on: connection)
  }

  /// Uses up the setup link. Returns false if it is no longer valid.
  package static func useSetup(
    _ text: String?, at now: Instant, _ vault: Vault, on connection: Connection
  ) throws -> Bool {
    guard try isSetup(text, at: now, vault, on: connection) else { return false }
    return try connection.run("DELETE FROM setup_links") > 0
  }

  /// Creates a link with which the person sets a password. Earlier ones become invalid.
  ///
  /// The link's page asks for the second factor, if there is one. With `endingSecondFactor` it
  /// removes the factor instead, for a person who has proved their identity at the clinic (ASVS
  /// 5.0, 6.4.4).
  package static func makeReset(
    for person: ID<Person>, endingSecondFactor: Bool = false, lasting: Seconds = lifetime,
    at now: Instant, _ vault: Vault, on connection: Connection
  ) throws -> Path {
    let token = try make(
      for: person, endingSecondFactor: endingSecondFactor, lasting: lasting, at: now, vault,
      on: connection)
    return "/reset/\(token.text)"
  }

  /// Creates a link with which a person without an account gets one. Earlier ones become invalid.
  package static func makeInvitation(
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

  /// A link that sets a password.
  package struct Reset {
    package let person: ID<Person>
    package let endsSecondFactor: Bool
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

  /// Returns the time until which a link of this person works; nil if there is none.
  package static func expiry(
    for person: ID<Person>, at now: Instant, on connection: Connection
  ) throws -> Instant? {
    try connection.row(
      "SELECT expires_at FROM password_links WHERE person = \(person) AND expires_at > \(now)"
    ) { $0.instant(0) }
  }

  /// Deletes all links of this person.
  package static func forget(of person: ID<Person>, on connection: Connection) throws {
    try connection.run("DELETE FROM password_links WHERE person = \(person)")
  }

  package static func purge(at now: Instant, on connection: Connection) throws {
    try connection.run("DELETE FROM setup_links WHERE expires_at <= \(now)")
    try connection.run("DELETE FROM password_links WHERE expires_at <= \(now)")
  }
}
