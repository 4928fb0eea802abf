import PolyclinicCore

/// The log of changes that others made to a person's data, one entry for each change.
///
/// The change and the author's name are sealed. Only the author's number (until erased), role,
/// reason and time are stored in plain text.
package enum ChangeLog {
  package static let schema: [SQL] = [
    """
    CREATE TABLE change_log (
      id_change \(.identity),
      person \(.person),
      author \(.actor),
      author_role TEXT NOT NULL,
      reason TEXT NOT NULL,
      at \(.integer) NOT NULL,
      sealed \(.bytes) NOT NULL
    ) \(.strict)
    """,
    "CREATE INDEX change_log_person ON change_log (person, at)",
    "CREATE INDEX change_log_author ON change_log (author)",
  ]

  /// Records a change by the visitor, to the person whose keys the work has.
  package static func record(_ change: Text, for reason: AccessReason, in work: Work) throws {
    let visitor = try work.signedIn()
    try record(
      change, of: work.keys, by: visitor.person, called: visitor.name, reason, at: work.now,
      on: work)
  }

  /// Records a change. `author` is nil for the server's command line and for a person with a link.
  package static func record(
    _ change: Text, of keys: Keys, by author: ID<Person>?, called name: String,
    _ reason: AccessReason, at now: Instant, on connection: Connection
  ) throws {
    let sealed = try keys.seal(
      Content(author: name, change: change).bytes, as: "change_log.sealed", row: now.seconds)
    try connection.run(
      """
      INSERT INTO change_log (person, author, author_role, reason, at, sealed)
      VALUES (\(keys.person), \(author), \(reason.role.rawValue), \(reason.rawValue),
        \(now), \(sealed))
      """)
  }

  /// One change of a person's data.
  package struct Entry {
    package let author: String
    package let role: String
    package let reason: String
    package let at: Instant
    /// The change, in the strings of the module that it names.
    package let change: Text
  }

  /// Returns the changes that others made to a person's data, latest first.
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
    SELECT author_role, reason, at, sealed FROM change_log
    WHERE person = \(person) ORDER BY at DESC, id_change DESC LIMIT \(limit)
    """
  }
}

extension ChangeLog.Entry {
  fileprivate init(_ row: Row, by keys: Keys) throws {
    let content = try Content(
      keys.open(row.sealed(3), as: "change_log.sealed", row: Int64(row.int(2))))
    (author, change) = (content.author, content.change)
    (role, reason, at) = (row.string(0), row.string(1), row.instant(2))
  }
}

/// The sealed part of an entry.
private struct Content {
  let author: String
  let change: Text
}

extension Content {
  init(_ bytes: [UInt8]) throws {
    var reader = ByteReader(bytes)
    author = try reader.string()
    change = try reader.text()
  }

  var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.write(author)
    writer.write(change)
    return writer.bytes
  }
}
