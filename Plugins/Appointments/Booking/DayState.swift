import PolyclinicCore

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

  var isFree: Bool { if case .free = self { true } else { false } }

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
