import PolyclinicCore

/// A doctor's working time: weekly hours with breaks, and special days of the doctor and of the
/// clinic.
///
/// Hours are in the clinic's local time. Hours that are skipped as clocks are set forward are not
/// worked. Hours that repeat as clocks are set back are worked twice.
struct DoctorSchedule: Sendable {
  /// The time zone of the hours, which is the clinic's.
  let zone: Zone
  /// The days for which the schedule was loaded. It has no working time on others.
  let days: ClosedRange<CalendarDate>
  /// The working minutes of each weekday, Monday first. Weekdays that were not loaded have none.
  private let weekly: [Spans<Int>]
  private let specialDays: [CalendarDate: [SpecialDay]]

  init(
    zone: Zone, days: ClosedRange<CalendarDate>, hours: [Hours], specialDays: [SpecialDay] = []
  ) {
    self.zone = zone
    self.days = days
    weekly = Self.weekly(hours)
    self.specialDays = Dictionary(grouping: specialDays, by: \.date)
  }

  /// Hours that repeat each week.
  struct Hours: Sendable, Hashable {
    /// The weekday, from 1 for Monday to 7 for Sunday (ISO 8601).
    let weekday: Int
    /// Minutes of the day, from 0 to 1440.
    let minutes: Range<Int>
    let kind: Kind

    enum Kind: String, CaseIterable, Sendable { case work, `break` }
  }

  /// A difference from the weekly hours on one day.
  struct SpecialDay: Sendable, Hashable {
    let date: CalendarDate
    /// Minutes of the day, from 0 to 1440. The whole day is 0 to 1440.
    let minutes: Range<Int>
    let kind: Kind

    /// Extra hours apply even during a break. Time off overrides everything else, so that no
    /// patient comes to a closed door.
    enum Kind: String, CaseIterable, Sendable { case off, extra }
  }

  /// True if a part of the day is time off.
  func isOff(on date: CalendarDate) -> Bool {
    specialDays[date]?.contains { $0.kind == .off } == true
  }

  /// Returns the working periods of a day, in order. Their lengths are in elapsed time.
  func working(on date: CalendarDate) -> [Range<Instant>] {
    var periods: [Range<Instant>] = []
    forEachPeriod(on: date) { periods.append($0) }
    return periods
  }

  /// Calls `body` with each period of ``working(on:)``.
  func forEachPeriod(on date: CalendarDate, _ body: (Range<Instant>) -> Void) {
    guard days.contains(date) else { return }
    let weekly = weekly[date.weekday - 1]
    guard let specialDays = specialDays[date] else {
      return zone.forEachPeriod(of: weekly, on: date, body)
    }
    var minutes = weekly
    for specialDay in specialDays where specialDay.kind == .extra {
      minutes.insert(specialDay.minutes)
    }
    for specialDay in specialDays where specialDay.kind == .off {
      minutes.remove(specialDay.minutes)
    }
    zone.forEachPeriod(of: minutes, on: date, body)
  }

  private static func weekly(_ hours: [Hours]) -> [Spans<Int>] {
    var weekly = [Spans<Int>](repeating: Spans(), count: 7)
    for hours in hours where hours.kind == .work { weekly[hours.weekday - 1].insert(hours.minutes) }
    for hours in hours where hours.kind == .break {
      weekly[hours.weekday - 1].remove(hours.minutes)
    }
    return weekly
  }

  /// True if the doctor works throughout a span of one day.
  func covers(_ span: Range<Instant>) -> Bool {
    let date = LocalDateTime(span.lowerBound, in: zone).date
    return working(on: date).contains {
      $0.lowerBound <= span.lowerBound && span.upperBound <= $0.upperBound
    }
  }
}
