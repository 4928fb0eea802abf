import Logging
import PolyclinicCore
import PolyclinicWeb

/// Sends due e-mails with the configured command, one at a time. The `jobs` process runs it.
package struct Outbox {
  /// The time between two checks for due e-mails.
  static let interval = Seconds.seconds(10)
  /// The longest duration of one run, because other jobs wait for it.
  static let turn = Duration.seconds(60)
  /// The number of attempts before a message is given up, some four hours after the first one.
  static let attemptLimit = 9
  /// The time after which a claimed message is abandoned, because the process that claimed it must
  /// have died.
  static let claimLimit = Seconds.minutes(10)

  package let server: ServerContext
  package let mail: OutgoingMail
  package let log: Logger

  package init(server: ServerContext, mail: OutgoingMail, log: Logger) {
    self.server = server
    self.mail = mail
    self.log = log
  }

  /// Sends all due e-mails and returns the time of the next run.
  package func run(at now: Instant) throws -> Instant {
    try ForgottenPassword(server: server).answerAll(at: now)
    try dropAbandoned(at: now)
    let end = ContinuousClock.now + Self.turn
    while try isDue(at: server.clock()) {
      guard ContinuousClock.now < end else { return now }
      let claim: Claim
      switch try claimNext(at: server.clock()) {
      case .message(let message): claim = message
      case .dropped: continue
      case .unreadable(let row):
        log.error("an e-mail does not open and is given up", metadata: ["mail": "\(row)"])
        continue
      }
      do {
        try mail.command.send(claim.message.bytes)
        try server.database.write { connection in
          try delete(claim.row, on: connection)
          try MailOutage.end(on: connection)
        }
      } catch let failure as MailFailure {
        try postpone(claim, failure, at: server.clock())
      }
    }
    return now + Self.interval
  }

  private func isDue(at now: Instant) throws -> Bool {
    try server.database.read {
      try $0.integer(
        "SELECT 1 FROM notifications_mail WHERE \(Self.due(at: now)) AND claimed_at IS NULL LIMIT 1"
      )
    } != nil
  }

  /// Returns the condition of a message that is due, also if the clock was ahead when it was queued
  /// or postponed.
  private static func due(at now: Instant) -> SQL {
    "(due_at <= \(now) OR due_at > \(now + pause(after: attemptLimit)))"
  }

  /// Returns the delay of the retry after this many attempts, which doubles from one minute.
  private static func pause(after attempts: Int) -> Seconds { .minutes(1 << (attempts - 1)) }

  /// A message that this process alone may send.
  private struct Claim {
    let row: ID<QueuedMail>
    let attempts: Int
    let message: MailMessage
  }

  /// The result of an attempt to claim a message.
  private enum Claiming {
    case message(Claim)
    /// No message is due, or the one that is must not be sent any more.
    case dropped
    /// A damaged message, or one queued by a later release. It is deleted, so that it does not
    /// block all others.
    case unreadable(ID<QueuedMail>)
  }

  /// Claims the message that has been due longest, so that only one process sends it.
  ///
  /// The claim has its own transaction before sending. A message whose process dies between claim
  /// and answer may have been sent, so it is not sent again. A duplicate or late message does more
  /// harm than a missing one, because the inbox has its content too.
  private func claimNext(at now: Instant) throws -> Claiming {
    try server.database.write { connection in
      let found = try connection.row(
        """
        UPDATE notifications_mail SET claimed_at = \(now), attempts = attempts + 1
        WHERE id_mail = (SELECT id_mail FROM notifications_mail
          WHERE \(Self.due(at: now)) AND claimed_at IS NULL ORDER BY due_at, id_mail LIMIT 1)
        RETURNING id_mail, person, sealed, attempts, expires_at
        """
      ) { row in
        let expires: Instant? = row.isNull(4) ? nil : row.instant(4)
        return (
          row: ID<QueuedMail>(Int64(row.int(0))), person: ID<Person>(Int64(row.int(1))),
          sealed: row.sealed(2), attempts: row.int(3), isLate: expires.map { $0 <= now } ?? false
        )
      }
      guard let found else { return .dropped }
      guard !found.isLate,
        let keys = try KeyStore(server.vault).unloggedKeys(of: found.person, on: connection)
      else {
        try delete(found.row, on: connection)
        return .dropped
      }
      let queued: QueuedMail
      do { queued = try QueuedMail(opening: found.sealed, id: found.row, by: keys) } catch {
        try delete(found.row, on: connection)
        return .unreadable(found.row)
      }
      guard let message = try message(queued, in: Work(keys: keys, at: now, on: connection)) else {
        try delete(found.row, on: connection)
        return .dropped
      }
      return .message(Claim(row: found.row, attempts: found.attempts, message: message))
    }
  }

  /// Returns the message in the reader's language; nil if the address is no longer confirmed.
  private func message(_ queued: QueuedMail, in work: Work) throws -> MailMessage? {
    let keys = try work.keys
    let address: MailAddress?
    if queued.recipient.isEmpty {
      address = try MailAddressState(of: keys, server, on: work).confirmed
    } else {
      address = MailAddress(queued.recipient)
    }
    guard let address else { return nil }
    let site = server.site
    let standard = site.clinic.defaultLanguage
    let language =
      try Account.languages(of: [keys.person], or: standard, on: work)[keys.person] ?? standard
    let words = MailWords(server: server, language: language)
    return MailMessage(
      from: mail.from, to: address, subject: words.text(queued.subject),
      body: words.body(of: queued), attachment: queued.attachment,
      id: "\(queued.id)@\(site.origin.host)", date: work.now, language: language)
  }

  private func delete(_ row: ID<QueuedMail>, on connection: Connection) throws {
    try connection.run("DELETE FROM notifications_mail WHERE id_mail = \(row)")
  }

  /// Schedules a retry after a refusal. Gives up after ``attemptLimit`` attempts.
  private func postpone(_ claim: Claim, _ failure: MailFailure, at now: Instant) throws {
    let isGivenUp = claim.attempts >= Self.attemptLimit
    try server.database.write { connection in
      try MailOutage.begin(at: now, on: connection)
      if isGivenUp { return try delete(claim.row, on: connection) }
      let due = now + Self.pause(after: claim.attempts)
      try connection.run(
        """
        UPDATE notifications_mail SET claimed_at = NULL, due_at = \(due)
        WHERE id_mail = \(claim.row)
        """)
    }
    log.error(
      isGivenUp ? "an e-mail was given up" : "an e-mail was not taken",
      metadata: ["attempt": "\(claim.attempts)", "reason": "\(failure)"])
  }

  private func dropAbandoned(at now: Instant) throws {
    let before = now - Self.claimLimit
    let abandoned = try server.database.read {
      try $0.integer("SELECT 1 FROM notifications_mail WHERE claimed_at <= \(before) LIMIT 1")
    }
    guard abandoned != nil else { return }
    let count = try server.database.write {
      try $0.runCounting("DELETE FROM notifications_mail WHERE claimed_at <= \(before)")
    }
    log.error("e-mails may not have gone out", metadata: ["count": "\(count)"])
  }
}

