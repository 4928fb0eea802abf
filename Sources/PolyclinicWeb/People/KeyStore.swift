import PolyclinicCore
import PolyclinicVault

/// Returns people's keys. Modules reach it only through `Context.of(_:for:reading:)`, which checks the
/// reason and logs the access.
package struct KeyStore {
  private let vault: Vault
  private let relations: (any CareRelations)?

  /// Creates a key store. Without `relations`, doctors and receptionists cannot open any person's
  /// data.
  package init(_ vault: Vault, relations: (any CareRelations)? = nil) {
    self.vault = vault
    self.relations = relations
  }

  /// Returns a person's keys for the person's own use, such as signing in, or for a job's own
  /// columns. Returns nil if the person does not exist.
  package func unloggedKeys(of person: ID<Person>, on connection: Connection) throws -> Keys? {
    try connection.row("SELECT wrapped_key, erasure_id FROM people WHERE id_person = \(person)") {
      try vault.keys(of: person, wrapped: $0.bytes(0), erasureID: $0.bytes(1))
    }
  }

  /// Returns the keys of the people that exist. It checks no permission and logs no access.
  private func keys(of people: [ID<Person>], on connection: Connection) throws -> [Keys] {
    try people.parts(of: 256).flatMap { part in
      try connection.rows(
        """
        SELECT id_person, wrapped_key, erasure_id FROM people
        WHERE id_person IN \(list: part) ORDER BY id_person
        """
      ) { try vault.keys(of: $0.id(0), wrapped: $0.bytes(1), erasureID: $0.bytes(2)) }
    }
  }
}

extension KeyStore: KeyHolder {
  package func keys(
    of people: [ID<Person>], for reason: AccessReason, reading what: Text, in work: Work
  ) throws -> [ID<Person>: Keys] {
    let visitor = try check(people, for: reason, of: what.module, in: work)
    let found = try keys(of: people, on: work)
    try AccessLog.record(
      found.filter { $0.person != visitor.person }, for: reason, reading: what, in: work)
    return Dictionary(found.map { ($0.person, $0) }, uniquingKeysWith: { one, _ in one })
  }

  package func recordChange(
    _ change: Text, of people: [ID<Person>], for reason: AccessReason, in work: Work
  ) throws {
    let visitor = try check(people, for: reason, of: change.module, in: work)
    for keys in try keys(of: Set(people).sorted(), on: work) where keys.person != visitor.person {
      try AccessLog.record(change, for: reason, in: work.with(keys))
    }
  }

  package func peopleSharing(
    _ module: ModuleID, in work: Work
  ) throws -> [Portal.NamedPerson] {
    let visitor = try work.signedIn()
    let people = try SharingConsent.all(to: visitor.person, vault, in: work)
      .filter { $0.module == module && visitor.roles.contains($0.reason.role) }.map(\.person)
    return try Profile.unloggedNames(of: people, vault, on: work)
  }

  /// Returns the visitor. Throws ``Refusal/forbidden`` if the visitor may not open all of the
  /// people in this module for this reason.
  private func check(
    _ people: [ID<Person>], for reason: AccessReason, of module: ModuleID?, in work: Work
  ) throws -> Visitor {
    guard try allows(people, for: reason, of: module, in: work) else { throw Refusal.forbidden }
    return try work.signedIn()
  }

  /// Returns true if the visitor may open all of the people in a module for this reason.
  func allows(
    _ people: [ID<Person>], for reason: AccessReason, of module: ModuleID?, in work: Work
  ) throws -> Bool {
    let visitor = try work.signedIn()
    guard visitor.roles.contains(reason.role) else { return false }
    if reason == .administration { return true }
    let others = Set(people).subtracting([visitor.person])
    if others.isEmpty { return true }
    let allowed: Set<ID<Person>> =
      switch reason {
      case .guardianship:
        Set(
          try OpenedPerson.all(of: visitor.person, by: KeyCache(vault), in: work)
            .map(\.inCare.person))
      case .consent:
        Set(
          try SharingConsent.all(to: visitor.person, vault, in: work)
            .filter { $0.module == module && $0.reason == .consent }.map(\.person))
      case .administration, .care, .reception:
        try relations?.allowed(others, for: reason, in: work) ?? []
      }
    return allowed.isSuperset(of: others)
  }
}
