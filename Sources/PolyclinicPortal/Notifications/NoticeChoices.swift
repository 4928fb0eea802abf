import PolyclinicCore
import PolyclinicWeb

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

extension Guardianship {
  /// True if the guardian hears of the notices of the person, who has an account or not: by choice,
  /// and by default only of those that nobody else reads. A parent never hears of those of a child
  /// with an account.
  func hearsOfNotices(hasAccount: Bool, on connection: Connection) throws -> Bool {
    if hasAccount, basis != .consent { return false }
    let isWanted = try connection.integer(
      """
      SELECT is_wanted FROM notifications_people WHERE person = \(guardian) AND about = \(person)
      """)
    return isWanted.map { $0 != 0 } ?? !hasAccount
  }
}

/// A person for whom a reader acts, and whose notices the reader may choose to hear of.
struct NoticeSubject {
  let person: ID<Person>
  let name: String
  /// True if the person reads the notices in an account of their own.
  let hasAccount: Bool
  let isHeard: Bool

  /// Returns those of the visitor, in the order in which the guardianships began.
  static func all(in context: Context) throws -> [NoticeSubject] {
    let people = Dictionary(
      context.peopleInCare.map { ($0.inCare.person, $0.inCare.name) },
      uniquingKeysWith: { one, _ in one })
    if people.isEmpty { return [] }
    let members = Set(
      try context.rows(
        "SELECT person FROM accounts WHERE person IN \(list: Array(people.keys))"
      ) { row -> ID<Person> in row.id(0) })
    return try Guardianship.all(of: context.signedIn().person, context.server.vault, on: context)
      .compactMap { guardianship in
        let person = guardianship.person
        let hasAccount = members.contains(person)
        guard let name = people[person], !hasAccount || guardianship.basis == .consent else {
          return nil
        }
        return NoticeSubject(
          person: person, name: name, hasAccount: hasAccount,
          isHeard: try guardianship.hearsOfNotices(hasAccount: hasAccount, on: context))
      }
  }

  /// Stores another choice of a reader.
  func store(_ isWanted: Bool, of reader: ID<Person>, on connection: Connection) throws {
    try connection.run(
      """
      INSERT INTO notifications_people (person, about, is_wanted)
      VALUES (\(reader), \(person), \(isWanted))
      ON CONFLICT (person, about) DO UPDATE SET is_wanted = excluded.is_wanted
      """)
  }
}