/// The settings for sending e-mails, from the configuration.
package struct OutgoingMail: Sendable {
  package var command: MailCommand
  package let from: Mailbox

  /// Returns nil if the command is empty or `sender` is no mailbox.
  package init?(command: String, from sender: String) {
    guard let command = MailCommand(command), let from = Mailbox(sender) else { return nil }
    self.command = command
    self.from = from
  }
}

/// The text of e-mails in the reader's language.
struct MailWords {
  let server: ServerContext
  let language: Language

  func text(_ text: Text) -> String {
    server.installation.wording(of: text, in: language) ?? own("mail.notice.subject")
  }

  /// Returns the module's text, a link and the footer. A link has a line of its own, because
  /// bidirectional marks around it would become part of it.
  func body(of queued: QueuedMail) -> String {
    var lines = [text(queued.body), ""]
    if queued.recipient.isEmpty {
      lines += [own("mail.read-on"), address(queued.path), "", "-- ", server.site.clinic.name]
      lines += [own("mail.why"), address(PreferencesPage.path)]
    } else {
      lines += [address(queued.path), "", "-- ", server.site.clinic.name]
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private func address(_ path: Path) -> String { "\(server.site.origin)\(path)" }

  private func own(_ text: Text) -> String {
    server.installation.wording(of: text.spoken(by: NotificationsModule.moduleID), in: language)
      ?? ""
  }
}
