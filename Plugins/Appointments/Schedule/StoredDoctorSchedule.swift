import PolyclinicCore

extension DoctorSchedule {
  /// Returns the schedule of a doctor for a range of days; nil for an unknown doctor.
  ///
  /// A schedule does not mean that patients can book, because a disabled doctor keeps the schedule.
  static func find(
    of doctor: ID<Doctor>, during days: ClosedRange<CalendarDate>, in work: Work
  ) throws -> DoctorSchedule? {
    let place: (clinic: ID<Clinic>, zone: Zone)? = try work.row(
      """
      SELECT id_clinic, time_zone FROM appointments_doctors
      JOIN appointments_departments ON id_department = department
      JOIN appointments_clinics ON id_clinic = clinic
      WHERE id_doctor = \(doctor)
      """
    ) { ($0.id(0), Zone($0.string(1)) ?? .utc) }
    guard let place else { return nil }
    return try find(of: doctor, at: place.clinic, in: place.zone, during: days, in: work)
  }

  /// Returns the schedule of a placement for a range of days. Runs two short statements.
  static func find(
    of placement: DoctorPlacement, during days: ClosedRange<CalendarDate>, in work: Work
  ) throws -> DoctorSchedule {
    try find(
      of: placement.doctor.id, at: placement.clinic.id, in: placement.clinic.zone, during: days,
      in: work)
  }

  private static func find(
    of doctor: ID<Doctor>, at clinic: ID<Clinic>, in zone: Zone,
    during days: ClosedRange<CalendarDate>, in work: Work
  ) throws -> DoctorSchedule {
    let isOneDay = days.lowerBound == days.upperBound
    let weekday: SQL = isOneDay ? "AND weekday = \(days.lowerBound.weekday)" : ""
    let hours = try work.rows(
      """
      SELECT weekday, starts, ends, kind FROM appointments_hours WHERE doctor = \(doctor) \(weekday)
      """, Hours.init)
    let specialDays = try work.rows(
      """
      SELECT date, starts, ends, kind FROM appointments_exceptions
      WHERE doctor = \(doctor) AND date >= \(days.lowerBound) AND date <= \(days.upperBound)
      UNION ALL
      SELECT date, starts, ends, kind FROM appointments_exceptions
      WHERE clinic = \(clinic) AND date >= \(days.lowerBound) AND date <= \(days.upperBound)
      """, SpecialDay.init)
    return DoctorSchedule(
      zone: zone, days: days, hours: hours.compactMap(\.self),
      specialDays: specialDays.compactMap(\.self))
  }
}

extension DoctorSchedule.Hours {
  /// Reads a row. Returns nil for a kind of a later release, and for an invalid weekday or range.
  fileprivate init?(_ row: Row) {
    let (weekday, starts, ends) = (row.int(0), row.int(1), row.int(2))
    guard let kind = Kind(rawValue: row.string(3)), (1...7).contains(weekday), starts <= ends else {
      return nil
    }
    self.init(weekday: weekday, minutes: starts..<ends, kind: kind)
  }
}

extension DoctorSchedule.SpecialDay {
  /// Reads a row. Returns nil for a kind of a later release, and for an invalid date or range.
  fileprivate init?(_ row: Row) {
    guard let date = row.date(0), let kind = Kind(rawValue: row.string(3)), row.int(1) <= row.int(2)
    else { return nil }
    self.init(date: date, minutes: row.int(1)..<row.int(2), kind: kind)
  }
}
