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
    let asked = Asked(doctor: doctor, clinic: place.clinic, zone: place.zone, days: days)
    return try find([asked], in: work).first
  }

  /// Returns the schedule of a placement for a range of days. Runs one short statement.
  static func find(
    of placement: DoctorPlacement, during days: ClosedRange<CalendarDate>, in work: Work
  ) throws -> DoctorSchedule {
    try find([Asked(placement, days)], in: work)[0]
  }

  /// A doctor whose schedule is loaded.
  struct Asked {
    let doctor: ID<Doctor>
    let clinic: ID<Clinic>
    let zone: Zone
    let days: ClosedRange<CalendarDate>
  }

  /// Returns the schedules of doctors, in the same order. Runs one statement for all of them.
  static func find(_ asked: [Asked], in work: Work) throws -> [DoctorSchedule] {
    guard let first = asked.map(\.days.lowerBound).min(),
      let last = asked.map(\.days.upperBound).max()
    else { return [] }
    let (doctors, clinics) = (asked.map(\.doctor), Array(Set(asked.map(\.clinic))))
    let weekday: SQL = first == last ? "AND weekday = \(first.weekday)" : ""
    var hours: [ID<Doctor>: [Hours]] = [:]
    var ofDoctor: [ID<Doctor>: [SpecialDay]] = [:]
    var ofClinic: [ID<Clinic>: [SpecialDay]] = [:]
    try work.forEach(
      """
      SELECT 0, doctor, weekday, starts, ends, kind, '' FROM appointments_hours
      WHERE doctor IN \(list: doctors) \(weekday)
      UNION ALL
      SELECT 1, doctor, 0, starts, ends, kind, date FROM appointments_exceptions
      WHERE doctor IN \(list: doctors) AND date >= \(first) AND date <= \(last)
      UNION ALL
      SELECT 2, clinic, 0, starts, ends, kind, date FROM appointments_exceptions
      WHERE clinic IN \(list: clinics) AND date >= \(first) AND date <= \(last)
      """
    ) { row in
      switch row.int(0) {
      case 0: if let read = Hours(row.from(2)) { hours[row.id(1), default: []].append(read) }
      case 1:
        if let read = SpecialDay(row.from(3)) { ofDoctor[row.id(1), default: []].append(read) }
      default:
        if let read = SpecialDay(row.from(3)) { ofClinic[row.id(1), default: []].append(read) }
      }
    }
    return asked.map { one in
      DoctorSchedule(
        zone: one.zone, days: one.days, hours: hours[one.doctor] ?? [],
        specialDays: (ofDoctor[one.doctor] ?? []) + (ofClinic[one.clinic] ?? []))
    }
  }
}

extension DoctorSchedule.Asked {
  init(_ placement: DoctorPlacement, _ days: ClosedRange<CalendarDate>) {
    self.init(
      doctor: placement.doctor.id, clinic: placement.clinic.id, zone: placement.clinic.zone,
      days: days)
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
    guard let date = row.date(3), let kind = Kind(rawValue: row.string(2)), row.int(0) <= row.int(1)
    else { return nil }
    self.init(date: date, minutes: row.int(0)..<row.int(1), kind: kind)
  }
}
