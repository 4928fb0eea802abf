import PolyclinicCore
import PolyclinicVault
import PolyclinicWeb

/// The state of a person's e-mail address: if and where the portal may send e-mails.
enum MailAddressState {
  /// The portal sends no e-mails.
  case withoutMail
  /// The address in the profile has a form that ``MailAddress`` does not support.
  case unusable(String)
  /// The address has not been confirmed yet.
  case unconfirmed(MailAddress)
  case confirmed(MailAddress)

  init(of keys: Keys, _ server: ServerContext, on connection: Connection) throws {
    guard server.site.sendsMail, let profile = try Profile.find(by: keys, on: connection) else {
      self = .withoutMail
      return
    }
    guard let address = MailAddress(profile.email) else {
      self = .unusable(profile.email)
      return
    }
    let hash = address.hash(by: server.vault)
    let isConfirmed = try AddressConfirmation.isConfirmed(hash, of: keys.person, on: connection)
    self = isConfirmed ? .confirmed(address) : .unconfirmed(address)
  }

  var confirmed: MailAddress? {
    if case .confirmed(let address) = self { address } else { nil }
  }
}

/// Confirms with a link that a person receives e-mails at the address in their profile.
///
/// The database keeps an HMAC of the confirmed address. If the address in the profile changes, the
/// HMAC no longer matches and the new address must be confirmed.
enum AddressConfirmation {
  /// The time for which a link is valid.
  static let lifetime = Seconds.hours(24)
  /// The shortest time between two links.
  static let pause = Seconds.minutes(2)
  /// The most links sent within ``lifetime`` by one person or to one address. An address may belong
  /// to a stranger, whom many accounts together must not flood.
  static let limit = 5

  static func isConfirmed(
    _ hash: [UInt8], of person: ID<Person>, on connection: Connection
  ) throws -> Bool {
    try connection.integer(
      "SELECT 1 FROM notifications_addresses WHERE person = \(person) AND address = \(hash)") != nil
  }

  /// Creates a confirmation link and returns its path. Throws ``Refusal/tooMany(retryAfter:)`` if
  /// one was sent a moment ago or too many were sent.
  static func makeLink(
    for person: ID<Person>, _ hash: [UInt8], at now: Instant, on connection: Connection
  ) throws -> Path {
    let sent: [Instant] = try connection.rows(
      """
      SELECT sent_at FROM notifications_links
      WHERE (person = \(person) OR address = \(hash)) AND sent_at > \(now - lifetime)
        AND sent_at <= \(now)
      ORDER BY sent_at DESC
      """
    ) { $0.instant(0) }
    if let latest = sent.first, latest > now - pause {
      throw Refusal.tooMany(retryAfter: latest + pause - now)
    }
    if sent.count >= limit, let earliest = sent.last {
      throw Refusal.tooMany(retryAfter: earliest + lifetime - now)
    }
    let token = Token.random()
    try connection.run(
      """
      INSERT INTO notifications_links (token_hash, person, address, sent_at)
      VALUES (\(token.hash), \(person), \(hash), \(now))
      """)
    return ConfirmationPage.path(token.text)
  }

  /// Sends a confirmation link to the address in the person's profile, unless it is confirmed
  /// already. The link leads on to `next` if that is given. Returns the security event; nil if
  /// nothing was sent.
  ///
  /// Throws ``Refusal/tooMany(retryAfter:)`` if one was sent a moment ago or too many were sent.
  static func send(
    to keys: Keys, next: Path? = nil, _ server: ServerContext, at now: Instant,
    on connection: Connection
  ) throws -> SecurityEvent? {
    guard case .unconfirmed(let address) = try MailAddressState(of: keys, server, on: connection)
    else { return nil }
    let link = try makeLink(
      for: keys.person, address.hash(by: server.vault), at: now, on: connection)
    try QueuedMail(
      "confirm", to: address, ["clinic": server.site.clinic.name],
      leadingTo: next.map { link.query(["next": $0.description]) } ?? link
    ).insert(expires: now + lifetime, by: keys, at: now, on: connection)
    return SecurityEvent(.linkMade, of: keys.person, ["purpose": "e-mail"])
  }

  /// True if the link is valid: for a day, and while its address is still in the profile.
  static func works(
    _ text: String?, _ server: ServerContext, at now: Instant, on connection: Connection
  ) throws -> Bool {
    try find(text, server, at: now, on: connection) != nil
  }

  /// Returns the person of a link that is valid, and the HMAC of its address.
  private static func find(
    _ text: String?, _ server: ServerContext, at now: Instant, on connection: Connection
  ) throws -> (person: ID<Person>, address: [UInt8])? {
    guard let token = text.flatMap(Token.init) else { return nil }
    let link = try connection.row(
      """
      SELECT person, address FROM notifications_links
      WHERE token_hash = \(token.hash) AND sent_at > \(now - lifetime)
        AND sent_at <= \(now + .clockLead)
      """
    ) { row -> (person: ID<Person>, address: [UInt8]) in (row.id(0), row.bytes(1)) }
    guard let link,
      let keys = try KeyStore(server.vault).unloggedKeys(of: link.person, on: connection),
      let profile = try Profile.find(by: keys, on: connection),
      MailAddress(profile.email)?.hash(by: server.vault) == link.address
    else { return nil }
    return link
  }

  /// Confirms the link's address and deletes all links of its person. Returns the person, or nil if
  /// the link is no longer valid.
  static func confirm(
    by text: String?, _ server: ServerContext, at now: Instant, on connection: Connection
  ) throws -> ID<Person>? {
    guard let link = try find(text, server, at: now, on: connection) else { return nil }
    try connection.run(
      """
      INSERT INTO notifications_addresses (person, address, confirmed_at)
      VALUES (\(link.person), \(link.address), \(now))
      ON CONFLICT (person) DO UPDATE
        SET address = excluded.address, confirmed_at = excluded.confirmed_at
      """)
    try connection.run("DELETE FROM notifications_links WHERE person = \(link.person)")
    return link.person
  }

  /// Sends an e-mail to the confirmed address when another address replaces it in the profile.
  /// Otherwise its owner would not learn of a change made by an attacker.
  static func tellFormer(
    of keys: Keys, _ server: ServerContext, at now: Instant, on connection: Connection
  ) throws {
    guard let former = try MailAddressState(of: keys, server, on: connection).confirmed else {
      return
    }
    let clinic = ["clinic": server.site.clinic.name]
    try QueuedMail("moved", to: former, clinic, leadingTo: "/account")
      .insert(expires: nil, by: keys, at: now, on: connection)
  }

  static func purge(at now: Instant, on connection: Connection) throws {
    try connection.run(
      """
      DELETE FROM notifications_links
      WHERE sent_at <= \(now - lifetime) OR sent_at > \(now + .clockLead)
      """)
  }
}
