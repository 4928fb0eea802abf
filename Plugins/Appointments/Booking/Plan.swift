import PolyclinicCore

/// When a doctor works: weekly hours with breaks, and exceptions of the doctor and of the clinic.
///
/// A doctor works whenever the clinic's clocks show a working time: hours that are left out when clocks
/// are set forward are not worked, and those that come twice are worked twice.
struct Plan: Sendable {
  /// Whose clocks the hours are told by: the clinic's.
  let zone: Zone
  /// The days for which it was loaded; on others nothing is worked.
  let days: ClosedRange<CalendarDate>
  /// The minutes that are worked on each weekday, Monday first, as far as they were looked for.
  private let weekly: [Spans<Int>]
  private let exceptions: [CalendarDate: [Exception]]

  init(
    zone: Zone, days: ClosedRange<CalendarDate>, hours: [Hours], exceptions: [Exception] = []
  ) {
    self.zone = zone
    self.days = days
    weekly = Self.weekly(hours)
    self.exceptions = Dictionary(grouping: exceptions, by: \.date)
  }

  /// What is the same each week.
  struct Hours: Sendable, Hashable {
    /// 1 Monday to 7 Sunday (ISO 8601).
    let weekday: Int
    /// Minutes of the day, 0 to 1440.
    let minutes: Range<Int>
    let kind: Kind

    enum Kind: String, CaseIterable, Sendable { case work, `break` }
  }

  /// What is different on one day.
  struct Exception: Sendable, Hashable {
    let date: CalendarDate
    /// Minutes of the day, 0 to 1440; the whole day is 0 to 1440.
    let minutes: Range<Int>
    let kind: Kind

    /// Extra hours are worked even in a break; time off wins over everything, so that nobody stands
    /// before a closed door.
    enum Kind: String, CaseIterable, Sendable { case off, extra }
  }

  /// When the doctor works on a day, in order; lengths are in real time.
  func working(on date: CalendarDate) -> [Range<Instant>] {
    var stretches: [Range<Instant>] = []
    forEachStretch(on: date) { stretches.append($0) }
    return stretches
  }

  /// Goes through ``working(on:)``.
  func forEachStretch(on date: CalendarDate, _ body: (Range<Instant>) -> Void) {
    guard days.contains(date) else { return }
    let weekly = weekly[date.weekday - 1]
    guard let exceptions = exceptions[date] else {
      return zone.forEachStretch(of: weekly, on: date, body)
    }
    var minutes = weekly
    for exception in exceptions where exception.kind == .extra { minutes.insert(exception.minutes) }
    for exception in exceptions where exception.kind == .off { minutes.remove(exception.minutes) }
    zone.forEachStretch(of: minutes, on: date, body)
  }

  private static func weekly(_ hours: [Hours]) -> [Spans<Int>] {
    var weekly = [Spans<Int>](repeating: Spans(), count: 7)
    for hours in hours where hours.kind == .work { weekly[hours.weekday - 1].insert(hours.minutes) }
    for hours in hours where hours.kind == .break {
      weekly[hours.weekday - 1].remove(hours.minutes)
    }
    return weekly
  }

  /// Whether the doctor works all through a span of one day.
  func covers(_ span: Range<Instant>) -> Bool {
    let date = LocalDateTime(span.lowerBound, in: zone).date
    return working(on: date).contains {
      $0.lowerBound <= span.lowerBound && span.upperBound <= $0.upperBound
    }
  }
}

extension CalendarDate {
  /// 1 Monday to 7 Sunday (ISO 8601).
  var weekday: Int {
    // 1970-01-01 was a Thursday.
    let day = (daysSince1970 + 3) % 7
    return (day < 0 ? day + 7 : day) + 1
  }
}
