import PolyclinicCore

/// A day, week, month or year with the averages of its measurements.
struct Period<Average: Averaging>: Sendable {
  let periodLength: PeriodLength
  /// The first day of the period.
  let start: CalendarDate
  var average: Average

  /// The most periods of a chart. More bars or points would be too narrow for a finger on a
  /// telephone.
  static var mostShown: Int { 75 }

  /// Splits the entries into periods, in the order of time. Chooses the shortest unit that makes no
  /// more than `limit` periods.
  static func all(of entries: [Average.Entry], _ blank: Average, atMost limit: Int) -> [Period] {
    for periodLength in PeriodLength.allCases where periodLength != .year {
      if let periods = all(of: entries, blank, by: periodLength, atMost: limit) { return periods }
    }
    return all(of: entries, blank, by: .year, atMost: .max) ?? []
  }

  /// Returns nil if there are more than `limit` periods.
  private static func all(
    of entries: [Average.Entry], _ blank: Average, by periodLength: PeriodLength, atMost limit: Int
  ) -> [Period]? {
    var periods: [Period] = []
    // The end of the current period, kept because most entries are in the same period as the one
    // before.
    var (day, next) = (CalendarDate(daysSince1970: 0), CalendarDate(daysSince1970: 0))
    for entry in entries {
      day = entry.time.day
      if periods.isEmpty || day >= next || day < periods[periods.count - 1].start {
        let start = periodLength.start(of: day)
        next = periodLength.end(of: start)
        if periods.count == limit { return nil }
        periods.append(Period(periodLength: periodLength, start: start, average: blank))
      }
      periods[periods.count - 1].average.add(entry)
    }
    return periods
  }

  /// Returns the time from the first midnight to the one after the last day.
  func moments(in zone: Zone) -> Range<Instant> {
    start.start(in: zone)..<periodLength.end(of: start).start(in: zone)
  }

  /// Returns “4 May 2026”, “4 May – 10 May”, “May 2026” or “2026”.
  func label(_ formats: Formats) -> String {
    switch periodLength {
    case .day: formats.shortDate(start)
    case .week: "\(formats.shortMonthDay(start)) – \(formats.shortMonthDay(start.adding(days: 6)))"
    case .month: formats.shortMonth(start)
    case .year: String(start.year)
    }
  }
}
