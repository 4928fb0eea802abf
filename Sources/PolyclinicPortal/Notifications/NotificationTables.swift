import PolyclinicCore

extension NotificationsModule {
  /// The tables of the inbox, keys of sent notices, choices, confirmed addresses, confirmation
  /// links and queued e-mails.
  static let schema: [SQL] = [
    """
    CREATE TABLE notifications (
      id_notification \(.identity),
      person \(.person),
      sealed \(.bytes) NOT NULL,
      by_browser \(.integer) NOT NULL,
      created_at \(.integer) NOT NULL,
      read_at \(.integer)
    ) \(.strict)
    """,
    "CREATE INDEX notifications_person ON notifications (person)",
    // Covers only unread notices, because each page of a signed-in person counts them.
    "CREATE INDEX notifications_unread ON notifications (person) WHERE read_at IS NULL",
    "CREATE INDEX notifications_created_at ON notifications (created_at)",
    """
    CREATE TABLE notifications_told (
      person \(.person),
      mark \(.bytes) NOT NULL,
      told_at \(.integer) NOT NULL,
      PRIMARY KEY (person, mark)
    ) \(.strict)
    """,
    "CREATE INDEX notifications_told_told_at ON notifications_told (told_at)",
    """
    CREATE TABLE notifications_choices (
      person \(.person),
      kind TEXT NOT NULL,
      ways TEXT NOT NULL,
      PRIMARY KEY (person, kind)
    ) \(.strict)
    """,
    """
    CREATE TABLE notifications_addresses (
      person \(.person),
      address \(.bytes) NOT NULL,
      confirmed_at \(.integer) NOT NULL,
      PRIMARY KEY (person)
    ) \(.strict)
    """,
    """
    CREATE TABLE notifications_links (
      token_hash \(.bytes) NOT NULL PRIMARY KEY,
      person \(.person),
      address \(.bytes) NOT NULL,
      sent_at \(.integer) NOT NULL
    ) \(.strict)
    """,
    "CREATE INDEX notifications_links_person ON notifications_links (person)",
    """
    CREATE TABLE notifications_mail (
      id_mail \(.identity),
      person \(.person),
      sealed \(.bytes) NOT NULL,
      attempts \(.integer) NOT NULL,
      due_at \(.integer) NOT NULL,
      claimed_at \(.integer),
      expires_at \(.integer)
    ) \(.strict)
    """,
    "CREATE INDEX notifications_mail_person ON notifications_mail (person)",
    "CREATE INDEX notifications_mail_due_at ON notifications_mail (due_at)",
  ]
}
