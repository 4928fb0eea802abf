import PolyclinicCore
import PolyclinicVault
import PolyclinicWeb

/// Sends a link for a new password to people who have forgotten theirs.
///
/// - The request only stores the typed text, so that neither the response nor its time reveals
///   accounts. The e-mail job looks the account up.
/// - Only a confirmed address gets a link, because any other may be a stranger's.
/// - A link leaves earlier ones valid, because a stranger may have asked for it. The first one used
///   ends them all.
package struct ForgottenPassword {
  let server: ServerContext

  /// The time for which the link is valid.
  static let lifetime = Seconds.hours(1)
  /// The most links sent to one account within ``lifetime``.
  static let limit = 3
  /// The most accounts with the same address that get a link.
  private static let accountLimit = 10

  static let schema: [SQL] = [
    """
    CREATE TABLE forgotten_passwords (
      id_request \(.identity),
      sealed \(.bytes) NOT NULL
    ) \(.strict)
    """,
    """
    CREATE TABLE password_mails (
      id_password_mail \(.identity),
      person \(.person),
      sent_at \(.integer) NOT NULL
    ) \(.strict)
    """,
    "CREATE INDEX password_mails_person ON password_mails (person, sent_at)",
  ]

  private static let name: StaticString = "forgotten_passwords.sealed"

  /// Stores the login or e-mail that was typed.
  static func note(_ typed: String, _ vault: Vault, on connection: Connection) throws {
    let row: ID<Void> = try connection.insert(
      "INSERT INTO forgotten_passwords (sealed) VALUES (\([UInt8]()))")
    // Padded to a fixed length, because the length would reveal how long the address is.
    let padded = Array(typed.utf8).prefix(1_016)
    var bytes = ByteWriter()
    bytes.write(padded)
    bytes.write([UInt8](repeating: 0, count: 1_016 - padded.count))
    let sealed = try vault.portalKeys.seal(bytes.bytes, as: name, row: row.rawValue)
    try connection.run(
      "UPDATE forgotten_passwords SET sealed = \(sealed) WHERE id_request = \(row)")
  }

  /// Queues an e-mail with a link for each account that matches a stored request, one request at a
  /// time.
  func answerAll(at now: Instant) throws {
    while try isAnyWaiting {
      try server.database.write { try answerNext(in: Work(at: now, on: $0)) }
    }
  }

  /// Uses a read transaction, because this runs every few seconds and almost never finds a request.
  private var isAnyWaiting: Bool {
    get throws {
      try server.database.read {
        try $0.integer("SELECT 1 FROM forgotten_passwords LIMIT 1") != nil
      }
    }
  }

  private func answerNext(in work: Work) throws {
    let next = try work.row(
      "SELECT id_request, sealed FROM forgotten_passwords ORDER BY id_request LIMIT 1"
    ) { (ID<Void>(Int64($0.int(0))), $0.sealed(1)) }
    guard let (row, sealed) = next else { return }
    try work.run("DELETE FROM forgotten_passwords WHERE id_request = \(row)")
    do {
      var bytes = ByteReader(
        try server.vault.portalKeys.open(sealed, as: Self.name, row: row.rawValue))
      for person in try people(bytes.string(), on: work) { try send(to: person, in: work) }
    } catch is UnsealingError {
      // Not written by the portal, so there is no request to answer.
    }
  }

  /// Returns the person with this login, or the people who have confirmed this e-mail address.
  private func people(_ typed: String, on connection: Connection) throws -> [ID<Person>] {
    guard typed.contains("@") else {
      return try Account.find(typed, server.vault, on: connection).map { [$0.person] } ?? []
    }
    guard let address = MailAddress(typed) else { return [] }
    return try connection.rows(
      """
      SELECT person FROM notifications_addresses
      WHERE address = \(address.hash(by: server.vault)) ORDER BY person
      LIMIT \(Self.accountLimit)
      """
    ) { $0.id(0) }
  }

  private func send(to person: ID<Person>, in work: Work) throws {
    let (now, lifetime) = (work.now, Self.lifetime)
    let sent = try work.integer(
      """
      SELECT count(*) FROM password_mails
      WHERE person = \(person) AND sent_at > \(now - lifetime) AND sent_at <= \(now)
      """)
    guard (sent ?? 0) < Self.limit,
      let account = try Account.find(person, on: work), account.state == .active,
      account.isGenuine(server.vault),
      let keys = try KeyStore(server.vault).unloggedKeys(of: person, on: work),
      let profile = try Profile.find(by: keys, on: work),
      let address = try MailAddressState(of: keys, server, on: work).confirmed
    else { return }
    let link = try OneTimeLink.makeReset(
      for: person, as: .mailed, lasting: lifetime, at: now, server.vault, on: work)
    let named = ["clinic": server.site.clinic.name, "login": profile.login]
    try QueuedMail("forgotten", to: address, named, leadingTo: link)
      .insert(expires: now + lifetime, in: work.with(keys))
    try work.run("INSERT INTO password_mails (person, sent_at) VALUES (\(person), \(now))")
  }

  /// Deletes all requests that wait for an answer.
  package static func forgetAll(on connection: Connection) throws {
    try connection.run("DELETE FROM forgotten_passwords")
  }

  static func purge(at now: Instant, on connection: Connection) throws {
    try connection.run("DELETE FROM password_mails WHERE sent_at <= \(now - lifetime)")
  }
}
