import PolyclinicCore

/// A part of a clinic: the doctors of one specialization.
struct Department: Sendable {
  let id: ID<Department>
  let clinic: ID<Clinic>
  var specialization: Specialization
  /// The moment from which nothing can be booked there.
  var closedAt: Instant?
}

extension Department {
  /// In the order in which ``init(_:)`` reads them.
  static let columns: SQL = """
    id_department, clinic, specialization, appointments_departments.closed_at
    """
  static let columnCount = 4

  /// Nil for a specialization of a later release.
  init?(_ row: Row) {
    guard let specialization = Specialization(rawValue: row.string(2)) else { return nil }
    id = row.id(0)
    clinic = row.id(1)
    self.specialization = specialization
    closedAt = row.optional(3, Row.instant)
  }

  /// A department by its number, closed or not; nil for an unknown one.
  static func find(_ id: ID<Department>, on connection: Connection) throws -> Department? {
    try connection.row(
      """
      SELECT \(columns) FROM appointments_departments
      WHERE id_department = \(id)
      """, Department.init) ?? nil
  }

  /// The departments of a clinic that are not closed.
  static func open(of clinic: ID<Clinic>, on connection: Connection) throws -> [Department] {
    try connection.rows(
      """
      SELECT \(columns) FROM appointments_departments
      WHERE clinic = \(clinic) AND closed_at IS NULL ORDER BY id_department
      """, Department.init
    ).compactMap(\.self)
  }

  /// All departments of a clinic, the closed ones last.
  static func all(of clinic: ID<Clinic>, on connection: Connection) throws -> [Department] {
    try connection.rows(
      """
      SELECT \(columns) FROM appointments_departments
      WHERE clinic = \(clinic) ORDER BY closed_at IS NOT NULL, id_department
      """, Department.init
    ).compactMap(\.self)
  }
}

extension Department {
  /// Stores a new department; throws ``Refusal/invalid(_:_:)`` where the clinic has one of the kind.
  static func insert(
    _ specialization: Specialization, into clinic: ID<Clinic>, on connection: Connection
  ) throws -> ID<Department> {
    do {
      return try connection.insert(
        """
        INSERT INTO appointments_departments (clinic, specialization)
        VALUES (\(clinic), \(specialization.rawValue))
        """)
    } catch let error as DatabaseError where error.kind == .unique {
      throw Refusal.invalid("specialization", "admin.error.department-twice")
    }
  }

  /// Nothing can be booked there from `now` on; closing it twice changes nothing.
  static func close(_ id: ID<Department>, at now: Instant, on connection: Connection) throws {
    let doctors = try Doctor.all(of: id, on: connection)
    try Doctor.settle(doctors.map(\.id), at: now, on: connection)
    try connection.run(
      """
      UPDATE appointments_departments SET closed_at = \(now)
      WHERE id_department = \(id) AND closed_at IS NULL
      """)
  }

  /// Takes the closing back.
  static func reopen(_ id: ID<Department>, on connection: Connection) throws {
    try connection.run(
      "UPDATE appointments_departments SET closed_at = NULL WHERE id_department = \(id)")
  }

  /// Deletes a department without doctors; throws ``Refusal/conflict(_:)`` for one that has some.
  static func delete(_ id: ID<Department>, on connection: Connection) throws {
    do {
      try connection.run("DELETE FROM appointments_departments WHERE id_department = \(id)")
    } catch let error as DatabaseError where error.kind == .foreignKey {
      throw Refusal.conflict("admin.department.in-use")
    }
  }
}
