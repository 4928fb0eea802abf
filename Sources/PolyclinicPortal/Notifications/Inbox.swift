import PolyclinicCore
import PolyclinicWeb

/// The notices of one person, newest first.
struct Inbox {
  /// The time after which a notice is deleted.
  static let keptFor = Seconds.days(365)
  /// The time for which a notice with the same ``Notice/once`` is not sent again, even if its owner
  /// has deleted it.
  static let toldFor = Seconds.days(730)

  let keys: Keys
  let work: Work

  /// A notice in the inbox.
  struct Entry {
    let id: ID<Notice>
    let notice: StoredNotice
    let createdAt: Instant
    /// True if it counts as read: its reader followed it, or it is out of date.
    let isRead: Bool
    /// True if its time has passed, or a later notice about the same subject has replaced it.
    let isOutOfDate: Bool
  }

  /// The condition for the notices that the person may read.
  private var isShown: SQL {
    """
    notifications.person = \(keys.person)
    AND \(UnreadCount.isForReader(at: work.now))
    """
  }

  /// The condition for the notices that count as unread.
  private var isUnread: SQL { UnreadCount.isUnread(at: work.now) }

  func count() throws -> Int {
    try work.integer("SELECT count(*) FROM notifications WHERE \(isShown)") ?? 0
  }

  func unread() throws -> UnreadCount {
    let count = try work.integer(
      "SELECT \(UnreadCount.ofPerson(at: work.now)) FROM people WHERE id_person = \(keys.person)")
    return UnreadCount(count ?? 0)
  }

  /// Returns the notices at these positions.
  func entries(_ range: Range<Int>) throws -> [Entry] {
    try work.rows(
      """
      \(selection) ORDER BY id_notification DESC LIMIT \(range.count) OFFSET \(range.lowerBound)
      """, read)
  }

  /// Calls `body` with all notices, one at a time.
  func readAll(_ body: (Entry) throws -> Void) throws {
    try work.forEach("\(selection) ORDER BY id_notification DESC") { try body(read($0)) }
  }

  /// The beginning of each query of notices.
  private var selection: SQL {
    """
    SELECT id_notification, sealed, created_at, NOT (\(isUnread)),
      expires_at IS NOT NULL AND expires_at <= \(work.now)
    FROM notifications WHERE \(isShown)
    """
  }

  private func read(_ row: Row) throws -> Entry {
    let id: ID<Notice> = row.id(0)
    return Entry(
      id: id, notice: try StoredNotice(opening: row.sealed(1), id: id, by: keys),
      createdAt: row.instant(2), isRead: row.bool(3), isOutOfDate: row.bool(4))
  }

  /// Adds a notice, and makes the person's earlier ones about the same subject out of date.
  /// `inCare` is the person whom it is about, if that is not the reader. `byBrowser` is true if the
  /// browser may announce it, and `isRead` if the person knows of it already.
  func insert(
    _ notice: StoredNotice, about subject: [UInt8]? = nil, of inCare: ID<Person>? = nil,
    until expires: Instant? = nil, byBrowser: Bool, isRead: Bool = false
  ) throws {
    let now = work.now
    let id: ID<Notice> = try work.insert(
      """
      INSERT INTO notifications
        (person, about, sealed, subject, by_browser, created_at, read_at, expires_at)
      VALUES (\(keys.person), \(inCare ?? keys.person), \([UInt8]()), \(subject), \(byBrowser),
        \(now), \(isRead ? now : nil), \(expires))
      """)
    let sealed = try notice.sealed(id: id, by: keys)
    guard let subject else {
      return try work.run(
        "UPDATE notifications SET sealed = \(sealed) WHERE id_notification = \(id)")
    }
    // One statement for both, because people wait for it while they book.
    try work.run(
      """
      UPDATE notifications
      SET sealed = CASE WHEN id_notification = \(id) THEN \(sealed) ELSE sealed END,
        expires_at = CASE WHEN id_notification = \(id) THEN expires_at ELSE \(now) END
      WHERE id_notification = \(id) OR person = \(keys.person) AND subject = \(subject)
        AND (expires_at IS NULL OR expires_at > \(now))
      """)
  }

