import Logging
import PolyclinicCore

/// Hands the e-mails that are due to the configured command, one after another; the `jobs` process
/// runs it.
struct Outbox {
  /// How often it is looked whether something is due.
  static let interval = Seconds.seconds(10)
  /// The longest that one run goes on: other jobs wait meanwhile.
  static let turn = Duration.seconds(60)
  /// After so many attempts, the last some four hours after the first, a message is given up.
  static let attemptLimit = 9
  /// After this long nobody is handing over what was claimed: the process has died.
  static let claimLimit = Seconds.minutes(10)

  let front: Front
  let mail: OutgoingMail
  let log: Logger

  /// Sends what is due, and returns when it is to be looked again.
  func run(at now: Instant) throws -> Instant {
    try ForgottenPassword.answerAll(front, at: now)
    try dropAbandoned(at: now)
    let end = ContinuousClock.now + Self.turn
    while try isDue(at: front.clock()) {
      guard ContinuousClock.now < end else { return now }
      guard let claim = try claim(at: front.clock()) else { continue }
      do {
        try mail.command.send(claim.message.bytes)
        try front.database.write { connection in
          try delete(claim.row, on: connection)
          try MailTrouble.end(on: connection)
        }
      } catch let failure as MailFailure {
        try postpone(claim, failure, at: front.clock())
      }
    }
    return now + Self.interval
  }

  private func isDue(at now: Instant) throws -> Bool {
    try front.database.read {
      try $0.integer(
        "SELECT 1 FROM notifications_mail WHERE due_at <= \(now) AND claimed_at IS NULL LIMIT 1")
    } != nil
  }

  /// A message that this process, and no other, is to hand over.
  private struct Claim {
    let row: ID<QueuedMail>
    let attempts: Int
    let message: MailMessage
  }

  /// Claims the message that is due for longest, in a transaction of its own, before it is handed
  /// over: of several processes one gets it. Nil when there is none, or it is not to be sent any more.
  ///
  /// A process that dies between claim and answer leaves it unknown whether the message went out; it
  /// is not sent again then. Being told twice to come, or once too late, does more harm than an
  /// e-mail that is missing: all that it says stands in the inbox.
  private func claim(at now: Instant) throws -> Claim? {
    try front.database.write { connection in
      let found = try connection.row(
        """
        UPDATE notifications_mail SET claimed_at = \(now), attempts = attempts + 1
        WHERE id_mail = (SELECT id_mail FROM notifications_mail
          WHERE due_at <= \(now) AND claimed_at IS NULL ORDER BY due_at, id_mail LIMIT 1)
        RETURNING id_mail, person, sealed, attempts, expires_at
        """
      ) { row in
        let expires: Instant? = row.isNull(4) ? nil : row.instant(4)
        return (
          row: ID<QueuedMail>(Int64(row.int(0))), person: ID<Person>(Int64(row.int(1))),
          sealed: row.sealed(2), attempts: row.int(3), isLate: expires.map { $0 <= now } ?? false
        )
      }
      guard let found else { return nil }
      guard !found.isLate,
        let keys = try KeyCabinet(front.vault).keys(of: found.person, on: connection)
      else {
        try delete(found.row, on: connection)
        return nil
      }
      guard let queued = opened(found.sealed, found.row, by: keys),
        let message = try message(queued, keys, at: now, on: connection)
      else {
        try delete(found.row, on: connection)
        return nil
      }
      return Claim(row: found.row, attempts: found.attempts, message: message)
    }
  }

  /// Nil for one that is damaged, or that a later release has queued: it must not hold up all others.
  private func opened(_ sealed: Sealed, _ row: ID<QueuedMail>, by keys: Keys) -> QueuedMail? {
    do { return try QueuedMail(opening: sealed, id: row, by: keys) } catch {
      log.error("an e-mail does not open and is given up", metadata: ["mail": "\(row)"])
      return nil
    }
  }

  /// The message in its reader's language; nil where the address is not confirmed any more.
  private func message(
    _ queued: QueuedMail, _ keys: Keys, at now: Instant, on connection: Connection
  ) throws -> MailMessage? {
    let address: MailAddress?
    if queued.recipient.isEmpty {
      address = try MailAddressState(of: keys, front, on: connection).confirmed
    } else {
      address = MailAddress(queued.recipient)
    }
    guard let address else { return nil }
    let site = front.site
    let language =
      try Account.language(of: keys.person, on: connection) ?? site.clinic.defaultLanguage
    let words = MailWords(front: front, language: language)
    return MailMessage(
      from: mail.from, to: address, subject: words.text(queued.subject),
      body: words.body(of: queued), attachment: queued.attachment,
      id: "\(queued.id)@\(site.origin.host)", date: now, language: language)
  }

  private func delete(_ row: ID<QueuedMail>, on connection: Connection) throws {
    try connection.run("DELETE FROM notifications_mail WHERE id_mail = \(row)")
  }

  /// The command has not taken it: it is tried again after a minute, then two, and so on.
  private func postpone(_ claim: Claim, _ failure: MailFailure, at now: Instant) throws {
    let isGivenUp = claim.attempts >= Self.attemptLimit
    try front.database.write { connection in
      try MailTrouble.begin(at: now, on: connection)
      if isGivenUp { return try delete(claim.row, on: connection) }
      let pause = Seconds.minutes(1 << (claim.attempts - 1))
      try connection.run(
        """
        UPDATE notifications_mail SET claimed_at = NULL, due_at = \(now + pause)
        WHERE id_mail = \(claim.row)
        """)
    }
    log.error(
      isGivenUp ? "an e-mail was given up" : "an e-mail was not taken",
      metadata: ["attempt": "\(claim.attempts)", "reason": "\(failure)"])
  }

  private func dropAbandoned(at now: Instant) throws {
    let before = now - Self.claimLimit
    let abandoned = try front.database.read {
      try $0.integer("SELECT 1 FROM notifications_mail WHERE claimed_at <= \(before) LIMIT 1")
    }
    guard abandoned != nil else { return }
    let count = try front.database.write {
      try $0.run("DELETE FROM notifications_mail WHERE claimed_at <= \(before)")
    }
    log.error("e-mails may not have gone out", metadata: ["count": "\(count)"])
  }
}

/// The way of e-mails out of the house, as the configuration has it.
struct OutgoingMail: Sendable {
  var command: MailCommand
  let from: Mailbox

  init?(_ configured: Configuration.Mail) {
    guard let command = MailCommand(configured.command), let from = Mailbox(configured.from) else {
      return nil
    }
    self.command = command
    self.from = from
  }
}
