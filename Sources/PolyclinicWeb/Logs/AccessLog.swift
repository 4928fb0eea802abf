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

  /// Counts a view of each person. An existing entry of the hour needs no newly sealed name, so
  /// that a search through all people takes one statement for many of them. Returns the number of
  /// people whom the visitor had not viewed in this hour.
  @discardableResult
  package static func record(
    _ opened: [Keys], _ visitor: Visitor, _ reason: AccessReason, at now: Instant,
    on connection: Connection
  ) throws -> Int {
    let hour = now.seconds / 3_600 * 3_600
    var inserted = 0
    for part in opened.parts(of: 256) {
      let counted = try connection.rows(
        """
        UPDATE access_log SET count = count + 1
        WHERE viewer = \(visitor.person) AND reason = \(reason.rawValue) AND hour = \(hour)
          AND person IN \(list: part.map(\.person))
        RETURNING person
        """
      ) { row -> ID<Person> in row.id(0) }
      let known = Set(counted)
      for keys in part where !known.contains(keys.person) {
        try insert(keys, visitor, reason, hour, on: connection)
        inserted += 1
      }
    }
    return inserted
  }

  private static func insert(
    _ keys: Keys, _ visitor: Visitor, _ reason: AccessReason, _ hour: Int64,
    on connection: Connection
  ) throws {
    let name = try keys.seal(Array(visitor.name.utf8), as: "access_log.viewer_name", row: hour)
    try connection.run(
      """
      INSERT INTO access_log (person, viewer, viewer_name, viewer_role, reason, hour, count)
      VALUES (\(keys.person), \(visitor.person), \(name), \(reason.role.rawValue),
        \(reason.rawValue), \(hour), 1)
      """)
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
    var entries: [Entry] = []
    try forEach(by: keys, limit: limit, on: connection) { entries.append($0) }
    return entries
  }

  /// Calls `body` for each of ``entries(by:limit:on:)``.
  package static func forEach(
    by keys: Keys, limit: Int = .max, on connection: Connection, _ body: (Entry) throws -> Void
  ) throws {
    try connection.forEach(
      """
      SELECT viewer_name, viewer_role, reason, hour, count FROM access_log
      WHERE person = \(keys.person) ORDER BY hour DESC, id_access DESC LIMIT \(limit)
      """
    ) { row in
      let name = try keys.open(
        row.sealed(0), as: "access_log.viewer_name", row: Int64(row.int(3)))
      try body(
        Entry(
          viewer: String(decoding: name, as: UTF8.self), role: row.string(1),
          reason: row.string(2), hour: row.instant(3), count: row.int(4)))
    }
  }
}
