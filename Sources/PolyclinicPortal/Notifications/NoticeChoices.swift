import PolyclinicCore

/// A person's choices of how to be notified, for each kind of notice.
enum NoticeChoices {
  /// Returns the choice for a kind such as `appointments/reminder`; nil if the person has made
  /// none.
  static func ways(
    _ kind: String, of person: ID<Person>, on connection: Connection
  ) throws -> Set<Notice.Kind.Way>? {
    try connection.row(
      "SELECT ways FROM notifications_choices WHERE person = \(person) AND kind = \(kind)"
    ) { ways($0.string(0)) }
  }

  /// Returns all choices of the person, by kind.
  static func all(
    of person: ID<Person>, on connection: Connection
  ) throws -> [String: Set<Notice.Kind.Way>] {
    let rows = try connection.rows(
      "SELECT kind, ways FROM notifications_choices WHERE person = \(person)"
    ) { ($0.string(0), ways($0.string(1))) }
    return Dictionary(rows, uniquingKeysWith: { one, _ in one })
  }

  static func set(
    _ ways: Set<Notice.Kind.Way>, for kind: String, of person: ID<Person>,
    on connection: Connection
  ) throws {
    let text = ways.map(\.rawValue).sorted().joined(separator: ",")
    try connection.run(
      """
      INSERT INTO notifications_choices (person, kind, ways) VALUES (\(person), \(kind), \(text))
      ON CONFLICT (person, kind) DO UPDATE SET ways = excluded.ways
      """)
  }

  private static func ways(_ text: String) -> Set<Notice.Kind.Way> {
    Set(text.split(separator: ",").compactMap { Notice.Kind.Way(rawValue: String($0)) })
  }
}
