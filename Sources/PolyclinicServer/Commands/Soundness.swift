import PolyclinicCore

/// Whether what is kept about people can be opened. SQLite's own check looks at pages and not into
/// values: that a sealed one was changed, only opening it tells.
struct Soundness {
  let front: Front

  /// What cannot be read, and what does not agree with the records that it follows from, a line each,
  /// of all modules, also those that are off. Nothing of anybody's data is quoted.
  func problems() throws -> [String] {
    try forEachPerson { person in
      try front.database.read { connection in
        guard let keys = try keys(of: person, on: connection) else { return ["the key"] }
        let account = try Account.find(person, on: connection)
        guard try account?.isGenuine(front.vault, on: connection) ?? true else {
          return ["account: was changed by something else than the portal"]
        }
        return front.installation.members.flatMap { problems(in: $0, of: keys, on: connection) }
      }
    }
  }

  /// Makes anew what all modules derive, a transaction a person; returns what could not be, a line each.
  func rebuild() throws -> [String] {
    let derived = front.installation.members.flatMap(\.module.derived)
    return try forEachPerson { person in
      try front.database.write { connection in
        guard let keys = try keys(of: person, on: connection) else { return }
        for one in derived { try one.rebuild(keys, connection) }
      }
      return []
    }
  }

  private func keys(of person: ID<Person>, on connection: Connection) throws -> Keys? {
    try KeyCabinet(front.vault).keys(of: person, on: connection)
  }

  private func forEachPerson(_ look: (ID<Person>) throws -> [String]) throws -> [String] {
    let people: [ID<Person>] = try front.database.read {
      try $0.rows("SELECT id_person FROM people ORDER BY id_person") { $0.id(0) }
    }
    return people.flatMap { person in
      attempt("all", { try look(person) }).map { "person \(person): \($0)" }
    }
  }

  private func problems(
    in member: Installation.Member, of keys: Keys, on connection: Connection
  ) -> [String] {
    let id = member.module.id
    let records = attempt("\(id)") {
      try member.module.personalData.openAll(by: keys, on: connection)
      return []
    }
    return member.module.derived.reduce(into: records) { found, derived in
      let name = "\(id)/\(derived.name)"
      let remedy = "polyclinic check --rebuild makes it anew"
      found += attempt(name, or: remedy) {
        try derived.isSound(keys, connection)
          ? [] : ["\(name): not as the records are (\(remedy))"]
      }
    }
  }

  /// Of an error only its type: its text may quote data.
  private func attempt(
    _ what: String, or remedy: String = "a backup from before the damage has it",
    _ look: () throws -> [String]
  ) -> [String] {
    do { return try look() } catch {
      return ["\(what): cannot be read, \(remedy) (\(type(of: error)))"]
    }
  }
}
