import PolyclinicCore

/// Days on which hours differ, as an administrator enters them.
///
/// Why a doctor is away is not asked: it may be an illness, and the reason would be health data.
struct ExceptionDraft: Sendable {
  var kind = Plan.Exception.Kind.off
  var first: CalendarDate?
  /// Nil for a single day.
  var last: CalendarDate?
  var starts: TimeOfDay?
  var ends: TimeOfDay?

  /// The longest absence that is entered at once.
  private static let dayLimit = 366

  private static let days: [Field<ExceptionDraft>] = [
    .date(\.first, "first_day", required: true, autocomplete: "off"),
    .date(\.last, "last_day", autocomplete: "off", hint: "field.last_day.hint"),
  ]

  /// For a clinic: it is closed all day.
  static let clinicForm = Form(ExceptionDraft(), days[0], days[1]).requiring(daysProblem)

  /// For a doctor: off or working, all day or for some hours.
  static let doctorForm = Form(
    ExceptionDraft(), .choice(\.kind, "exception"), days[0], days[1],
    .section(
      "admin.exception.section.times",
      .time(\.starts, "starts", hint: "field.starts.hint", rule: DayMinutes.offGrain),
      .time(\.ends, "ends", rule: DayMinutes.offGrain))
  )
  .requiring(daysProblem)
  .requiring { $0.timesProblem }

  @Sendable
  private static func daysProblem(_ draft: ExceptionDraft) -> Problem? {
    guard let days = draft.days else { return Problem("last_day", "admin.error.days-reversed") }
    let count = days.upperBound.daysSince1970 - days.lowerBound.daysSince1970 + 1
    return count <= dayLimit
      ? nil : Problem("last_day", Text("admin.error.too-many-days", count: dayLimit))
  }

  private var timesProblem: Problem? {
    switch (starts, ends) {
    case (nil, nil): kind == .off ? nil : Problem("starts", "admin.error.extra-times")
    case (nil, .some): Problem("starts", "admin.error.times-both")
    case (.some, nil): Problem("ends", "admin.error.times-both")
    default: minutes == nil ? Problem("ends", "admin.error.reversed") : nil
    }
  }

  /// From the first to the last; nil where the last comes before the first.
  var days: ClosedRange<CalendarDate>? {
    guard let first else { return nil }
    let last = last ?? first
    return first <= last ? first...last : nil
  }

  /// The time of each day; the whole day where no time is said.
  var minutes: Range<Int>? {
    starts == nil && ends == nil ? DayMinutes.wholeDay : DayMinutes.range(starts, ends)
  }

  /// Stores the days; throws ``Refusal/invalid(_:_:)`` for days that are over by the clinic's clocks.
  func insert(
    of owner: ExceptionRun.Owner, in zone: Zone, at now: Instant, on connection: Connection
  ) throws -> ID<ExceptionRun> {
    guard let days, let minutes else {
      throw Refusal.invalid("last_day", "admin.error.days-reversed")
    }
    guard days.lowerBound >= LocalDateTime(now, in: zone).date else {
      throw Refusal.invalid("first_day", "admin.error.past-day")
    }
    return try ExceptionRun.insert(
      kind, of: owner, on: days, minutes: minutes, at: now, on: connection)
  }
}
