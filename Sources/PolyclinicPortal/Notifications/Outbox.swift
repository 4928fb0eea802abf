import Logging
import PolyclinicCore
import PolyclinicWeb

/// The due messages of one way, which the configured command sends one at a time. The `jobs` process
/// runs it.
package struct Outbox {
  /// The time between two checks for due messages.
  static let interval = Seconds.seconds(10)
  /// The longest duration of one run, because other jobs wait for it.
  static let turn = Duration.seconds(60)
  /// The number of attempts before a message is given up, some four hours after the first one.
  static let attemptLimit = 9
  /// The time after which a claimed message is abandoned, because the process that claimed it must
  /// have died.
  static let claimLimit = Seconds.minutes(10)

  package let server: ServerContext
  package let delivery: any Delivery
  package let log: Logger

  package init(server: ServerContext, delivery: any Delivery, log: Logger) {
    self.server = server
    self.delivery = delivery
    self.log = log
  }

  private var way: Notice.Kind.Way { delivery.way }

  /// Sends all due messages and returns the time of the next run.
  package func run(at now: Instant) throws -> Instant {
    try delivery.prepare(server, at: now)
    try dropAbandoned(at: now)
    let end = ContinuousClock.now + Self.turn
    while try isDue(at: server.clock()) {
      guard ContinuousClock.now < end else { return now }
      let claim: Claim
      switch try claimNext(at: server.clock()) {
      case .message(let message): claim = message
      case .dropped: continue
      case .unreadable(let row):
        log.error("a message does not open and is given up", metadata: ["message": "\(row)"])
        continue
      }
      do {
        try delivery.command.send(claim.message)
        try server.database.write { connection in
          try delete(claim.row, on: connection)
          try DeliveryOutage.end(way, on: connection)
        }
      } catch let failure as DeliveryFailure {
        try postpone(claim, failure, at: server.clock())
      }
    }
    return now + Self.interval
  }

  private func isDue(at now: Instant) throws -> Bool {
    try server.database.read {
      try $0.integer(
        "SELECT 1 FROM notifications_outbox WHERE \(due(at: now)) AND claimed_at IS NULL LIMIT 1")
    } != nil
  }

  /// Returns the condition of a message that is due, also if the clock was ahead when it was queued
  /// or postponed.
  private func due(at now: Instant) -> SQL {
    """
    way = \(way.rawValue)
    AND (due_at <= \(now) OR due_at > \(now + Self.pause(after: Self.attemptLimit)))
    """
  }

  /// Returns the delay of the retry after this many attempts, which doubles from one minute.
  private static func pause(after attempts: Int) -> Seconds { .minutes(1 << (attempts - 1)) }

  /// A message that this process alone may send.
  private struct Claim {
    let row: ID<Outbox>
    let attempts: Int
    /// The bytes for the command.
    let message: [UInt8]
  }

  /// The result of an attempt to claim a message.
  private enum Claiming {
    case message(Claim)
    /// No message is due, or the one that is must not be sent any more.
    case dropped
    /// A damaged message, or one queued by a later release. It is deleted, so that it does not
    /// block all others.
    case unreadable(ID<Outbox>)
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
        UPDATE notifications_outbox SET claimed_at = \(now), attempts = attempts + 1
        WHERE id_message = (SELECT id_message FROM notifications_outbox
          WHERE \(due(at: now)) AND claimed_at IS NULL ORDER BY due_at, id_message LIMIT 1)
        RETURNING id_message, person, sealed, attempts, expires_at, about
        """
      ) { row in
        let expires: Instant? = row.isNull(4) ? nil : row.instant(4)
        return (
          row: ID<Outbox>(Int64(row.int(0))), person: ID<Person>(Int64(row.int(1))),
          sealed: row.sealed(2), attempts: row.int(3), isLate: expires.map { $0 <= now } ?? false,
          about: ID<Person>(Int64(row.int(5)))
        )
      }
      guard let found else { return .dropped }
      let isMeant = Guardianship.lets("\(found.person)", see: "\(found.about)", at: now)
      guard !found.isLate,
        try connection.integer(
          "SELECT 1 FROM people WHERE id_person = \(found.about) AND \(isMeant)")
          != nil,
        let keys = try KeyStore(server.vault).unloggedKeys(of: found.person, on: connection)
      else {
        try delete(found.row, on: connection)
        return .dropped
      }
      let work = Work(keys: keys, at: now, on: connection)
      switch try opened(found.sealed, found.row, by: delivery, in: work) {
      case .message(let bytes):
        return .message(Claim(row: found.row, attempts: found.attempts, message: bytes))
      case .undeliverable:
        try delete(found.row, on: connection)
        return .dropped
      case .unreadable:
        try delete(found.row, on: connection)
        return .unreadable(found.row)
      }
    }
  }

  /// A message that was read from its row.
  private enum Opened {
    case message([UInt8])
    case undeliverable
    case unreadable
  }

  private func opened<Own: Delivery>(
    _ sealed: Sealed, _ row: ID<Outbox>, by delivery: Own, in work: Work
  ) throws -> Opened {
    let queued: Own.Message
    do { queued = try Own.Message(opening: sealed, row: row, by: work.keys) } catch {
      return .unreadable
    }
    let language = try language(of: work.keys.person, in: work)
    let words = MessageWords(server: server, language: language)
    return try delivery.message(queued, in: words, work).map(Opened.message) ?? .undeliverable
  }

  private func language(of person: ID<Person>, in work: Work) throws -> Language {
    let standard = server.site.clinic.defaultLanguage
    return try Account.languages(of: [person], or: standard, on: work)[person] ?? standard
  }

  private func delete(_ row: ID<Outbox>, on connection: Connection) throws {
    try connection.run("DELETE FROM notifications_outbox WHERE id_message = \(row)")
  }

  /// Schedules a retry after a refusal. Gives up after ``attemptLimit`` attempts.
  private func postpone(_ claim: Claim, _ failure: DeliveryFailure, at now: Instant) throws {
    let isGivenUp = claim.attempts >= Self.attemptLimit
    try server.database.write { connection in
      try DeliveryOutage.begin(way, at: now, on: connection)
      if isGivenUp { return try delete(claim.row, on: connection) }
      let due = now + Self.pause(after: claim.attempts)
      try connection.run(
        """
        UPDATE notifications_outbox SET claimed_at = NULL, due_at = \(due)
        WHERE id_message = \(claim.row)
        """)
    }
    log.error(
      isGivenUp ? "a message was given up" : "a message was not taken",
      metadata: ["attempt": "\(claim.attempts)", "reason": "\(failure)"])
  }

  private func dropAbandoned(at now: Instant) throws {
    let abandoned: SQL = "way = \(way.rawValue) AND claimed_at <= \(now - Self.claimLimit)"
    let first = try server.database.read {
      try $0.integer("SELECT 1 FROM notifications_outbox WHERE \(abandoned) LIMIT 1")
    }
    guard first != nil else { return }
    let count = try server.database.write {
      try $0.runCounting("DELETE FROM notifications_outbox WHERE \(abandoned)")
    }
    log.error("messages may not have gone out", metadata: ["count": "\(count)"])
  }
}
