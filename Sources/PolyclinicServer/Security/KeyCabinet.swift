import PolyclinicCore

/// Hands out people's keys: the only way to those of another than the visitor.
struct KeyCabinet: KeyHolder {
  static let migration = Migration(
    "0006-access-log",
    """
    CREATE TABLE access_log (
      id_access \(.identity),
      person \(.person),
      looker \(.actor),
      looker_name \(.bytes) NOT NULL,
      looker_role TEXT NOT NULL,
      reason TEXT NOT NULL,
      hour \(.integer) NOT NULL,
      count \(.integer) NOT NULL,
      UNIQUE (person, looker, reason, hour)
    ) \(.strict)
    """,
    "CREATE INDEX access_log_looker ON access_log (looker)")

  private let vault: Vault

  init(_ vault: Vault) { self.vault = vault }

  /// A person's keys for the person's own sake: sign-in, a job's own slots; nil when there is no such person.
  func keys(of person: ID<Person>, on connection: Connection) throws -> Keys? {
    try connection.row("SELECT wrapped_key, erasure_id FROM people WHERE id_person = \(person)") {
      try vault.keys(of: person, wrapped: $0.bytes(0), erasureID: $0.bytes(1))
    }
  }

  func keys(
    of people: [ID<Person>], for reason: AccessReason, asking visitor: Visitor, at now: Instant,
    on connection: Connection
  ) throws -> [ID<Person>: Keys] {
    guard let role = Self.role(of: visitor, giving: reason) else { throw Refusal.forbidden }
    var found: [ID<Person>: Keys] = [:]
    for start in stride(from: 0, to: people.count, by: 256) {
      let part = Array(people[start...].prefix(256))
      let keys = try connection.rows(
        """
        SELECT id_person, wrapped_key, erasure_id FROM people WHERE id_person IN \(list: part)
        """
      ) { try vault.keys(of: $0.id(0), wrapped: $0.bytes(1), erasureID: $0.bytes(2)) }
      for keys in keys { found[keys.person] = keys }
    }
    let others = found.values.filter { $0.person != visitor.person }
    for start in stride(from: 0, to: others.count, by: 256) {
      try record(
        Array(others[start...].prefix(256)), visitor, role, reason, at: now, on: connection)
    }
    return found
  }

  /// The role by which the visitor may look for this reason; nil when there is none.
  private static func role(of visitor: Visitor, giving reason: AccessReason) -> Role? {
    switch reason {
    case .administration: visitor.roles.contains(.administrator) ? .administrator : nil
    }
  }

  /// One entry per looker, person, reason and hour, with a count: where the hour has one, no name is
  /// sealed again, so that a search through everybody stays one statement for many people.
  private func record(
    _ opened: [Keys], _ visitor: Visitor, _ role: Role, _ reason: AccessReason, at now: Instant,
    on connection: Connection
  ) throws {
    let hour = now.seconds / 3_600 * 3_600
    let counted = try connection.rows(
      """
      UPDATE access_log SET count = count + 1
      WHERE looker = \(visitor.person) AND reason = \(reason.rawValue) AND hour = \(hour)
        AND person IN \(list: opened.map(\.person))
      RETURNING person
      """
    ) { row -> ID<Person> in row.id(0) }
    let known = Set(counted)
    for keys in opened where !known.contains(keys.person) {
      let name = try keys.seal(Array(visitor.name.utf8), as: "access_log.looker_name", row: hour)
      try connection.run(
        """
        INSERT INTO access_log (person, looker, looker_name, looker_role, reason, hour, count)
        VALUES (\(keys.person), \(visitor.person), \(name), \(role.rawValue), \(reason.rawValue),
          \(hour), 1)
        """)
    }
  }

  /// One line of a person's access log.
  struct Access {
    let looker: String
    let role: String
    let reason: String
    let hour: Instant
    let count: Int
  }

  /// Who looked at a person's data, the latest first.
  func accesses(to keys: Keys, on connection: Connection) throws -> [Access] {
    try connection.rows(
      """
      SELECT looker_name, looker_role, reason, hour, count FROM access_log
      WHERE person = \(keys.person) ORDER BY hour DESC, id_access DESC LIMIT 500
      """
    ) { row in
      let name = try keys.open(
        row.sealed(0), as: "access_log.looker_name", row: Int64(row.int(3)))
      return Access(
        looker: String(decoding: name, as: UTF8.self), role: row.string(1), reason: row.string(2),
        hour: row.instant(3), count: row.int(4))
    }
  }
}
