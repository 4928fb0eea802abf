import PolyclinicCore

/// The log of the views and changes of a person's data by others.
///
/// - A view's entry counts the views of one thing by one viewer for one reason in one hour; those
///   of a guardian and of a reader as one.
/// - A change's entry has the exact time and the count 0.
///
/// The author's name and the change are sealed. Only the author's number (until erased), role,
/// reason, time, count, and the module and the kind of thing that was viewed, are stored in plain
/// text.
package enum AccessLog {
  package static let schema: [SQL] = [
    """
    CREATE TABLE access_log (
      id_access \(.identity),
      person \(.person),
      author \(.actor),
      role TEXT NOT NULL,
      reason TEXT NOT NULL,
      viewed TEXT NOT NULL,
      at \(.integer) NOT NULL,
      count \(.integer) NOT NULL,
      sealed \(.bytes) NOT NULL
    ) \(.strict)
    """,
    """
    CREATE UNIQUE INDEX access_log_views ON access_log (person, author, reason, at, viewed)
    WHERE count > 0
    """,
    "CREATE INDEX access_log_person ON access_log (person, at)",
    "CREATE INDEX access_log_author ON access_log (author)",
  ]

  /// Returns the column of a thing that was viewed: its module and the key of its words.
  static func column(of viewed: Text) -> String {
    "\(viewed.module?.rawValue ?? "") \(viewed.key)"
  }

  /// Counts a view of something about each person by the visitor. An existing entry of the hour needs no newly sealed
  /// name, so that a search through all people takes one statement for many of them. Returns the
  /// number of people whom the visitor had not viewed in this hour.
  @discardableResult
  package static func record(
    _ opened: [Keys], for reason: AccessReason, reading viewed: Text, in work: Work
  ) throws -> Int {
    let visitor = try work.signedIn()
    let hour = hour(of: work.now)
    let view = Entry(name: visitor.name, reason, at: hour, count: 1, viewed)
    var inserted = 0
    for part in opened.parts(of: 256) {
      let counted = try work.rows(
        """
        UPDATE access_log SET count = count + 1
        WHERE author = \(visitor.person) AND reason = \(reason.rawValue) AND at = \(hour)
          AND viewed = \(column(of: viewed)) AND count > 0 AND person IN \(list: part.map(\.person))
        RETURNING person
        """
      ) { row -> ID<Person> in row.id(0) }
      let known = Set(counted)
      for keys in part where !known.contains(keys.person) {
        try view.insert(by: visitor.person, keys, on: work)
        inserted += 1
      }
    }
    return inserted
  }

  /// Returns the beginning of the hour whose views are one entry.
  static func hour(of time: Instant) -> Instant { Instant(time.seconds / 3_600 * 3_600) }

  /// Records a change by the visitor, to the person whose keys the work has.
  package static func record(_ change: Text, for reason: AccessReason, in work: Work) throws {
    let visitor = try work.signedIn()
    try record(change, by: (visitor.person, visitor.name), for: reason, in: work)
  }

  /// Records a change to the person whose keys the work has. `author` is nil for the server's
  /// command line and for a person with a link.
  package static func record(
    _ change: Text, by author: (person: ID<Person>, name: String)?, for reason: AccessReason,
    in work: Work
  ) throws {
    try Entry(name: author?.name ?? "", reason, at: work.now, count: 0, change)
      .insert(by: author?.person, work.keys, on: work)
  }

  /// An entry of a person's access log.
  package struct Entry {
    /// The author's number; nil without an author, and after the author was erased.
    package let author: ID<Person>?
    /// The author's name; empty without an author.
    package let name: String
    /// True if the person is the author.
    package let isOwn: Bool
    package let role: String
    package let reason: String
    /// The time of a change, or the beginning of the hour of the views.
    package let at: Instant
    /// The number of views; 0 for a change.
    package let count: Int
    /// The change, or the thing that was viewed, in the strings of the module that it names.
    package let what: Text

    /// True for a change, and false for views.
    package var isChange: Bool { count == 0 }
  }

  /// Returns the entries of a person's access log, latest first.
  package static func entries(
    by keys: Keys, limit: Int = .max, on connection: Connection
  ) throws -> [Entry] {
    try connection.rows(select(of: keys.person, limit)) { try Entry($0, by: keys) }
  }

  /// Calls `body` for each of ``entries(by:limit:on:)``.
  package static func forEach(
    by keys: Keys, on connection: Connection, _ body: (Entry) throws -> Void
  ) throws {
    try connection.forEach(select(of: keys.person, .max)) { try body(Entry($0, by: keys)) }
  }

  private static func select(of person: ID<Person>, _ limit: Int) -> SQL {
    """
    SELECT role, reason, at, count, sealed, viewed, author FROM access_log
    WHERE person = \(person) ORDER BY at DESC, id_access DESC LIMIT \(limit)
    """
  }
}

extension AccessLog.Entry {
  fileprivate init(
    name: String, _ reason: AccessReason, at: Instant, count: Int, _ what: Text
  ) {
    (self.name, role, self.reason) = (name, reason.role.rawValue, reason.rawValue)
    (self.at, self.count, self.what, isOwn) = (at, count, what, false)
    author = nil
  }

  fileprivate init(_ row: Row, by keys: Keys) throws {
    (role, reason, at, count) = (row.string(0), row.string(1), row.instant(2), row.int(3))
    var reader = ByteReader(
      try keys.open(row.sealed(4), as: "access_log.sealed", row: at.seconds))
    name = try reader.string()
    author = row.optional(6, Row.id)
    isOwn = author == keys.person
    if reader.isAtEnd {
      let parts = row.string(5).split(separator: " ", maxSplits: 1).map(String.init)
      let key = Text(parts.last ?? "")
      what = parts.first.flatMap { ModuleID($0) }.map(key.spoken) ?? key
    } else {
      what = try reader.text()
    }
  }

  fileprivate func insert(
    by author: ID<Person>?, _ keys: Keys, on connection: Connection
  ) throws {
    var writer = ByteWriter()
    writer.write(name)
    if isChange { writer.write(what) }
    let sealed = try keys.seal(writer.bytes, as: "access_log.sealed", row: at.seconds)
    let viewed = isChange ? "" : AccessLog.column(of: what)
    try connection.run(
      """
      INSERT INTO access_log (person, author, role, reason, viewed, at, count, sealed)
      VALUES (\(keys.person), \(author), \(role), \(reason), \(viewed), \(at), \(count),
        \(sealed))
      ON CONFLICT (person, author, reason, at, viewed) WHERE count > 0
      DO UPDATE SET count = access_log.count + 1
      """)
  }
}