  /// True if no notice with this key was sent before. Remembers the key.
  func isFirst(_ mark: [UInt8]) throws -> Bool {
    try work.runCounting(
      """
      INSERT INTO notifications_told (person, mark, told_at)
      VALUES (\(keys.person), \(mark), \(work.now)) ON CONFLICT (person, mark) DO NOTHING
      """) > 0
  }

  /// Marks the notice as read and returns the path that it links to; nil if there is no such
  /// notice.
  func open(_ id: ID<Notice>) throws -> Path? {
    let entry = try work.row("\(selection) AND id_notification = \(id)", read)
    guard let entry else { return nil }
    if !entry.isRead {
      try work.run(
        "UPDATE notifications SET read_at = \(work.now) WHERE id_notification = \(id)")
    }
    return entry.notice.path
  }

  /// Marks as read all notices up to `last`, the newest one on the page that the person saw.
  func markRead(upTo last: ID<Notice>) throws {
    try work.run(
      """
      UPDATE notifications SET read_at = \(work.now)
      WHERE person = \(keys.person) AND read_at IS NULL AND id_notification <= \(last)
      """)
  }

  func delete(_ id: ID<Notice>) throws -> Bool {
    try work.runCounting(
      "DELETE FROM notifications WHERE id_notification = \(id) AND person = \(keys.person)") > 0
  }

  func deleteRead() throws {
    try work.run(
      "DELETE FROM notifications WHERE person = \(keys.person) AND NOT (\(isUnread))")
  }

  /// Returns the newest unread notice that the browser may announce.
  func latestByBrowser() throws -> ID<Notice>? {
    try work.row(
      """
      SELECT id_notification FROM notifications
      WHERE person = \(keys.person) AND \(isUnread) AND by_browser = 1
      ORDER BY id_notification DESC LIMIT 1
      """
    ) { $0.id(0) }
  }

  /// Deletes the notices and the keys that were kept long enough, and the notices about people for
  /// whom their reader no longer acts. A job runs it.
  static func purge(at now: Instant, on connection: Connection) throws {
    try connection.run(
      """
      DELETE FROM notifications WHERE about <> person
        AND NOT \(UnreadCount.isForReader(at: now))
      """)
    try connection.run("DELETE FROM notifications WHERE created_at <= \(now - keptFor)")
    try connection.run("DELETE FROM notifications_told WHERE told_at <= \(now - toldFor)")
  }
}

/// The stored content of a notice, sealed.
struct StoredNotice {
  /// The module and the kind, such as `appointments/reminder`.
  let kind: String
  let text: Text
  /// The text as sent, in the reader's language at that time. It is shown if the module is gone or
  /// no longer has these words.
  let wording: String
  let path: Path
  /// The name of the person in care whom it is about; empty for the reader's own notices.
  var about = ""
}

extension StoredNotice {
  /// Throws `UnsealingError` if the notice is of another row or person.
  init(opening sealed: Sealed, id: ID<Notice>, by keys: Keys) throws {
    var bytes = ByteReader(try keys.open(sealed, as: "notifications.sealed", row: id.rawValue))
    kind = try bytes.string()
    text = try bytes.text()
    wording = try bytes.string()
    path = Path(local: try bytes.string()) ?? InboxPage.path
    about = try bytes.string()
  }

  func sealed(id: ID<Notice>, by keys: Keys) throws -> Sealed {
    var bytes = ByteWriter()
    bytes.write(kind)
    bytes.write(text)
    bytes.write(wording)
    bytes.write(path.description)
    bytes.write(about)
    return try keys.seal(bytes.bytes, as: "notifications.sealed", row: id.rawValue)
  }
}

extension StoredNotice {
  /// Returns the text as its reader sees it, after the name of a person in care.
  func shown(_ installation: Installation, in language: Language) -> String {
    let text = installation.wording(of: text, in: language) ?? wording
    return about.isEmpty ? text : "\(about): \(text)"
  }
}

extension Installation {
  /// Returns the text in the words of its module, even if the module is off; nil if the words do
  /// not exist.
  func wording(of text: Text, in language: Language) -> String? {
    let member = members.first { $0.module.id == text.module }
    guard let words = member?.phrasebook ?? (text.module == nil ? phrasebook : nil),
      words.contains(text.key, in: language)
    else { return nil }
    return words.string(text, in: language)
  }
}
