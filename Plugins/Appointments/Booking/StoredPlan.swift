import PolyclinicCore

extension Plan {
  /// The plan of a doctor for some days; nil for an unknown doctor.
  ///
  /// It does not say whether something can be booked: a disabled doctor keeps the plan.
  static func find(
    of doctor: ID<Doctor>, during days: ClosedRange<CalendarDate>, on connection: Connection
  ) throws -> Plan? {
    let place: (clinic: ID<Clinic>, zone: Zone)? = try connection.row(
      """
      SELECT id_clinic, time_zone FROM appointments_doctors
      JOIN appointments_departments ON id_department = department
      JOIN appointments_clinics ON id_clinic = clinic
      WHERE id_doctor = \(doctor)
      """
    ) { ($0.id(0), Zone($0.string(1)) ?? .utc) }
    guard let place else { return nil }
    return try find(
      of: doctor, at: place.clinic, in: place.zone, during: days, on: connection)
  }

  /// The plan of a practice for some days, in two short statements.
  static func find(
    of practice: Practice, during days: ClosedRange<CalendarDate>, on connection: Connection
  ) throws -> Plan {
    try find(
      of: practice.doctor.id, at: practice.clinic.id, in: practice.clinic.zone, during: days,
      on: connection)
  }

  private static func find(
    of doctor: ID<Doctor>, at clinic: ID<Clinic>, in zone: Zone,
    during days: ClosedRange<CalendarDate>, on connection: Connection
  ) throws -> Plan {
    let isOneDay = days.lowerBound == days.upperBound
    let weekday: SQL = isOneDay ? "AND weekday = \(days.lowerBound.weekday)" : ""
    let hours = try connection.rows(
      """
      SELECT weekday, starts, ends, kind FROM appointments_hours WHERE doctor = \(doctor) \(weekday)
      """, Hours.init)
    let exceptions = try connection.rows(
      """
      SELECT date, starts, ends, kind FROM appointments_exceptions
      WHERE doctor = \(doctor) AND date >= \(days.lowerBound) AND date <= \(days.upperBound)
      UNION ALL
      SELECT date, starts, ends, kind FROM appointments_exceptions
      WHERE clinic = \(clinic) AND date >= \(days.lowerBound) AND date <= \(days.upperBound)
      """, Exception.init)
    return Plan(
      zone: zone, days: days, hours: hours.compactMap(\.self),
      exceptions: exceptions.compactMap(\.self))
  }
}

extension Plan {
  /// The hours of a doctor are read from the index alone: with each look at free times, and each booking.
  static let indexMigration = Migration(
    "0006-hours-index",
    """
    CREATE INDEX appointments_hours_week
    ON appointments_hours (doctor, weekday, starts, ends, kind)
    """,
    "DROP INDEX appointments_hours_doctor")
}

extension Plan.Hours {
  /// Nil for a kind of a later release, and for a number that is not a weekday's.
  fileprivate init?(_ row: Row) {
    let (weekday, starts, ends) = (row.int(0), row.int(1), row.int(2))
    guard let kind = Kind(rawValue: row.string(3)), (1...7).contains(weekday), starts <= ends else {
      return nil
    }
    self.init(weekday: weekday, minutes: starts..<ends, kind: kind)
  }
}

extension Plan.Exception {
  /// Nil for a kind of a later release.
  fileprivate init?(_ row: Row) {
    guard let date = row.date(0), let kind = Kind(rawValue: row.string(3)), row.int(1) <= row.int(2)
    else { return nil }
    self.init(date: date, minutes: row.int(1)..<row.int(2), kind: kind)
  }
}
