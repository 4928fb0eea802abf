import PolyclinicCore

/// A part of a clinic: the doctors of one specialization.
struct Department: Sendable {
  let id: ID<Department>
  let clinic: ID<Clinic>
  var specialization: Specialization
  /// Since when nothing can be booked there.
  var closedAt: Instant?
}

extension Department {
  private init?(_ row: Row) {
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
      SELECT id_department, clinic, specialization, closed_at FROM appointments_departments
      WHERE id_department = \(id)
      """, Department.init) ?? nil
  }

  /// The departments of a clinic that are not closed.
  static func open(of clinic: ID<Clinic>, on connection: Connection) throws -> [Department] {
    try connection.rows(
      """
      SELECT id_department, clinic, specialization, closed_at FROM appointments_departments
      WHERE clinic = \(clinic) AND closed_at IS NULL ORDER BY id_department
      """, Department.init
    ).compactMap(\.self)
  }
}
