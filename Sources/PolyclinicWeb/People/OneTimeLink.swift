import PolyclinicCore
import PolyclinicVault

/// A link that works once. It sets up the first administrator, sets a new password, or creates an
/// account for a person without one.
package struct OneTimeLink {
  let token: Token
  /// Nil for the link of the first administrator.
  var person: ID<Person>?
  let expiry: Instant
  /// Nil for the link of the first administrator.
  var kind: Kind?

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
    let link = OneTimeLink(token: .random(), expiry: now + lifetime)
    try connection.run("DELETE FROM setup_links")
    try connection.run(
      """
      INSERT INTO setup_links (token_hash, expires_at, seal)
      VALUES (\(link.token.hash), \(link.expiry), \(vault.accountSeal.code(of: link)))
      """)
    return "/setup/\(link.token.text)"
  }

  /// True if the setup link is valid. It is invalid once an administrator exists.
  package static func isSetup(_ text: String?, _ vault: Vault, in work: Work) throws -> Bool {
    guard let token = text.flatMap(Token.init), try !Account.isAdministrated(on: work) else {
      return false
    }
    let now = work.now
    let link = try work.row(
      """
      SELECT expires_at, seal FROM setup_links
      WHERE token_hash = \(token.hash) AND expires_at > \(now) AND expires_at <= \(latest(now))
      """
    ) { (OneTimeLink(token: token, expiry: $0.instant(0)), seal: $0.bytes(1)) }
    return link.map { $0.isGenuine(seal: $1, vault) } ?? false
  }

  /// True if the portal sealed the link. Otherwise anyone who can write to the database could set
  /// any password.
  private func isGenuine(seal: [UInt8], _ vault: Vault) -> Bool {
    vault.accountSeal.code(of: self).isSame(as: seal)
  }

  /// Uses up the setup link. Returns false if it is no longer valid.
  package static func useSetup(_ text: String?, _ vault: Vault, in work: Work) throws -> Bool {
    guard try isSetup(text, vault, in: work) else { return false }
    return try work.runCounting("DELETE FROM setup_links") > 0
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
    let link = OneTimeLink(token: .random(), person: person, expiry: now + lasting, kind: kind)
    try link.store(vault, on: connection)
    return "/reset/\(link.token.text)"
  }

  /// Creates a link with which a person without an account gets one. Earlier ones become invalid.
  package static func makeInvitation(
    for person: ID<Person>, _ vault: Vault, in work: Work
  ) throws -> Path {
    let link = OneTimeLink(
      token: .random(), person: person, expiry: work.now + lifetime, kind: .handedOut)
    try link.store(vault, on: work)
    return "/invitation/\(link.token.text)"
  }

  private func store(_ vault: Vault, on connection: Connection) throws {
    if kind != .mailed, let person { try Self.forget(of: person, on: connection) }
    try connection.run(
      """
      INSERT INTO password_links (token_hash, person, expires_at, seal, kind)
      VALUES (\(token.hash), \(person), \(expiry), \(vault.accountSeal.code(of: self)),
        \(kind?.rawValue))
      """)
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
    by text: String?, _ vault: Vault, in work: Work
  ) throws -> Reset? {
    guard let found = try find(text, vault, in: work), found.hasAccount else { return nil }
    return Reset(person: found.person, kind: found.kind)
  }

  /// Returns the person invited by this token; nil if it is no longer valid or the person already
  /// has an account.
  package static func invited(
    by text: String?, _ vault: Vault, in work: Work
  ) throws -> ID<Person>? {
    guard let found = try find(text, vault, in: work), !found.hasAccount else { return nil }
    return found.person
  }

  private static func find(
    _ text: String?, _ vault: Vault, in work: Work
  ) throws -> (person: ID<Person>, kind: Kind, hasAccount: Bool)? {
    guard let token = text.flatMap(Token.init) else { return nil }
    let now = work.now
    let found = try work.row(
      """
      SELECT person, expires_at, seal, kind, person IN (SELECT person FROM accounts)
      FROM password_links
      WHERE token_hash = \(token.hash) AND expires_at > \(now) AND expires_at <= \(latest(now))
      """
    ) { row in
      let kind = Kind(rawValue: row.string(3))
      return (
        OneTimeLink(token: token, person: row.id(0), expiry: row.instant(1), kind: kind),
        seal: row.bytes(2), hasAccount: row.bool(4)
      )
    }
    guard let (link, seal, hasAccount) = found, link.isGenuine(seal: seal, vault),
      let person = link.person, let kind = link.kind
    else { return nil }
    return (person, kind, hasAccount)
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
