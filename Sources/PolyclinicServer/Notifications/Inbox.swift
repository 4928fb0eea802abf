import PolyclinicCore

/// The notices of one person, the latest first.
struct Inbox {
  /// How long a notice stands in it.
  static let keptFor = Seconds.days(365)
  /// How long a notice is known by its ``Notice/once``, also after its owner has deleted it.
  static let toldFor = Seconds.days(730)
  /// Where counting the unread ends: nobody needs to know it more exactly.
  static let countLimit = 100

  let keys: Keys
  let connection: Connection

  /// How many notices the person `id_person` of the statement around it has not read.
  static let unreadCount: SQL = """
    (SELECT count(*) FROM (SELECT 1 FROM notifications
      WHERE notifications.person = id_person AND read_at IS NULL LIMIT \(Inbox.countLimit)))
    """

  /// A notice as it stands there.
  struct Entry {
    let id: ID<Notice>
    let letter: Letter
    let createdAt: Instant
    let isRead: Bool
  }

  func count() throws -> Int {
    try connection.integer(
      "SELECT count(*) FROM notifications WHERE person = \(keys.person)") ?? 0
  }

  func unread() throws -> UnreadCount {
    let count = try connection.integer(
      "SELECT \(Self.unreadCount) FROM people WHERE id_person = \(keys.person)")
    return UnreadCount(count ?? 0)
  }

  /// So many notices from that place on.
  func entries(_ range: Range<Int>) throws -> [Entry] {
    try connection.rows(
      """
      SELECT id_notification, sealed, created_at, read_at IS NOT NULL FROM notifications
      WHERE person = \(keys.person) ORDER BY id_notification DESC
      LIMIT \(range.count) OFFSET \(range.lowerBound)
      """, read)
  }

  /// Reads all notices, one by one.
  func readAll(_ body: (Entry) throws -> Void) throws {
    try connection.forEach(
      """
      SELECT id_notification, sealed, created_at, read_at IS NOT NULL FROM notifications
      WHERE person = \(keys.person) ORDER BY id_notification DESC
      """
    ) { try body(read($0)) }
  }

  private func read(_ row: Row) throws -> Entry {
    let id: ID<Notice> = row.id(0)
    return Entry(
      id: id, letter: try Letter(opening: row.sealed(1), id: id, by: keys),
      createdAt: row.instant(2), isRead: row.bool(3))
  }

  /// Puts a notice on top; `byBrowser` when a browser may say that there is one.
  func insert(_ letter: Letter, byBrowser: Bool, at now: Instant) throws {
    let id: ID<Notice> = try connection.insert(
      """
      INSERT INTO notifications (person, sealed, by_browser, created_at)
      VALUES (\(keys.person), \([UInt8]()), \(byBrowser), \(now))
      """)
    let sealed = try letter.sealed(id: id, by: keys)
    try connection.run(
      "UPDATE notifications SET sealed = \(sealed) WHERE id_notification = \(id)")
  }

  /// Whether this is told for the first time; from now on it is known by its mark.
  func isFirst(_ mark: [UInt8], at now: Instant) throws -> Bool {
    try connection.run(
      """
      INSERT INTO notifications_told (person, mark, told_at)
      VALUES (\(keys.person), \(mark), \(now)) ON CONFLICT (person, mark) DO NOTHING
      """) > 0
  }

  /// Marks one as read and says where it leads; nil when it is not there.
  func open(_ id: ID<Notice>, at now: Instant) throws -> Path? {
    let entry = try connection.row(
      """
      SELECT id_notification, sealed, created_at, read_at IS NOT NULL FROM notifications
      WHERE id_notification = \(id) AND person = \(keys.person)
      """, read)
    guard let entry else { return nil }
    if !entry.isRead {
      try connection.run(
        "UPDATE notifications SET read_at = \(now) WHERE id_notification = \(id)")
    }
    return entry.letter.path
  }

  /// Marks as read what had come by the time that its reader saw the list.
  func markRead(upTo last: ID<Notice>, at now: Instant) throws {
    try connection.run(
      """
      UPDATE notifications SET read_at = \(now)
      WHERE person = \(keys.person) AND read_at IS NULL AND id_notification <= \(last)
      """)
  }

  func delete(_ id: ID<Notice>) throws -> Bool {
    try connection.run(
      "DELETE FROM notifications WHERE id_notification = \(id) AND person = \(keys.person)") > 0
  }

  func deleteRead() throws {
    try connection.run(
      "DELETE FROM notifications WHERE person = \(keys.person) AND read_at IS NOT NULL")
  }

  /// The latest unread one of which a browser may say that it is there.
  func latestByBrowser() throws -> ID<Notice>? {
    try connection.row(
      """
      SELECT id_notification FROM notifications
      WHERE person = \(keys.person) AND read_at IS NULL AND by_browser = 1
      ORDER BY id_notification DESC LIMIT 1
      """
    ) { $0.id(0) }
  }

  /// Deletes what has stood there long enough; for a job.
  static func purge(at now: Instant, on connection: Connection) throws {
    try connection.run("DELETE FROM notifications WHERE created_at <= \(now - keptFor)")
    try connection.run("DELETE FROM notifications_told WHERE told_at <= \(now - toldFor)")
  }
}
