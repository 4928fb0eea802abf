import PolyclinicCore

/// A doctor of a department.
struct Doctor: Sendable {
  let id: ID<Doctor>
  /// The account; nil after its erasure.
  var person: ID<Person>?
  let name: DoctorName
  var department: ID<Department>
  /// The length of an appointment in minutes, a multiple of five; nil for the configured length.
  var slotMinutes: Int?
  /// The moment from which the doctor cannot be booked; nil while the doctor is enabled.
  var disabledAt: Instant?
}

extension Doctor {
  /// The columns, in the order in which ``init(_:)`` reads them.
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

  /// Returns the doctor with this ID, enabled or disabled; nil if there is none.
  static func find(_ id: ID<Doctor>, in work: Work) throws -> Doctor? {
    try work.row(
      "SELECT \(columns) FROM appointments_doctors WHERE id_doctor = \(id)", Doctor.init)
  }

  /// Returns the doctor with this account; nil if the person is not a doctor.
  static func of(_ person: ID<Person>, in work: Work) throws -> Doctor? {
    try work.row(
      "SELECT \(columns) FROM appointments_doctors WHERE person = \(person)", Doctor.init)
  }

  /// Returns the doctors of departments who can be booked, by ID.
  static func enabled(
    of departments: [ID<Department>], in work: Work
  ) throws -> [Doctor] {
    try work.rows(
      """
      SELECT \(columns) FROM appointments_doctors
      WHERE department IN \(list: departments) AND person IS NOT NULL AND disabled_at IS NULL
      ORDER BY id_doctor
      """, Doctor.init)
  }

  /// Returns the doctors of all departments whom the public pages list, by ID: those who can be
  /// booked and have working hours from today on, or whose waiting list is open.
  static func listed(from today: CalendarDate, in work: Work) throws -> [Doctor] {
    try work.rows(
      """
      SELECT \(columns) FROM appointments_doctors
      WHERE person IS NOT NULL AND disabled_at IS NULL AND (
        EXISTS (SELECT 1 FROM appointments_hours WHERE doctor = id_doctor AND kind = 'work')
        OR EXISTS (
          SELECT 1 FROM appointments_exceptions
          WHERE doctor = id_doctor AND kind = 'extra' AND date >= \(today))
        OR EXISTS (
          SELECT 1 FROM appointments_sessions
          WHERE appointments_sessions.doctor = id_doctor AND appointments_sessions.closed_at IS NULL))
      ORDER BY id_doctor
      """, Doctor.init)
  }

  /// Returns all doctors of these departments, by ID.
  static func all(of departments: [ID<Department>], in work: Work) throws -> [Doctor] {
    try work.rows(
      """
      SELECT \(columns) FROM appointments_doctors WHERE department IN \(list: departments)
      ORDER BY id_doctor
      """, Doctor.init)
  }
}

extension Doctor {
  /// Returns the IDs of all doctors of a clinic.
  static func ids(at clinic: ID<Clinic>, in work: Work) throws -> [ID<Doctor>] {
    try work.rows(
      """
      SELECT id_doctor FROM appointments_doctors
        JOIN appointments_departments ON department = id_department
      WHERE clinic = \(clinic) ORDER BY id_doctor
      """
    ) { row -> ID<Doctor> in row.id(0) }
  }

  /// Enables the doctor again, unless the account was erased.
  static func enable(_ id: ID<Doctor>, in work: Work) throws {
    try work.run(
      """
      UPDATE appointments_doctors SET disabled_at = NULL
      WHERE id_doctor = \(id) AND person IS NOT NULL
      """)
  }

  /// Deletes a doctor. Throws ``Refusal/conflict(_:)`` if other records refer to it, such as past
  /// appointments.
  static func delete(_ id: ID<Doctor>, in work: Work) throws {
    do {
      _ = try work.runCounting("DELETE FROM appointments_doctors WHERE id_doctor = \(id)")
    } catch let error as DatabaseError where error.kind == .foreignKey {
      throw Refusal.conflict("admin.doctor.in-use")
    }
  }
}

extension [Doctor] {
  /// Returns the doctors by name, the disabled ones last.
  func sorted(by keys: Keys, in language: Language = .english) throws -> [Doctor] {
    try map {
      (
        rank: $0.disabledAt == nil ? 0 : 1,
        name: NameOrder(try $0.name.opened(by: keys, in: language), in: language), doctor: $0
      )
    }
    .sorted {
      ($0.rank, $0.name, $0.doctor.id) < ($1.rank, $1.name, $1.doctor.id)
    }
    .map(\.doctor)
  }
}
