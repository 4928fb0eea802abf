import PolyclinicCore

/// The length of a period.
enum PeriodLength: String, CaseIterable, Sendable {
  case day, week, month, year

  /// Returns the first day of the period that contains the day. Weeks begin on Monday.
  func start(of day: CalendarDate) -> CalendarDate {
    switch self {
    case .day: return day
    case .week:
      // 1970-01-05 was a Monday.
      let place = ((day.daysSince1970 - 4) % 7 + 7) % 7
      return day.adding(days: -place)
    case .month: return CalendarDate(year: day.year, month: day.month, day: 1) ?? day
    case .year: return CalendarDate(year: day.year, month: 1, day: 1) ?? day
    }
  }

  /// Returns the day after the last day of the period that begins on `start`.
  func end(of start: CalendarDate) -> CalendarDate {
    switch self {
    case .day: start.adding(days: 1)
    case .week: start.adding(days: 7)
    case .month: start.adding(days: CalendarDate.days(in: start.month, of: start.year))
    case .year: start.adding(days: CalendarDate.isLeap(start.year) ? 366 : 365)
    }
  }
}
