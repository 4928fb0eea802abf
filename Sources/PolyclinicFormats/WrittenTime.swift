import PolyclinicCore

/// A time as files and people write it.
///
/// The whole text must be understood: a text with anything else in it is no time. Seconds and their
/// fractions are understood and left out, because ``PolyclinicCore/ZonedTime`` has minutes.
///
/// - Dates: `2026-05-04`, `20260504`, `4.5.2026`, `05/04/2026`, `6 May 2026`, `May 6, 2026`,
///   `6 мая 2026 г.`, and month names of further languages.
/// - Years of two digits behind the day and the month, such as `4.5.26`, are those from 2000 to
///   2099. A date such as `05-04-26`, in which the year could come first, is no time.
/// - Clocks: `9:05`, `09:05:31.123`, `9.05.31`, `9:05 PM`, `9:05p.m.`, `9:05 אחה״צ`.
/// - Zones: `Z`, `UTC`, `UTC+3`, `+03`, `+0300`, `+03:00`, `Europe/Minsk`, `+03:00[Europe/Minsk]`.
/// - Moments: nine or ten digits for seconds since 1970, twelve or thirteen for milliseconds.
public struct WrittenTime: Sendable, Hashable {
  /// The parts of a time.
  enum Value: Sendable, Hashable {
    case moment(Instant)
    case local(Day, TimeOfDay?, Place?)
  }

  /// A day, which has two possible meanings if it is written as `05/04/2026`.
  enum Day: Sendable, Hashable {
    case date(CalendarDate)
    case unordered(first: Int, second: Int, year: Int)
  }

  /// The zone of a clock as it is written.
  public enum Place: Sendable, Hashable {
    /// UTC, which says nothing of the local clock (RFC 9557, 2).
    case utc
    /// An offset from UTC.
    case offset(Seconds)
    /// A zone of the IANA database.
    case zone(Zone)
    /// An offset, and the zone whose clocks had it at that time.
    case both(Seconds, Zone)

    /// Reads a zone such as `+0300`, `UTC+3` or `Europe/Minsk`; nil for any other text.
    public init?(_ text: String) {
      guard var scanner = WrittenTimeScanner(text), let place = scanner.place(), scanner.isAtEnd
      else { return nil }
      self = place
    }
  }

  /// The order of day and month in a date that could have either.
  public enum Order: String, CaseIterable, Sendable {
    /// The day comes first: 05/04/2026 is in April.
    case dayFirst = "day-first"
    /// The month comes first: 05/04/2026 is in May.
    case monthFirst = "month-first"
  }

  let value: Value

  /// Reads a text of at most 100 bytes; nil if it is longer or no time.
  public init?(_ text: String) {
    guard var scanner = WrittenTimeScanner(text), let value = scanner.time() else { return nil }
    self.value = value
  }

  /// True for a text that says only AM or PM, as files write it beside a clock of twelve hours.
  public static func isHalfOfDay(_ text: String) -> Bool {
    guard var scanner = WrittenTimeScanner(text) else { return false }
    return scanner.takeHalf() && scanner.isAtEnd
  }

  /// True for a date such as `05/04/2026`, whose day and month differ and can be told apart only by
  /// their order.
  public var isUnordered: Bool {
    guard case .local(.unordered(let first, let second, _), _, _) = value else { return false }
    return first != second && order == nil
  }

  /// The order that the numbers themselves show; nil if it could be either.
  public var order: Order? {
    guard case .local(.unordered(let first, let second, _), _, _) = value else { return nil }
    if first > 12 { return .dayFirst }
    return second > 12 ? .monthFirst : nil
  }

  /// Returns the moment of this time, in `zone` unless it is written with one of its own.
  ///
  /// - A time in UTC is shown by the clocks of `zone`.
  /// - A day without a clock is its beginning, because that is never in the future.
  /// - Of a time that the clocks showed twice, the first one counts.
  /// - Nil for a day that does not exist, for a time that the clocks skipped, and for an offset
  ///   that the zone beside it did not have.
  public func time(in zone: Place, _ order: Order) -> ZonedTime? {
    switch value {
    case .moment(let moment): return zone.time(moment)
    case .local(let day, let clock, let place):
      guard let date = day.date(order) else { return nil }
      let time = (place ?? zone).time(date, clock)
      return place == .utc ? time.map { zone.time($0.instant) } : time
    }
  }
}

extension WrittenTime.Day {
  fileprivate func date(_ order: WrittenTime.Order) -> CalendarDate? {
    switch self {
    case .date(let date): date
    case .unordered(let first, let second, let year):
      order == .dayFirst
        ? CalendarDate(year: year, month: second, day: first)
        : CalendarDate(year: year, month: first, day: second)
    }
  }
}

extension WrittenTime.Place {
  /// Returns what the clocks of this zone show at a moment.
  public func time(_ moment: Instant) -> ZonedTime {
    switch self {
    case .utc: ZonedTime(moment, in: .utc)
    case .offset(let offset), .both(let offset, _): ZonedTime(moment, offset: offset)
    case .zone(let zone): ZonedTime(moment, in: zone)
    }
  }

  fileprivate func time(_ date: CalendarDate, _ clock: TimeOfDay?) -> ZonedTime? {
    switch self {
    case .utc: return Self.offset(Seconds(0)).time(date, clock)
    case .offset(let offset):
      let seconds = Int64(date.daysSince1970) * 86_400 + Int64((clock?.minutes ?? 0) * 60)
      return ZonedTime(Instant(seconds) - offset, offset: offset)
    case .both(let offset, let zone):
      let time = Self.offset(offset).time(date, clock)
      return time.flatMap { zone.offset(at: $0.instant) == offset ? $0 : nil }
    case .zone(let zone):
      guard let clock else { return ZonedTime(date.start(in: zone), in: zone) }
      guard let local = LocalDateTime(date, hour: clock.hour, minute: clock.minute) else {
        return nil
      }
      switch local.moments(in: zone) {
      case .one(let moment), .two(let moment, _): return ZonedTime(moment, in: zone)
      case .none: return nil
      }
    }
  }
}
