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

    /// The minutes of the day, 0 to 1440; nil if a time is missing or the end is not after the start.
    var minutes: Range<Int>? { DayMinutes.range(starts, ends) }
  }

  /// The maximum number of rows, more than any week needs.
  private static let rowLimit = 50

  static let form = Form(
    WorkingHours(),
    .rows(\.work, "work", limit: rowLimit, of: Span.form),
    .rows(\.breaks, "break", limit: rowLimit, of: Span.form)
  )
  .requiring { overlap(in: $0.work, "work") }
  .requiring { overlap(in: $0.breaks, "break") }
  .requiring { $0.breakOutsideWork }

  /// Returns an error for the first row that overlaps an earlier one.
  private static func overlap(in spans: [Span], _ rows: String) -> Fields.Problem? {
    for (index, span) in spans.enumerated() {
      guard let minutes = span.minutes else { continue }
      let overlaps = spans[..<index].contains {
        $0.weekday == span.weekday && $0.minutes?.overlaps(minutes) == true
      }
      if overlaps { return Fields.Problem("\(rows)_starts-\(index + 1)", "admin.error.overlap") }
    }
    return nil
  }

  /// The error for a break outside the working hours, because such a break is a mistake.
  private var breakOutsideWork: Fields.Problem? {
    for (index, pause) in breaks.enumerated() {
      guard let minutes = pause.minutes else { continue }
      let isWithin = work.contains { span in
        span.weekday == pause.weekday && span.minutes?.clamped(to: minutes) == minutes
      }
      if !isWithin {
        return Fields.Problem("break_starts-\(index + 1)", "admin.error.break-outside")
      }
    }
    return nil
  }
}

extension WorkingHours.Span {
  static let form = Form(
    WorkingHours.Span(),
    .choice(\.weekday, "weekday"),
    .time(\.starts, "starts", required: true, rule: DayMinutes.offUnit),
    .time(\.ends, "ends", required: true, rule: DayMinutes.offUnit)
  )
  .requiring("ends") { span in
    span.minutes == nil && span.starts != nil && span.ends != nil ? "admin.error.reversed" : nil
  }
}

extension WorkingHours {
  /// Returns the hours of a doctor by weekday and time; empty for a new doctor.
  static func find(of doctor: ID<Doctor>, on connection: Connection) throws -> WorkingHours {
    var hours = WorkingHours()
    let rows = try connection.rows(
      """
      SELECT kind, weekday, starts, ends FROM appointments_hours
      WHERE doctor = \(doctor) ORDER BY weekday, starts
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
  /// Returns an error for a time that is not a multiple of five minutes. Slots begin with the working hours, so
  /// both must match the five-minute units of ``DoctorTime``.
  @Sendable
  static func offUnit(_ time: TimeOfDay) -> Text? {
    time.minutes.isMultiple(of: Int(DoctorTime.unit.count / 60)) ? nil : "admin.error.five-minutes"
  }
}
