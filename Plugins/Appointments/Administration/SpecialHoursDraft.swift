import PolyclinicCore

/// Days with special hours, as an administrator enters them.
///
/// The form does not ask for the reason of an absence, because an illness is health data.
struct SpecialHoursDraft: Sendable {
  var kind = DoctorSchedule.SpecialDay.Kind.off
  var first: CalendarDate?
  /// The last day; nil for a single day.
  var last: CalendarDate?
  var starts: TimeOfDay?
  var ends: TimeOfDay?

  /// The maximum number of days that are entered at once.
  private static let dayLimit = 366

  private static let days: [Field<SpecialHoursDraft>] = [
    .date(\.first, "first_day", required: true, autocomplete: "off"),
    .date(\.last, "last_day", autocomplete: "off", hint: "field.last_day.hint"),
  ]

  /// The form for a clinic, which is closed all day.
  static let clinicForm = Form(SpecialHoursDraft(), days[0], days[1]).requiring(daysProblem)

  /// The form for a doctor: off or working, all day or for some hours.
  static let doctorForm = Form(
    SpecialHoursDraft(), .choice(\.kind, "exception"), days[0], days[1],
    .section(
      "admin.exception.section.times",
      .time(\.starts, "starts", hint: "field.starts.hint", rule: DayMinutes.offUnit),
      .time(\.ends, "ends", rule: DayMinutes.offUnit))
  )
  .requiring(daysProblem)
  .requiring { $0.timesProblem }

  @Sendable
  private static func daysProblem(_ draft: SpecialHoursDraft) -> Fields.Problem? {
    guard let days = draft.days else {
      return Fields.Problem("last_day", "admin.error.days-reversed")
    }
    let count = days.upperBound.daysSince1970 - days.lowerBound.daysSince1970 + 1
    return count <= dayLimit
      ? nil : Fields.Problem("last_day", Text("admin.error.too-many-days", count: dayLimit))
  }

  private var timesProblem: Fields.Problem? {
    switch (starts, ends) {
    case (nil, nil): kind == .off ? nil : Fields.Problem("starts", "admin.error.extra-times")
    case (nil, .some): Fields.Problem("starts", "admin.error.times-both")
    case (.some, nil): Fields.Problem("ends", "admin.error.times-both")
    default: minutes == nil ? Fields.Problem("ends", "admin.error.reversed") : nil
    }
  }

  /// The days from the first to the last; nil if the last is before the first.
  var days: ClosedRange<CalendarDate>? {
    guard let first else { return nil }
    let last = last ?? first
    return first <= last ? first...last : nil
  }

  /// The time of each day; the whole day if no time is entered.
  var minutes: Range<Int>? {
    starts == nil && ends == nil ? DayMinutes.wholeDay : DayMinutes.range(starts, ends)
  }

  /// Stores the days. Throws ``Refusal/invalid(_:_:)`` if the first day is over in the clinic's
  /// time zone.
  func insert(
    of owner: SpecialHours.Owner, in zone: Zone, in work: Work
  ) throws -> ID<SpecialHours> {
    guard let days, let minutes else {
      throw Refusal.invalid("last_day", "admin.error.days-reversed")
    }
    guard days.lowerBound >= LocalDateTime(work.now, in: zone).date else {
      throw Refusal.invalid("first_day", "admin.error.past-day")
    }
    return try SpecialHours.insert(kind, of: owner, on: days, minutes: minutes, in: work)
  }
}
