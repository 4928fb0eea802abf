import PolyclinicCore

/// The ways in which a person wants to be told, for each kind of notice.
enum NoticeChoices {
  /// What the person has chosen for a kind such as `appointments/reminder`; nil for nothing yet.
  static func ways(
    _ kind: String, of person: ID<Person>, on connection: Connection
  ) throws -> Set<NoticeKind.Way>? {
    try connection.row(
      "SELECT ways FROM notifications_choices WHERE person = \(person) AND kind = \(kind)"
    ) { ways($0.string(0)) }
  }

  /// All that the person has chosen, by kind.
  static func all(
    of person: ID<Person>, on connection: Connection
  ) throws -> [String: Set<NoticeKind.Way>] {
    let rows = try connection.rows(
      "SELECT kind, ways FROM notifications_choices WHERE person = \(person)"
    ) { ($0.string(0), ways($0.string(1))) }
    return Dictionary(rows, uniquingKeysWith: { one, _ in one })
  }

  static func set(
    _ ways: Set<NoticeKind.Way>, for kind: String, of person: ID<Person>,
    on connection: Connection
  ) throws {
    let text = ways.map(\.rawValue).sorted().joined(separator: ",")
    try connection.run(
      """
      INSERT INTO notifications_choices (person, kind, ways) VALUES (\(person), \(kind), \(text))
      ON CONFLICT (person, kind) DO UPDATE SET ways = excluded.ways
      """)
  }

  private static func ways(_ text: String) -> Set<NoticeKind.Way> {
    Set(text.split(separator: ",").compactMap { NoticeKind.Way(rawValue: String($0)) })
  }
}
