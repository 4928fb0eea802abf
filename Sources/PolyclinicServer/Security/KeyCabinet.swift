import PolyclinicCore

/// Hands out people's keys: the only way to those of another than the visitor.
struct KeyCabinet {
  private let vault: Vault
  private let relations: (any CareRelations)?

  /// Without `relations` there is nobody whom a doctor or a receptionist may open.
  init(_ vault: Vault, relations: (any CareRelations)? = nil) {
    self.vault = vault
    self.relations = relations
  }

  /// A person's keys for the person's own sake: sign-in, a job's own slots; nil when there is no such person.
  func keys(of person: ID<Person>, on connection: Connection) throws -> Keys? {
    try connection.row("SELECT wrapped_key, erasure_id FROM people WHERE id_person = \(person)") {
      try vault.keys(of: person, wrapped: $0.bytes(0), erasureID: $0.bytes(1))
    }
  }

  /// Those of `people` who exist; asks nobody, and records nothing.
  private func keys(of people: [ID<Person>], on connection: Connection) throws -> [Keys] {
    try people.parts(of: 256).flatMap { part in
      try connection.rows(
        "SELECT id_person, wrapped_key, erasure_id FROM people WHERE id_person IN \(list: part)"
      ) { try vault.keys(of: $0.id(0), wrapped: $0.bytes(1), erasureID: $0.bytes(2)) }
    }
  }
}

extension KeyCabinet: KeyHolder {
  func keys(
    of people: [ID<Person>], for reason: AccessReason, asking visitor: Visitor, at now: Instant,
    on connection: Connection
  ) throws -> [ID<Person>: Keys] {
    try check(people, for: reason, asking: visitor, at: now, on: connection)
    let found = try keys(of: people, on: connection)
    try AccessLog.record(
      found.filter { $0.person != visitor.person }, visitor, reason, at: now, on: connection)
    return Dictionary(found.map { ($0.person, $0) }, uniquingKeysWith: { one, _ in one })
  }

  func recordChange(
    _ change: Text, of people: [ID<Person>], for reason: AccessReason, by visitor: Visitor,
    at now: Instant, on connection: Connection
  ) throws {
    try check(people, for: reason, asking: visitor, at: now, on: connection)
    for keys in try keys(of: Set(people).sorted(), on: connection)
    where keys.person != visitor.person {
      try ChangeLog.record(change, of: keys, visitor, reason, at: now, on: connection)
    }
  }

  /// Throws ``Refusal/forbidden`` where the visitor may not open even one of the people for this reason.
  private func check(
    _ people: [ID<Person>], for reason: AccessReason, asking visitor: Visitor, at now: Instant,
    on connection: Connection
  ) throws {
    guard visitor.roles.contains(reason.role) else { throw Refusal.forbidden }
    if reason == .administration { return }
    let others = Set(people).subtracting([visitor.person])
    if others.isEmpty { return }
    guard let relations else { throw Refusal.forbidden }
    let allowed = try relations.allowed(
      others, to: visitor, for: reason, at: now, on: connection)
    guard allowed.isSuperset(of: others) else { throw Refusal.forbidden }
  }
}

extension Array {
  /// The elements in their order, at most so many at a time.
  func parts(of length: Int) -> [[Element]] {
    stride(from: 0, to: count, by: length).map { Array(self[$0...].prefix(length)) }
  }
}
