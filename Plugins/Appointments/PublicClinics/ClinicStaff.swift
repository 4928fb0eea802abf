import PolyclinicCore

/// An open department and its bookable doctors.
struct ClinicStaff: Sendable {
  let department: Department
  let doctors: [Doctor]

  /// Returns the open departments of a clinic, with their doctors by name. Needs the portal's keys.
  static func all(
    of clinic: ID<Clinic>, by keys: Keys, on connection: Connection
  ) throws -> [ClinicStaff] {
    try Department.open(of: clinic, on: connection).map { department in
      let doctors = try Doctor.enabled(of: department.id, on: connection)
      return ClinicStaff(department: department, doctors: try doctors.sorted(by: keys))
    }
  }
}

/// The combined working hours of a clinic's doctors, and the next closures.
struct OpeningHours: Sendable {
  let hours: WeeklyHours
  /// The next days on which the clinic is closed, all day or for some hours.
  let closures: [(date: CalendarDate, minutes: Range<Int>)]

  /// The maximum number of closures on a page.
  private static let mostClosures = 5

  static func find(
    of clinic: ID<Clinic>, from today: CalendarDate, on connection: Connection
  ) throws -> OpeningHours {
    var spans: [Weekday: Spans<Int>] = [:]
    let worked = try connection.rows(
      """
      SELECT weekday, starts, ends FROM appointments_hours
      JOIN appointments_doctors ON id_doctor = doctor
      JOIN appointments_departments ON id_department = department
      WHERE clinic = \(clinic) AND kind = 'work' AND appointments_doctors.person IS NOT NULL
        AND disabled_at IS NULL AND closed_at IS NULL
      """
    ) { (weekday: Weekday(number: $0.int(0)), minutes: $0.int(1)..<max($0.int(1), $0.int(2))) }
    for case (let weekday?, let minutes) in worked {
      spans[weekday, default: Spans()].insert(minutes)
    }
    let closures = try connection.rows(
      """
      SELECT date, starts, ends FROM appointments_exceptions
      WHERE clinic = \(clinic) AND kind = 'off' AND date >= \(today)
      ORDER BY date, starts LIMIT \(mostClosures)
      """
    ) { row in
      row.date(0).map { (date: $0, minutes: row.int(1)..<max(row.int(1), row.int(2))) }
    }
    return OpeningHours(
      hours: WeeklyHours(spans), closures: closures.compactMap(\.self))
  }
}
