import PolyclinicCore

/// The log of views of a person's data by others. An entry counts the views of one viewer for one
/// person, reason and hour.
package enum AccessLog {
  package static let schema: [SQL] = [
    """
    CREATE TABLE access_log (
      id_access \(.identity),
      person \(.person),
      viewer \(.actor),
      viewer_name \(.bytes) NOT NULL,
      viewer_role TEXT NOT NULL,
      reason TEXT NOT NULL,
      hour \(.integer) NOT NULL,
      count \(.integer) NOT NULL,
      UNIQUE (person, viewer, reason, hour)
    ) \(.strict)
    """,
    "CREATE INDEX access_log_viewer ON access_log (viewer)",
  ]

  /// Counts a view of each person by the visitor. An existing entry of the hour needs no newly sealed
  /// name, so that a search through all people takes one statement for many of them. Returns the
  /// number of people whom the visitor had not viewed in this hour.
  @discardableResult
  static func record(_ opened: [Keys], for reason: AccessReason, in work: Work) throws -> Int {
    let visitor = try work.signedIn()
    let hour = work.now.seconds / 3_600 * 3_600
    var inserted = 0
    for part in opened.parts(of: 256) {
      let counted = try work.rows(
        """
        UPDATE access_log SET count = count + 1
        WHERE viewer = \(visitor.person) AND reason = \(reason.rawValue) AND hour = \(hour)
          AND person IN \(list: part.map(\.person))
        RETURNING person
        """
      ) { row -> ID<Person> in row.id(0) }
      let known = Set(counted)
      for keys in part where !known.contains(keys.person) {
        let name = try keys.seal(Array(visitor.name.utf8), as: "access_log.viewer_name", row: hour)
        try work.run(
          """
          INSERT INTO access_log (person, viewer, viewer_name, viewer_role, reason, hour, count)
          VALUES (\(keys.person), \(visitor.person), \(name), \(reason.role.rawValue),
            \(reason.rawValue), \(hour), 1)
          """)
        inserted += 1
      }
    }
    return inserted
  }

  /// An entry of a person's access log: the views by one viewer for one reason in one hour.
  package struct Entry {
    package let viewer: String
    package let role: String
    package let reason: String
    package let hour: Instant
    package let count: Int
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
    SELECT viewer_name, viewer_role, reason, hour, count FROM access_log
    WHERE person = \(person) ORDER BY hour DESC, id_access DESC LIMIT \(limit)
    """
  }
}

extension AccessLog.Entry {
  fileprivate init(_ row: Row, by keys: Keys) throws {
    let name = try keys.open(row.sealed(0), as: "access_log.viewer_name", row: Int64(row.int(3)))
    viewer = String(decoding: name, as: UTF8.self)
    (role, reason) = (row.string(1), row.string(2))
    (hour, count) = (row.instant(3), row.int(4))
  }
}
