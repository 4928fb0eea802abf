import PolyclinicCore

/// Whether e-mails may go to somebody, and where.
enum MailAddressState {
  /// The portal sends none.
  case withoutMail
  /// The address in the profile is of a kind that cannot be written to.
  case unusable(String)
  /// Not yet confirmed by the owner of the profile.
  case unconfirmed(MailAddress)
  case confirmed(MailAddress)

  init(of keys: Keys, _ front: Front, on connection: Connection) throws {
    guard front.site.mail != nil, let profile = try Profile.find(by: keys, on: connection) else {
      self = .withoutMail
      return
    }
    guard let address = MailAddress(profile.email) else {
      self = .unusable(profile.email)
      return
    }
    let hash = AddressConfirmation.hash(address, front.vault)
    let isConfirmed = try AddressConfirmation.isConfirmed(hash, of: keys.person, on: connection)
    self = isConfirmed ? .confirmed(address) : .unconfirmed(address)
  }

  var confirmed: MailAddress? {
    if case .confirmed(let address) = self { address } else { nil }
  }
}

/// Proves by a link that somebody reads what is sent to the address in their profile.
///
/// What is kept is an HMAC of the address that was confirmed: when another stands in the profile,
/// it does not fit any more, and that one is to be confirmed.
enum AddressConfirmation {
  /// How long a link works.
  static let lifetime = Seconds.hours(24)
  /// How soon another link is sent.
  static let pause = Seconds.minutes(2)
  /// How many are sent in ``lifetime``, by one person and to one address: it may be that of somebody else,
  /// who is not to be flooded, from however many accounts.
  static let limit = 5

  static func hash(_ address: MailAddress, _ vault: Vault) -> [UInt8] {
    vault.lookup("mail-address", address.text.lowercased())
  }

  static func isConfirmed(
    _ hash: [UInt8], of person: ID<Person>, on connection: Connection
  ) throws -> Bool {
    try connection.integer(
      "SELECT 1 FROM notifications_addresses WHERE person = \(person) AND address = \(hash)") != nil
  }

  /// A new address of the portal that confirms; throws ``Refusal/tooMany(retryAfter:)``.
  static func makeLink(
    for person: ID<Person>, _ hash: [UInt8], at now: Instant, on connection: Connection
  ) throws -> Path {
    let sent: [Instant] = try connection.rows(
      """
      SELECT sent_at FROM notifications_links
      WHERE (person = \(person) OR address = \(hash)) AND sent_at > \(now - lifetime)
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
    return "/notifications/confirm/\(token.text)"
  }

  /// What a link confirms.
  private struct Link {
    let person: ID<Person>
    let address: [UInt8]
  }

  /// Whether a link works: for a day, and while the address that it was sent to stands in the profile.
  static func works(
    _ text: String?, _ front: Front, at now: Instant, on connection: Connection
  ) throws -> Bool {
    try find(text, front, at: now, on: connection) != nil
  }

  private static func find(
    _ text: String?, _ front: Front, at now: Instant, on connection: Connection
  ) throws -> Link? {
    guard let token = text.flatMap(Token.init) else { return nil }
    let link = try connection.row(
      """
      SELECT person, address FROM notifications_links
      WHERE token_hash = \(token.hash) AND sent_at > \(now - lifetime)
      """
    ) { Link(person: $0.id(0), address: $0.bytes(1)) }
    guard let link, let keys = try KeyCabinet(front.vault).keys(of: link.person, on: connection),
      let profile = try Profile.find(by: keys, on: connection),
      let address = MailAddress(profile.email), hash(address, front.vault) == link.address
    else { return nil }
    return link
  }

  /// Confirms the address that the link was sent to, uses up all links of its person, and returns the
  /// person; nil when it does not work any more.
  static func confirm(
    by text: String?, _ front: Front, at now: Instant, on connection: Connection
  ) throws -> ID<Person>? {
    guard let link = try find(text, front, at: now, on: connection) else { return nil }
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

  /// Tells whoever reads the address that is confirmed until now that another is about to take its place
  /// in the profile; nobody else would be told where somebody else does it.
  static func tellFormer(
    of keys: Keys, _ front: Front, at now: Instant, on connection: Connection
  ) throws {
    let former = try MailAddressState(of: keys, front, on: connection).confirmed
    guard let former else { return }
    let clinic = ["clinic": front.site.clinic.name]
    try QueuedMail(
      id: [UInt8].random(16).hexadecimalText, recipient: former.text,
      subject: Text("mail.moved.subject", clinic).spoken(by: NotificationsModule.moduleID),
      body: Text("mail.moved.body", clinic).spoken(by: NotificationsModule.moduleID),
      path: "/account"
    ).insert(expires: nil, by: keys, at: now, on: connection)
  }

  static func purge(at now: Instant, on connection: Connection) throws {
    try connection.run("DELETE FROM notifications_links WHERE sent_at <= \(now - lifetime)")
  }
}
