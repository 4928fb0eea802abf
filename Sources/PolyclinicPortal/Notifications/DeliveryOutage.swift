import PolyclinicCore
import PolyclinicServing

/// A problem with outgoing messages: the configured command refuses them, or no process sends them.
package struct DeliveryOutage: Sendable, Equatable {
  /// The way of the messages.
  package let way: Notice.Kind.Way
  /// The time since which messages are held up.
  package let since: Instant

  /// The time before a problem is reported, because it may pass by itself, for example while a mail
  /// server restarts.
  package static let gracePeriod = Seconds.hours(1)

  package static let schema: [SQL] = [
    """
    CREATE TABLE notifications_outages (
      way TEXT NOT NULL PRIMARY KEY,
      since \(.integer) NOT NULL
    ) \(.strict)
    """
  ]

  /// Returns the problem of a way once it has lasted for ``gracePeriod``; nil if there is none.
  ///
  /// A single refused message is not a problem as long as others are sent.
  package static func find(
    _ way: Notice.Kind.Way, at now: Instant, on connection: Connection
  ) throws -> DeliveryOutage? {
    let refused = try connection.integer(
      "SELECT since FROM notifications_outages WHERE way = \(way.rawValue)")
    let waiting = try connection.integer(
      """
      SELECT min(due_at) FROM notifications_outbox
      WHERE way = \(way.rawValue) AND claimed_at IS NULL
      """)
    guard let since = [refused, waiting].compactMap({ $0 }).min().map({ Instant(Int64($0)) }),
      now - since >= gracePeriod
    else { return nil }
    return DeliveryOutage(way: way, since: since)
  }

  /// Returns the problems of these ways.
  package static func all(
    of ways: Set<Notice.Kind.Way>, at now: Instant, on connection: Connection
  ) throws -> [DeliveryOutage] {
    try Notice.Kind.Way.allCases.filter(ways.contains).compactMap {
      try find($0, at: now, on: connection)
    }
  }

  /// Records that the command refused a message. Keeps the time of an earlier refusal.
  package static func begin(
    _ way: Notice.Kind.Way, at now: Instant, on connection: Connection
  ) throws {
    try connection.run(
      """
      INSERT INTO notifications_outages (way, since) VALUES (\(way.rawValue), \(now))
      ON CONFLICT (way) DO NOTHING
      """)
  }

  /// Records that the command accepted a message.
  package static func end(_ way: Notice.Kind.Way, on connection: Connection) throws {
    try connection.run("DELETE FROM notifications_outages WHERE way = \(way.rawValue)")
  }

  /// Returns a sentence for the terminal.
  package func sentence(at now: Instant) -> String {
    let messages = way == .telephone ? "Messages to telephones" : "E-mails"
    return """
      \(messages) have not gone out for \(ProcessStatus.span(of: now - since)): the log says why, under \
      "\(way.section)". Mend the command that the configuration names as \(way.section).command
      """
  }
}

extension Notice.Kind.Way {
  /// The section of the configuration with the way's command, which is also the label of its log.
  package var section: String { self == .telephone ? "notify" : "mail" }
}
