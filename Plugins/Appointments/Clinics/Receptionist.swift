import PolyclinicCore

/// A receptionist at the reception of a clinic.
struct Receptionist: Sendable {
  let person: ID<Person>
  let name: String
}

extension Receptionist {
  /// Returns the clinics at whose receptions the person works, by ID.
  static func clinics(
    of person: ID<Person>, in work: Work
  ) throws -> [Clinic] {
    let ids: [ID<Clinic>] = try work.rows(
      "SELECT clinic FROM appointments_receptionists WHERE person = \(person) ORDER BY clinic"
    ) { $0.id(0) }
    return try ids.compactMap { try Clinic.find($0, in: work) }
  }

  /// True if the person works at the reception of the doctor's clinic.
  static func works(
    _ person: ID<Person>, for doctor: ID<Doctor>, in work: Work
  ) throws -> Bool {
    try work.integer(
      """
      SELECT 1 FROM appointments_doctors JOIN appointments_departments ON id_department = department
      JOIN appointments_receptionists AS receptionists
        ON receptionists.clinic = appointments_departments.clinic
      WHERE id_doctor = \(doctor) AND receptionists.person = \(person)
      """) != nil
  }

  /// Returns the receptionists of a clinic by name, for administrators. Needs a write transaction,
  /// because reading a name adds an entry to that person's access log.
  static func all(
    at clinic: ID<Clinic>, _ context: Context
  ) throws -> [Receptionist] {
    let people = try people(at: clinic, in: context)
    let works = try context.of(
      people, for: .administration, reading: "log.viewed.staff")
    let named = try people.compactMap { person -> Receptionist? in
      guard let work = works[person], let name = try context.portal.people.name(in: work)
      else { return nil }
      return Receptionist(person: person, name: name)
    }
    return named.sorted { SearchText($0.name) < SearchText($1.name) }
  }

  /// Returns the people who work at the reception of a clinic.
  static func people(
    at clinic: ID<Clinic>, in work: Work
  ) throws -> [ID<Person>] {
    try work.rows(
      "SELECT person FROM appointments_receptionists WHERE clinic = \(clinic) ORDER BY person"
    ) { $0.id(0) }
  }

  /// Assigns a person to the reception of a clinic. A repeated call changes nothing.
  static func assign(
    _ person: ID<Person>, to clinic: ID<Clinic>, in work: Work
  ) throws {
    try work.run(
      """
      INSERT INTO appointments_receptionists (person, clinic) VALUES (\(person), \(clinic))
      ON CONFLICT DO NOTHING
      """)
  }

  /// Removes a person from the reception of a clinic.
  static func remove(
    _ person: ID<Person>, from clinic: ID<Clinic>, in work: Work
  ) throws {
    try work.run(
      """
      DELETE FROM appointments_receptionists WHERE person = \(person) AND clinic = \(clinic)
      """)
  }
}
