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
    let confirmation = AddressConfirmation(
      person: keys.person, address: address.hash(by: server.vault))
    self = try confirmation.isStored(on: connection) ? .confirmed(address) : .unconfirmed(address)
  }

  var confirmed: MailAddress? {
    if case .confirmed(let address) = self { address } else { nil }
  }
}

/// The confirmation, with a link, that a person receives e-mails at the address in their profile.
///
/// The database keeps an HMAC of the confirmed address. If the address in the profile changes, the
/// HMAC no longer matches and the new address must be confirmed.
struct AddressConfirmation {
  let person: ID<Person>
  /// The HMAC of the address.
  let address: [UInt8]

  /// The time for which a link is valid.
  static let lifetime = Seconds.hours(24)

  /// True if the person has confirmed the address.
  fileprivate func isStored(on connection: Connection) throws -> Bool {
    try connection.integer(
      "SELECT 1 FROM notifications_addresses WHERE person = \(person) AND address = \(address)"
    ) != nil
  }

  /// Creates a confirmation link and returns its path. Throws ``Refusal/tooMany(retryAfter:)`` if
  /// one was sent a moment ago or too many were sent.
  func makeLink(in work: Work) throws -> Path {
    try MessageLimit.link.count(to: address, of: person, in: work)
    let token = Token.random()
    try work.run(
      """
      INSERT INTO notifications_links (token_hash, person, address, sent_at)
      VALUES (\(token.hash), \(person), \(address), \(work.now))
      """)
    return ConfirmationPage.path(token.text)
  }

  /// Sends a confirmation link to the address in the person's profile, unless it is confirmed
  /// already. The link leads on to `next` if that is given. Returns the security event; nil if
  /// nothing was sent.
  ///
  /// Throws ``Refusal/tooMany(retryAfter:)`` if one was sent a moment ago or too many were sent.
  static func send(
    next: Path? = nil, _ server: ServerContext, in work: Work
  ) throws -> SecurityEvent? {
    let keys = try work.keys
    guard case .unconfirmed(let address) = try MailAddressState(of: keys, server, on: work) else {
      return nil
    }
    let link = try AddressConfirmation(
      person: keys.person, address: address.hash(by: server.vault)
    ).makeLink(in: work)
    try QueuedMail(
      "confirm", to: address, ["clinic": server.site.clinic.name],
      leadingTo: next.map { link.query(["next": $0.description]) } ?? link
    ).insert(expires: work.now + lifetime, in: work)
    return SecurityEvent(.linkMade, of: keys.person, ["purpose": "e-mail"])
  }

  /// Stores the confirmation and deletes all links of the person.
  func store(in work: Work) throws {
    try work.run(
      """
      INSERT INTO notifications_addresses (person, address, confirmed_at)
      VALUES (\(person), \(address), \(work.now))
      ON CONFLICT (person) DO UPDATE
        SET address = excluded.address, confirmed_at = excluded.confirmed_at
      """)
    try work.run("DELETE FROM notifications_links WHERE person = \(person)")
  }

  /// Sends an e-mail to the confirmed address when another address replaces it in the profile.
  /// Otherwise its owner would not learn of a change made by an attacker.
  static func tellFormer(_ server: ServerContext, in work: Work) throws {
    guard let former = try MailAddressState(of: work.keys, server, on: work).confirmed else {
      return
    }
    let clinic = ["clinic": server.site.clinic.name]
    try QueuedMail("moved", to: former, clinic, leadingTo: "/account")
      .insert(expires: nil, in: work)
  }

  static func purge(at now: Instant, on connection: Connection) throws {
    try connection.run(
      """
      DELETE FROM notifications_links
      WHERE sent_at <= \(now - lifetime) OR sent_at > \(now + .clockLead)
      """)
  }
}

extension AddressConfirmation {
  /// The confirmation to which a link leads. Nil unless the link is valid: for a day, and while its
  /// address is still in the profile.
  init?(linkOf text: String?, _ server: ServerContext, in work: Work) throws {
    guard let token = text.flatMap(Token.init) else { return nil }
    let link = try work.row(
      """
      SELECT person, address FROM notifications_links
      WHERE token_hash = \(token.hash) AND sent_at > \(work.now - Self.lifetime)
        AND sent_at <= \(work.now + .clockLead)
      """
    ) { AddressConfirmation(person: $0.id(0), address: $0.bytes(1)) }
    guard let link,
      let keys = try KeyStore(server.vault).unloggedKeys(of: link.person, on: work),
      let profile = try Profile.find(by: keys, on: work),
      MailAddress(profile.email)?.hash(by: server.vault) == link.address
    else { return nil }
    self = link
  }
}
