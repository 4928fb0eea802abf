import PolyclinicCore

/// The ticks of a time axis: beginnings of hours, days, months or years in a time zone.
struct TimeTicks: Sendable, Equatable {
  /// The moments in ascending order, all within the covered span.
  let moments: [Instant]
  /// The interval between the ticks, which also decides the format of their labels.
  let step: Step

  /// The interval between two ticks.
  enum Step: Sendable, Equatable {
    /// A number of hours, counted from midnight.
    case hours(Int)
    /// A number of days; intervals of seven days begin on Mondays.
    case days(Int)
    /// A number of months, counted from January.
    case months(Int)
    /// A number of years, counted from year 0.
    case years(Int)

    /// The approximate length in days.
    fileprivate var days: Double {
      switch self {
      case .hours(let count): Double(count) / 24
      case .days(let count): Double(count)
      case .months(let count): Double(count) * 30.4
      case .years(let count): Double(count) * 365.25
      }
    }
  }

  private static let steps: [Step] = [
    .hours(3), .hours(6), .days(1), .days(2), .days(7), .days(14), .months(1), .months(2),
    .months(3), .months(6), .years(1), .years(2), .years(5), .years(10), .years(20), .years(50),
  ]

  /// The longest day, on which clocks are set back by an hour, in days.
  private static let longestDay = 25.0 / 24

  /// Creates at most `count` ticks, with the shortest interval that needs no more.
  init(covering span: Range<Instant>, in zone: Zone, atMost count: Int) {
    let days = Double((span.upperBound - span.lowerBound).count) / 86_400
    step =
      Self.steps.first { step in
        // Over several days, the same hours would be labelled again and again.
        if case .hours = step, days > Self.longestDay { return false }
        return days / step.days <= Double(count)
      } ?? .years(100)
    let first = LocalDateTime(span.lowerBound, in: zone).date
    let last = LocalDateTime(span.upperBound, in: zone).date
    moments = Self.starts(step, from: first, to: last).map { $0.moments(in: zone).first }
      .filter(span.contains)
  }

  /// Returns the local times of all ticks from `first`, or the last tick before it, to `last`.
  private static func starts(
    _ step: Step, from first: CalendarDate, to last: CalendarDate
  ) -> [LocalDateTime] {
    switch step {
    case .hours(let count):
      return (first.daysSince1970...last.daysSince1970).flatMap { day in
        stride(from: 0, to: 24, by: count).compactMap {
          LocalDateTime(CalendarDate(daysSince1970: day), hour: $0, minute: 0)
        }
      }
    case .days(let count):
      // 1970-01-05 was a Monday.
      let start = first.daysSince1970 - ((first.daysSince1970 - 4) % count + count) % count
      return stride(from: start, through: last.daysSince1970, by: count).compactMap {
        LocalDateTime(CalendarDate(daysSince1970: $0), hour: 0, minute: 0)
      }
    case .months(let count): return months(every: count, from: first, to: last)
    case .years(let count): return months(every: 12 * count, from: first, to: last)
    }
  }

  private static func months(
    every count: Int, from first: CalendarDate, to last: CalendarDate
  ) -> [LocalDateTime] {
    let start = first.year * 12 + first.month - 1
    return stride(from: start - start % count, through: last.year * 12 + last.month - 1, by: count)
      .compactMap { month in
        CalendarDate(year: month / 12, month: month % 12 + 1, day: 1).flatMap {
          LocalDateTime($0, hour: 0, minute: 0)
        }
      }
  }

  /// The time from a tick to its label, which stands in the middle of a day if each has one.
  var labelShift: Seconds { step == .days(1) ? .hours(12) : Seconds(0) }

  /// Returns the label of a tick on a narrow chart, the number of the day; nil if it is the same as
  /// on a wide one.
  func briefLabel(_ moment: Instant, _ formats: Formats) -> String? {
    step == .days(1) ? String(formats.day(of: moment).day) : nil
  }

  /// Returns the label of a tick. Among hours, the beginning of a day is labelled with its date, so
  /// that no two labels are the same.
  func label(_ moment: Instant, _ formats: Formats) -> String {
    let date = formats.day(of: moment)
    switch step {
    case .hours where moment != date.start(in: formats.timeZone): return formats.time(moment)
    case .hours, .days: return formats.shortMonthDay(date)
    case .months: return formats.shortMonth(date)
    case .years: return String(date.year)
    }
  }
}
