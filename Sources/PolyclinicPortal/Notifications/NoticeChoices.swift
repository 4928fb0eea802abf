import PolyclinicCore

/// A person's choices of how to be notified.
struct NoticeChoices {
  let person: ID<Person>
  /// The choice for each kind such as `appointments/reminder`; none for a kind without a choice.
  let ways: [String: Set<Notice.Kind.Way>]

  init(of person: ID<Person>, on connection: Connection) throws {
    self.person = person
    let rows = try connection.rows(
      "SELECT kind, ways FROM notifications_choices WHERE person = \(person)"
    ) { row in
      (row.string(0), Self.ways(row.string(1)))
    }
    ways = Dictionary(rows, uniquingKeysWith: { one, _ in one })
  }

  /// Returns the ways of a stored choice.
  static func ways(_ text: String) -> Set<Notice.Kind.Way> {
    Set(text.split(separator: ",").compactMap { Notice.Kind.Way(rawValue: String($0)) })
  }

  /// Stores another choice for a kind.
  func store(
    _ ways: Set<Notice.Kind.Way>, for kind: String, on connection: Connection
  ) throws {
    let text = ways.map(\.rawValue).sorted().joined(separator: ",")
    try connection.run(
      """
      INSERT INTO notifications_choices (person, kind, ways) VALUES (\(person), \(kind), \(text))
      ON CONFLICT (person, kind) DO UPDATE SET ways = excluded.ways
      """)
  }
}
