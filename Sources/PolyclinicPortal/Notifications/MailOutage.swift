import PolyclinicCore
import PolyclinicServing

/// A problem with outgoing e-mail: the configured command refuses messages, or no process sends
/// them.
package struct MailOutage: Sendable, Equatable {
  /// The time since which e-mails are held up.
  package let since: Instant

  /// The time before a problem is reported, because it may pass by itself, for example while a mail
  /// server restarts.
  package static let gracePeriod = Seconds.hours(1)

  package static let schema: [SQL] = [
    """
    CREATE TABLE notifications_mail_trouble (
      id_trouble \(.integer) NOT NULL PRIMARY KEY,
      since \(.integer) NOT NULL
    ) \(.strict)
    """
  ]

  /// Returns the problem once it has lasted for ``gracePeriod``; nil if there is none.
  ///
  /// A single refused message is not a problem as long as others are sent.
  package static func find(at now: Instant, on connection: Connection) throws -> MailOutage? {
    let refused = try connection.integer("SELECT min(since) FROM notifications_mail_trouble")
    let waiting = try connection.integer(
      "SELECT min(due_at) FROM notifications_mail WHERE claimed_at IS NULL")
    guard let since = [refused, waiting].compactMap({ $0 }).min().map({ Instant(Int64($0)) }),
      now - since >= gracePeriod
    else { return nil }
    return MailOutage(since: since)
  }

  /// Records that the command refused a message. Keeps the time of an earlier refusal.
  package static func begin(at now: Instant, on connection: Connection) throws {
    try connection.run(
      """
      INSERT INTO notifications_mail_trouble (id_trouble, since) VALUES (1, \(now))
      ON CONFLICT (id_trouble) DO NOTHING
      """)
  }

  /// Records that the command accepted a message.
  package static func end(on connection: Connection) throws {
    try connection.run("DELETE FROM notifications_mail_trouble")
  }

  /// Returns a sentence for the terminal.
  package func sentence(at now: Instant) -> String {
    """
    E-mails have not gone out for \(ProcessStatus.span(of: now - since)): the log says why, under "mail". \
    Mend the command that the configuration names as mail.command
    """
  }
}
