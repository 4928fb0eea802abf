import PolyclinicCore

/// The days and the four weeks that a page of free times shows.
struct FreeTimes {
  /// The number of days that the page lists with their times.
  private static let listed = 5
  /// The number of days after the first one in which the listed days lie.
  private static let reach = 20

  let availability: Availability
  /// The four weeks of the calendar, which begin with the week of today and follow one another.
  let weeks: ClosedRange<CalendarDate>
  /// The day whose times are open; nil if no time can be booked.
  var open: CalendarDate?
  /// True if no time can be booked from the first day on.
  let isFull: Bool
  let today: CalendarDate

  /// Loads the free times from a day on. The calendar shows the weeks of the first day with a free
  /// time, or those of `start` if the visitor has turned to them.
  static func find(
    of placement: DoctorPlacement, from start: CalendarDate, isTurned: Bool, _ context: Context
  ) throws -> FreeTimes {
    let today = placement.local(context.now).date
    func load(_ days: ClosedRange<CalendarDate>) throws -> Availability {
      try Availability.find(
        of: placement, during: days, settings: context.portal.settings, in: context)
    }
    func weeks(of day: CalendarDate) -> ClosedRange<CalendarDate> {
      CalendarWeeks.containing(day, from: today, in: context.language)
    }
    func reach(from day: CalendarDate) -> ClosedRange<CalendarDate> {
      let weeks = weeks(of: day)
      return weeks.lowerBound...max(weeks.upperBound, day.adding(days: Self.reach))
    }
    var availability = try load(reach(from: start))
    var open = availability.firstFreeDay(from: start)
    if open == nil, !isTurned {
      open = try load(start...max(start, today.adding(days: BookingRequest.horizon)))
        .firstFreeDay(from: start)
    }
    if let open, !isTurned, !weeks(of: start).contains(open) {
      availability = try load(weeks(of: start).lowerBound...reach(from: open).upperBound)
    }
    return FreeTimes(
      availability: availability, weeks: weeks(of: isTurned ? start : open ?? start), open: open,
      isFull: open == nil, today: today)
  }

  /// The open day and the working days after it, up to the number that the page lists.
  func days(at now: Instant) -> [(date: CalendarDate, state: DayState)] {
    guard let open else { return [] }
    var days = [(open, availability.state(of: open, at: now))]
    var date = open
    for _ in 0..<Self.reach where days.count < Self.listed {
      date = date.adding(days: 1)
      guard availability.schedule.days.contains(date) else { break }
      let state = availability.state(of: date, at: now)
      if state != .closed { days.append((date, state)) }
    }
    return days
  }
}

/// The pages of the calendar: four whole weeks each, the first one from the week of today on.
enum CalendarWeeks {
  /// The number of days on a page.
  static let days = 28

  /// Returns the page that contains a day, which is not before today.
  static func containing(
    _ day: CalendarDate, from today: CalendarDate, in language: Language
  ) -> ClosedRange<CalendarDate> {
    let first = Weekday.first(in: language).number
    let start = today.adding(days: -((today.weekday - first + 7) % 7))
    let passed = max(0, day.daysSince1970 - start.daysSince1970) / days
    let begin = start.adding(days: passed * days)
    return begin...begin.adding(days: days - 1)
  }
}

/// The state of a day on the pages of free times.
enum DayState: Sendable, Equatable {
  /// The day is over, or the doctor's hours on it are.
  case past
  /// The doctor does not work on that day.
  case closed
  /// All times are taken.
  case full
  /// This many times are free.
  case free(Int)

  /// The word for a day without free times; nil for one that has some.
  var word: Text? {
    switch self {
    case .past: "times.past"
    case .closed: "times.closed"
    case .full: "times.full"
    case .free: nil
    }
  }
}

extension Availability {
  /// Returns the state of a day as of `now`, in the time zone of the clinic.
  func state(of date: CalendarDate, at now: Instant) -> DayState {
    if date < LocalDateTime(now, in: schedule.zone).date { return .past }
    let count = freeCount(on: date)
    if count > 0 { return .free(count) }
    let periods = schedule.working(on: date)
    if periods.isEmpty { return .closed }
    let isOver = periods.allSatisfy {
      DoctorSchedule.bookable(of: length, in: $0, after: now).isEmpty
    }
    return isOver ? .past : .full
  }

  /// Returns the first day from `date` on that has a free time; nil if none of the loaded days has.
  func firstFreeDay(from date: CalendarDate) -> CalendarDate? {
    var date = max(date, schedule.days.lowerBound)
    while date <= schedule.days.upperBound {
      if freeCount(on: date) > 0 { return date }
      date = date.adding(days: 1)
    }
    return nil
  }
}
