import PolyclinicCore

/// The weekly working hours and breaks of a doctor.
struct WorkingHours: Sendable, Equatable {
  var work: [Span] = []
  var breaks: [Span] = []

  /// A span of time on one weekday; midnight as its end is the end of the day.
  struct Span: Sendable, Equatable {
    var weekday = Weekday.monday
    var starts: TimeOfDay?
    var ends: TimeOfDay?

    /// The minutes of the day, 0 to 1440; nil if a time is missing or the end is not after the
    /// start.
    var minutes: Range<Int>? { DayMinutes.range(starts, ends) }
  }
}

extension WorkingHours {
  /// Returns the hours of a doctor by weekday and time; empty for a new doctor.
  static func find(of doctor: ID<Doctor>, in work: Work) throws -> WorkingHours {
    var hours = WorkingHours()
    let rows = try work.rows(
      """
      SELECT kind, weekday, starts, ends FROM appointments_hours
      WHERE doctor = \(doctor) ORDER BY weekday, starts, ends, kind
      """
    ) { row in
      (
        DoctorSchedule.Hours.Kind(rawValue: row.string(0)), Weekday(number: row.int(1)),
        DayMinutes.time(row.int(2)), DayMinutes.time(row.int(3))
      )
    }
    for case (let kind?, let weekday?, let starts, let ends) in rows {
      let span = Span(weekday: weekday, starts: starts, ends: ends)
      switch kind {
      case .work: hours.work.append(span)
      case .break: hours.breaks.append(span)
      }
    }
    return hours
  }
}

extension DayMinutes {
  /// Returns an error for a time that is not a multiple of five minutes. Slots begin with the
  /// working hours, so both must match the five-minute units of ``ClaimedTime``.
  @Sendable
  static func offUnit(_ time: TimeOfDay) -> Text? {
    time.minutes.isMultiple(of: Int(ClaimedTime.unit.count / 60)) ? nil : "admin.error.five-minutes"
  }
}
