import PolyclinicCore

/// The days and the month that a page of free times shows.
struct FreeTimes {
  /// The number of days that the page lists with their times.
  private static let listed = 5
  /// The number of days after the first one in which the listed days lie.
  private static let reach = 20

  let availability: Availability
  let month: Month
  /// The day whose times are open; nil if no time can be booked.
  var open: CalendarDate?
  /// True if no time can be booked from the first day on.
  let isFull: Bool
  let today: CalendarDate

  /// Loads the free times from a day on. Without a `month` it is that of the first day with a free
  /// time.
  static func find(
    of placement: DoctorPlacement, from start: CalendarDate, month: CalendarDate?,
    _ context: Context
  ) throws -> FreeTimes {
    let today = placement.local(context.now).date
    func load(_ days: ClosedRange<CalendarDate>) throws -> Availability {
      try Availability.find(
        of: placement, during: days, settings: context.portal.settings, in: context)
    }
    func reach(from day: CalendarDate) -> ClosedRange<CalendarDate> {
      min(Month(day).first, day)...max(Month(day).last, day.adding(days: Self.reach))
    }
    var availability = try load(reach(from: month ?? start))
    var open = availability.firstFreeDay(from: start)
    if open == nil, month == nil {
      open = try load(start...max(start, today.adding(days: BookingRequest.horizon)))
        .firstFreeDay(from: start)
    }
    if let open, month == nil, Month(open) != Month(start) {
      availability = try load(min(start, Month(open).first)...reach(from: open).upperBound)
    }
    return FreeTimes(
      availability: availability, month: Month(month ?? open ?? start), open: open,
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
