import PolyclinicCore

/// The names of patients for staff.
enum PatientNames {
  /// Returns people's names. Needs a write transaction, because it adds an entry to each person's access log.
  static func find(
    of people: [ID<Person>], for reason: AccessReason, _ context: Context,
    on connection: Connection
  ) throws -> [ID<Person>: String] {
    let keys = try context.keys(of: Array(Set(people)), for: reason, on: connection)
    return try keys.compactMapValues { try context.portal.people.name(by: $0, on: connection) }
  }
}
