import PolyclinicCore

/// A department of a clinic: the doctors of one specialization.
struct Department: Sendable {
  let id: ID<Department>
  let clinic: ID<Clinic>
  var specialization: Specialization
  /// The moment from which nothing can be booked; nil while the department is open.
  var closedAt: Instant?
}

extension Department {
  /// The columns, in the order in which ``init(_:)`` reads them.
  static let columns: SQL = """
    id_department, clinic, specialization, appointments_departments.closed_at
    """
  static let columnCount = 4

  /// Returns nil if a later release has added the specialization.
  init?(_ row: Row) {
    guard let specialization = Specialization(rawValue: row.string(2)) else { return nil }
    id = row.id(0)
    clinic = row.id(1)
    self.specialization = specialization
    closedAt = row.optional(3, Row.instant)
  }

  /// Returns the department with this ID, open or closed; nil if it does not exist.
  static func find(_ id: ID<Department>, in work: Work) throws -> Department? {
    try work.row(
      """
      SELECT \(columns) FROM appointments_departments
      WHERE id_department = \(id)
      """, Department.init) ?? nil
  }

  /// Returns the open departments of all clinics.
  static func open(in work: Work) throws -> [Department] {
    try work.rows(
      "SELECT \(columns) FROM appointments_departments WHERE closed_at IS NULL ORDER BY id_department",
      Department.init
    ).compactMap(\.self)
  }

  /// Returns the open departments of a clinic.
  static func open(of clinic: ID<Clinic>, in work: Work) throws -> [Department] {
    try work.rows(
      """
      SELECT \(columns) FROM appointments_departments
      WHERE clinic = \(clinic) AND closed_at IS NULL ORDER BY id_department
      """, Department.init
    ).compactMap(\.self)
  }

  /// Returns all departments of a clinic, the closed ones last.
  static func all(of clinic: ID<Clinic>, in work: Work) throws -> [Department] {
    try work.rows(
      """
      SELECT \(columns) FROM appointments_departments
      WHERE clinic = \(clinic) ORDER BY closed_at IS NOT NULL, id_department
      """, Department.init
    ).compactMap(\.self)
  }
}

extension Department {
  /// Stores a new department. Throws ``Refusal/invalid(_:_:)`` if the clinic already has this
  /// specialization.
  static func insert(
    _ specialization: Specialization, into clinic: ID<Clinic>, in work: Work
  ) throws -> ID<Department> {
    do {
      return try work.insert(
        """
        INSERT INTO appointments_departments (clinic, specialization)
        VALUES (\(clinic), \(specialization.rawValue))
        """)
    } catch let error as DatabaseError where error.kind == .unique {
      throw Refusal.invalid("specialization", "admin.error.department-twice")
    }
  }

  /// Reopens a closed department.
  static func reopen(_ id: ID<Department>, in work: Work) throws {
    try work.run(
      "UPDATE appointments_departments SET closed_at = NULL WHERE id_department = \(id)")
  }

  /// Deletes a department. Throws ``Refusal/conflict(_:)`` if it has doctors.
  static func delete(_ id: ID<Department>, in work: Work) throws {
    do {
      _ = try work.runCounting("DELETE FROM appointments_departments WHERE id_department = \(id)")
    } catch let error as DatabaseError where error.kind == .foreignKey {
      throw Refusal.conflict("admin.department.in-use")
    }
  }
}
