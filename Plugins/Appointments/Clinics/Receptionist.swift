import PolyclinicCore

/// Somebody who works at the desk of a clinic.
struct Receptionist: Sendable {
  let person: ID<Person>
  let name: String
}

extension Receptionist {
  /// The clinics at whose desks somebody works, by number.
  static func clinics(
    of person: ID<Person>, on connection: Connection
  ) throws -> [Clinic] {
    let ids: [ID<Clinic>] = try connection.rows(
      "SELECT clinic FROM appointments_receptionists WHERE person = \(person) ORDER BY clinic"
    ) { $0.id(0) }
    return try ids.compactMap { try Clinic.find($0, on: connection) }
  }

  /// Whether somebody works at the desk of the clinic in which a doctor sees patients.
  static func works(
    _ person: ID<Person>, for doctor: ID<Doctor>, on connection: Connection
  ) throws -> Bool {
    try connection.integer(
      """
      SELECT 1 FROM appointments_doctors JOIN appointments_departments ON id_department = department
      JOIN appointments_receptionists AS receptionists
        ON receptionists.clinic = appointments_departments.clinic
      WHERE id_doctor = \(doctor) AND receptionists.person = \(person)
      """) != nil
  }

  /// Those at the desk of a clinic, by name; each reads of it in the access log. For administrators,
  /// in a `write`.
  static func all(
    at clinic: ID<Clinic>, _ context: Context, on connection: Connection
  ) throws -> [Receptionist] {
    let people = try connection.rows(
      "SELECT person FROM appointments_receptionists WHERE clinic = \(clinic) ORDER BY person"
    ) { row -> ID<Person> in row.id(0) }
    let keys = try context.keys(of: people, for: .administration, on: connection)
    let named = try people.compactMap { person -> Receptionist? in
      guard let keys = keys[person],
        let name = try context.portal.people.name(by: keys, on: connection)
      else { return nil }
      return Receptionist(person: person, name: name)
    }
    return named.sorted { SearchText($0.name) < SearchText($1.name) }
  }

  /// Lets somebody work at the desk of a clinic; a second time changes nothing.
  static func assign(
    _ person: ID<Person>, to clinic: ID<Clinic>, on connection: Connection
  ) throws {
    try connection.run(
      """
      INSERT INTO appointments_receptionists (person, clinic) VALUES (\(person), \(clinic))
      ON CONFLICT DO NOTHING
      """)
  }

  /// Takes it back.
  static func withdraw(
    _ person: ID<Person>, from clinic: ID<Clinic>, on connection: Connection
  ) throws {
    try connection.run(
      """
      DELETE FROM appointments_receptionists WHERE person = \(person) AND clinic = \(clinic)
      """)
  }
}
