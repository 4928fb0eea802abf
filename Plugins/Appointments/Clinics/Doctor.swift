import PolyclinicCore

/// Somebody who sees patients in a department; the name is public.
struct Doctor: Sendable {
  let id: ID<Doctor>
  /// The account; nil since it was erased.
  var person: ID<Person>?
  var name: String
  var department: ID<Department>
  /// The length of an appointment, a multiple of five; nil for what the configuration says.
  var slotMinutes: Int?
  /// Since when nothing can be booked with the doctor.
  var disabledAt: Instant?
}

extension Doctor {
  private static let columns: SQL = "id_doctor, person, name, department, slot_minutes, disabled_at"

  private init(_ row: Row) {
    id = row.id(0)
    person = row.optional(1, Row.id)
    name = row.string(2)
    department = row.id(3)
    slotMinutes = row.optional(4, Row.int)
    disabledAt = row.optional(5, Row.instant)
  }

  /// A doctor by number, disabled or not; nil for an unknown one.
  static func find(_ id: ID<Doctor>, on connection: Connection) throws -> Doctor? {
    try connection.row(
      "SELECT \(columns) FROM appointments_doctors WHERE id_doctor = \(id)", Doctor.init)
  }

  /// The doctor whose account this is; nil for everybody else.
  static func of(_ person: ID<Person>, on connection: Connection) throws -> Doctor? {
    try connection.row(
      "SELECT \(columns) FROM appointments_doctors WHERE person = \(person)", Doctor.init)
  }

  /// The doctors of a department with whom something can be booked, by name.
  static func enabled(
    of department: ID<Department>, on connection: Connection
  ) throws -> [Doctor] {
    try connection.rows(
      """
      SELECT \(columns) FROM appointments_doctors
      WHERE department = \(department) AND disabled_at IS NULL ORDER BY name, id_doctor
      """, Doctor.init)
  }
}
