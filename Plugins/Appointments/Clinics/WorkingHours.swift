import PolyclinicCore

/// When a doctor works each week.
struct WorkingHours: Sendable, Equatable {
  var work: [Span] = []
  var breaks: [Span] = []

  /// A time of one weekday; midnight as its end is the end of the day.
  struct Span: Sendable, Equatable {
    var weekday = Weekday.monday
    var starts: TimeOfDay?
    var ends: TimeOfDay?

    /// Minutes of the day, 0 to 1440; nil while a time is missing or the end comes first.
    var minutes: Range<Int>? { DayMinutes.range(starts, ends) }
  }

  /// More rows than anybody's week has.
  private static let rowLimit = 50

  static let form = Form(
    WorkingHours(),
    .rows(\.work, "work", limit: rowLimit, of: Span.form),
    .rows(\.breaks, "break", limit: rowLimit, of: Span.form)
  )
  .requiring { overlap(in: $0.work, "work") }
  .requiring { overlap(in: $0.breaks, "break") }
  .requiring { $0.breakOutsideWork }

  /// A row that says a time of another row again.
  private static func overlap(in spans: [Span], _ rows: String) -> Problem? {
    for (index, span) in spans.enumerated() {
      guard let minutes = span.minutes else { continue }
      let overlaps = spans[..<index].contains {
        $0.weekday == span.weekday && $0.minutes?.overlaps(minutes) == true
      }
      if overlaps { return Problem("\(rows)_starts-\(index + 1)", "admin.error.overlap") }
    }
    return nil
  }

  /// A break in which nobody works anyhow is a slip.
  private var breakOutsideWork: Problem? {
    for (index, pause) in breaks.enumerated() {
      guard let minutes = pause.minutes else { continue }
      let isWithin = work.contains { span in
        span.weekday == pause.weekday && span.minutes?.clamped(to: minutes) == minutes
      }
      if !isWithin { return Problem("break_starts-\(index + 1)", "admin.error.break-outside") }
    }
    return nil
  }
}

extension WorkingHours.Span {
  static let form = Form(
    WorkingHours.Span(),
    .choice(\.weekday, "weekday"),
    .time(\.starts, "starts", required: true, rule: DayMinutes.offGrain),
    .time(\.ends, "ends", required: true, rule: DayMinutes.offGrain)
  )
  .requiring("ends") { span in
    span.minutes == nil && span.starts != nil && span.ends != nil ? "admin.error.reversed" : nil
  }
}

extension WorkingHours {
  /// The hours of a doctor, by weekday and time; none for a new one.
  static func find(of doctor: ID<Doctor>, on connection: Connection) throws -> WorkingHours {
    var hours = WorkingHours()
    let rows = try connection.rows(
      """
      SELECT kind, weekday, starts, ends FROM appointments_hours
      WHERE doctor = \(doctor) ORDER BY weekday, starts
      """
    ) { row in
      (
        Plan.Hours.Kind(rawValue: row.string(0)), Weekday(number: row.int(1)),
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

  /// Stores these in place of what a doctor had.
  func replace(of doctor: ID<Doctor>, at now: Instant, on connection: Connection) throws {
    try Doctor.settle([doctor], at: now, on: connection)
    try connection.run("DELETE FROM appointments_hours WHERE doctor = \(doctor)")
    for (kind, spans) in [(Plan.Hours.Kind.work, work), (.break, breaks)] {
      for span in spans {
        guard let minutes = span.minutes else { continue }
        try connection.run(
          """
          INSERT INTO appointments_hours (doctor, weekday, starts, ends, kind)
          VALUES (\(doctor), \(span.weekday.number), \(minutes.lowerBound), \(minutes.upperBound),
            \(kind.rawValue))
          """)
      }
    }
  }
}
