import PolyclinicCore

/// A link for a new password, sent by e-mail to somebody who has forgotten the present one.
///
/// The request only notes what was typed, so that answer and time say nothing of who has an account; the job that sends
/// e-mails looks it up. Only an address that its owner has confirmed gets a link: any other may be a stranger's.
enum ForgottenPassword {
  /// The time for which the link works.
  static let lifetime = Seconds.hours(1)
  /// The most links that one account is sent in ``lifetime``.
  static let limit = 3
  /// The most accounts of one address that are sent a link each.
  private static let accountLimit = 10

  static let migration = Migration(
    "0017-forgotten-passwords",
    """
    CREATE TABLE forgotten_passwords (
      id_request \(.identity),
      sealed \(.bytes) NOT NULL
    ) \(.strict)
    """,
    """
    CREATE TABLE password_mails (
      person \(.person),
      sent_at \(.integer) NOT NULL
    ) \(.strict)
    """,
    "CREATE INDEX password_mails_person ON password_mails (person, sent_at)")

  private static let name: StaticString = "forgotten_passwords.sealed"

  /// Notes a login or an e-mail that was typed.
  static func note(_ typed: String, _ vault: Vault, on connection: Connection) throws {
    let row: ID<Void> = try connection.insert(
      "INSERT INTO forgotten_passwords (sealed) VALUES (\([UInt8]()))")
    // As long for each: the length would tell a short address from a long one.
    let padded = Array(typed.utf8).prefix(1_016)
    var bytes = ByteWriter()
    bytes.write(padded)
    bytes.write([UInt8](repeating: 0, count: 1_016 - padded.count))
    let sealed = try vault.portalKeys.seal(bytes.bytes, as: name, row: row.rawValue)
    try connection.run(
      "UPDATE forgotten_passwords SET sealed = \(sealed) WHERE id_request = \(row)")
  }

  /// Puts an e-mail with a link in line for each account that was meant, request after request.
  static func answerAll(_ front: Front, at now: Instant) throws {
    while try isAnyWaiting(front) {
      try front.database.write { try answerNext(front, at: now, on: $0) }
    }
  }

  /// In a transaction that only reads: it is asked every few seconds, and nearly always in vain.
  private static func isAnyWaiting(_ front: Front) throws -> Bool {
    try front.database.read {
      try $0.integer("SELECT 1 FROM forgotten_passwords LIMIT 1") != nil
    }
  }

  private static func answerNext(
    _ front: Front, at now: Instant, on connection: Connection
  ) throws {
    let next = try connection.row(
      "SELECT id_request, sealed FROM forgotten_passwords ORDER BY id_request LIMIT 1"
    ) { (ID<Void>(Int64($0.int(0))), $0.sealed(1)) }
    guard let (row, sealed) = next else { return }
    try connection.run("DELETE FROM forgotten_passwords WHERE id_request = \(row)")
    do {
      var bytes = ByteReader(
        try front.vault.portalKeys.open(sealed, as: name, row: row.rawValue))
      let typed = try bytes.string()
      for person in try people(typed, front.vault, on: connection) {
        try send(to: person, front, at: now, on: connection)
      }
    } catch is UnsealingError {
      // Written by something else than the portal: nobody has asked.
    }
  }

  /// The person of a login, or those who have confirmed an e-mail address.
  private static func people(
    _ typed: String, _ vault: Vault, on connection: Connection
  ) throws -> [ID<Person>] {
    guard typed.contains("@") else {
      return try Account.find(typed, vault, on: connection).map { [$0.person] } ?? []
    }
    guard let address = MailAddress(typed) else { return [] }
    return try connection.rows(
      """
      SELECT person FROM notifications_addresses
      WHERE address = \(AddressConfirmation.hash(address, vault)) ORDER BY person
      LIMIT \(accountLimit)
      """
    ) { $0.id(0) }
  }

  private static func send(
    to person: ID<Person>, _ front: Front, at now: Instant, on connection: Connection
  ) throws {
    let sent = try connection.integer(
      """
      SELECT count(*) FROM password_mails
      WHERE person = \(person) AND sent_at > \(now - lifetime)
      """)
    guard (sent ?? 0) < limit,
      let account = try Account.find(person, on: connection), account.state == .active,
      try account.isGenuine(front.vault, on: connection),
      let keys = try KeyCabinet(front.vault).keys(of: person, on: connection),
      let profile = try Profile.find(by: keys, on: connection),
      let address = try MailAddressState(of: keys, front, on: connection).confirmed
    else { return }
    let link = try OneTimeLink.makeReset(
      for: person, lasting: lifetime, at: now, front.vault, on: connection)
    let named = ["clinic": front.site.clinic.name, "login": profile.login]
    try QueuedMail(
      id: [UInt8].random(16).hexadecimalText, recipient: address.text,
      subject: Text("mail.forgotten.subject", named).spoken(by: NotificationsModule.moduleID),
      body: Text("mail.forgotten.body", named).spoken(by: NotificationsModule.moduleID),
      path: link
    ).insert(expires: now + lifetime, by: keys, at: now, on: connection)
    try connection.run(
      "INSERT INTO password_mails (person, sent_at) VALUES (\(person), \(now))")
  }

  static func purge(at now: Instant, on connection: Connection) throws {
    try connection.run("DELETE FROM password_mails WHERE sent_at <= \(now - lifetime)")
  }
}
