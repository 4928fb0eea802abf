import PolyclinicCore

/// Somebody who sees patients in a department.
struct Doctor: Sendable {
  let id: ID<Doctor>
  /// The account; nil since it was erased.
  var person: ID<Person>?
  let name: DoctorName
  var department: ID<Department>
  /// The length of an appointment, a multiple of five; nil for what the configuration says.
  var slotMinutes: Int?
  /// The moment from which nothing can be booked with the doctor.
  var disabledAt: Instant?
}

extension Doctor {
  /// In the order in which ``init(_:)`` reads them.
  static let columns: SQL = "\(DoctorName.columns), person, department, slot_minutes, disabled_at"
  static let columnCount = DoctorName.columnCount + 4

  init(_ row: Row) {
    id = row.id(0)
    name = DoctorName(row)
    let behindName = row.from(DoctorName.columnCount)
    person = behindName.optional(0, Row.id)
    department = behindName.id(1)
    slotMinutes = behindName.optional(2, Row.int)
    disabledAt = behindName.optional(3, Row.instant)
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

  /// The doctors of a department with whom something can be booked, by number.
  static func enabled(
    of department: ID<Department>, on connection: Connection
  ) throws -> [Doctor] {
    try connection.rows(
      """
      SELECT \(columns) FROM appointments_doctors
      WHERE department = \(department) AND person IS NOT NULL AND disabled_at IS NULL
      ORDER BY id_doctor
      """, Doctor.init)
  }

  /// All doctors of a department, by number.
  static func all(of department: ID<Department>, on connection: Connection) throws -> [Doctor] {
    try connection.rows(
      """
      SELECT \(columns) FROM appointments_doctors WHERE department = \(department)
      ORDER BY id_doctor
      """, Doctor.init)
  }
}

extension Doctor {
  /// The numbers of all doctors of a clinic.
  static func ids(at clinic: ID<Clinic>, on connection: Connection) throws -> [ID<Doctor>] {
    try connection.rows(
      """
      SELECT id_doctor FROM appointments_doctors
        JOIN appointments_departments ON department = id_department
      WHERE clinic = \(clinic) ORDER BY id_doctor
      """
    ) { row -> ID<Doctor> in row.id(0) }
  }

  /// Stores who has been called until now, before something changes on which the calls depend.
  static func settle(
    _ doctors: [ID<Doctor>], at now: Instant, on connection: Connection
  ) throws {
    for doctor in doctors { try WaitingList.settle(doctor, at: now, on: connection) }
  }

  /// Nothing can be booked with the doctor from `now` on; doing it twice changes nothing.
  static func disable(_ id: ID<Doctor>, at now: Instant, on connection: Connection) throws {
    try settle([id], at: now, on: connection)
    try connection.run(
      """
      UPDATE appointments_doctors SET disabled_at = \(now)
      WHERE id_doctor = \(id) AND disabled_at IS NULL
      """)
  }

  /// Takes it back; not for somebody who has no account any more.
  static func enable(_ id: ID<Doctor>, on connection: Connection) throws {
    try connection.run(
      """
      UPDATE appointments_doctors SET disabled_at = NULL
      WHERE id_doctor = \(id) AND person IS NOT NULL
      """)
  }

  /// Deletes a doctor with whom nobody ever had anything; throws ``Refusal/conflict(_:)`` else.
  static func delete(_ id: ID<Doctor>, on connection: Connection) throws {
    do {
      try connection.run("DELETE FROM appointments_doctors WHERE id_doctor = \(id)")
    } catch let error as DatabaseError where error.kind == .foreignKey {
      throw Refusal.conflict("admin.doctor.in-use")
    }
  }
}
