import PolyclinicCore
import PolyclinicWeb

/// The integrity check of all stored data. SQLite's own check covers pages but not values; only
/// opening a sealed value shows that it was changed.
package struct IntegrityCheck {
  package let server: ServerContext

  package init(server: ServerContext) {
    self.server = server
  }

  /// Returns a line for each unreadable value, and for each derived value that does not match its
  /// records. Covers all modules, even disabled ones. The lines quote no data.
  package func problems() throws -> [String] {
    try forEachPerson { person in
      try server.database.read { connection in
        guard let work = try work(of: person, on: connection) else { return ["the key"] }
        let account = try Account.find(person, on: connection)
        guard account?.isGenuine(server.vault) ?? true else {
          return ["account: was changed by something else than the portal"]
        }
        return server.installation.members.flatMap { problems(of: $0, in: work) }
      }
    }
  }

  /// Rebuilds the derived data of all modules, in one transaction for each person. Returns a line
  /// for each failure.
  package func rebuild() throws -> [String] {
    let indexes = server.installation.members.flatMap(\.module.rebuildableIndexes)
    return try forEachPerson { person in
      try server.database.write { connection in
        guard let work = try work(of: person, on: connection) else { return }
        for index in indexes { try index.rebuild(work) }
      }
      return []
    }
  }

  private func work(of person: ID<Person>, on connection: Connection) throws -> Work? {
    try KeyStore(server.vault).unloggedKeys(of: person, on: connection).map {
      Work(keys: $0, at: server.clock(), on: connection)
    }
  }

  private func forEachPerson(_ look: (ID<Person>) throws -> [String]) throws -> [String] {
    let people: [ID<Person>] = try server.database.read {
      try $0.rows("SELECT id_person FROM people ORDER BY id_person") { $0.id(0) }
    }
    return people.flatMap { person in
      attempt("all", { try look(person) }).map { "person \(person): \($0)" }
    }
  }

  private func problems(of member: InstalledModule, in work: Work) -> [String] {
    let id = member.module.id
    let records = attempt("\(id)") {
      try member.module.personalData.openAll(in: work)
      return []
    }
    return member.module.rebuildableIndexes.reduce(into: records) { found, index in
      let name = "\(id)/\(index.name)"
      let remedy = "polyclinic check --rebuild makes it anew"
      found += attempt(name, or: remedy) {
        try index.isSound(work)
          ? [] : ["\(name): not as the records are (\(remedy))"]
      }
    }
  }

  /// Reports only the type of an error, because its text may quote data.
  private func attempt(
    _ what: String, or remedy: String = "a backup from before the damage has it",
    _ look: () throws -> [String]
  ) -> [String] {
    do { return try look() } catch {
      return ["\(what): cannot be read, \(remedy) (\(type(of: error)))"]
    }
  }
}
