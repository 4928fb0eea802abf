import PolyclinicCore

/// E-mails that should have gone out long ago: the configured command does not take them, or nobody hands
/// them over.
struct MailTrouble: Sendable, Equatable {
  /// When it began.
  let since: Instant

  /// For so long it may pass by itself, as a mail server that is restarted does.
  static let patience = Seconds.hours(1)

  static let migration = Migration(
    "0002-mail-trouble",
    """
    CREATE TABLE notifications_mail_trouble (
      id_trouble \(.integer) NOT NULL PRIMARY KEY,
      since \(.integer) NOT NULL
    ) \(.strict)
    """)

  /// The trouble that there is, once it has lasted; nil when all goes well.
  ///
  /// One message that nobody takes is none, as long as others go out.
  static func find(at now: Instant, on connection: Connection) throws -> MailTrouble? {
    let refused = try connection.integer("SELECT min(since) FROM notifications_mail_trouble")
    let waiting = try connection.integer(
      "SELECT min(due_at) FROM notifications_mail WHERE claimed_at IS NULL")
    guard let since = [refused, waiting].compactMap({ $0 }).min().map({ Instant(Int64($0)) }),
      now - since >= patience
    else { return nil }
    return MailTrouble(since: since)
  }

  /// The command has not taken a message: what began before goes on.
  static func begin(at now: Instant, on connection: Connection) throws {
    try connection.run(
      """
      INSERT INTO notifications_mail_trouble (id_trouble, since) VALUES (1, \(now))
      ON CONFLICT (id_trouble) DO NOTHING
      """)
  }

  /// It has taken one.
  static func end(on connection: Connection) throws {
    try connection.run("DELETE FROM notifications_mail_trouble")
  }

  /// For a terminal.
  func sentence(at now: Instant) -> String {
    """
    E-mails have not gone out for \(ProcessStatus.span(of: now - since)): the log says why, under "mail". \
    Mend the command that the configuration names as mail.command
    """
  }
}
