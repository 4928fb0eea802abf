/// A date and a time of day on a wall clock, without a time zone.
public struct LocalDateTime: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The date.
  public let date: CalendarDate
  /// The hour, 0 to 23.
  public let hour: Int
  /// The minute, 0 to 59.
  public let minute: Int

  /// The time of day.
  public var time: TimeOfDay { TimeOfDay(self) }

  /// Creates a local time; nil if the hour or the minute is out of range.
  public init?(_ date: CalendarDate, hour: Int, minute: Int) {
    guard (0...23).contains(hour), (0...59).contains(minute) else { return nil }
    self.date = date
    self.hour = hour
    self.minute = minute
  }

  /// Converts a moment to local time in a zone; seconds are dropped.
  public init(_ instant: Instant, in zone: Zone) {
    let (day, second) = (instant + zone.offset(at: instant)).seconds.floorDivided(by: 86_400)
    date = CalendarDate(daysSince1970: Int(day))
    hour = Int(second) / 3_600
    minute = Int(second) % 3_600 / 60
  }

  /// Parses `YYYY-MM-DDTHH:MM` exactly, the value of HTML's `datetime-local`; nil for any other
  /// text.
  public init?(_ text: String) {
    let parts = text.split(separator: "T", omittingEmptySubsequences: false)
    guard parts.count == 2, let date = CalendarDate(String(parts[0])) else { return nil }
    let time = Array(parts[1].utf8)
    guard time.count == 5, time[2] == UInt8(ascii: ":"),
      [time[0], time[1], time[3], time[4]].allSatisfy(\.isASCIIDigit),
      let hour = Int(parts[1].prefix(2)), let minute = Int(parts[1].suffix(2))
    else { return nil }
    self.init(date, hour: hour, minute: minute)
  }

  /// Returns the moments at which clocks in a zone show this time.
  ///
  /// There are two or none near a change to or from daylight saving time.
  public func moments(in zone: Zone) -> Moments {
    let seconds = Int64(date.daysSince1970) * 86_400 + Int64(hour * 3_600 + minute * 60)
    // No zone changes its offset twice within two days, so these are the only two candidates.
    let before = zone.offset(at: Instant(seconds) - .days(1))
    let after = zone.offset(at: Instant(seconds) + .days(1))
    let early = Instant(seconds) - before
    let late = Instant(seconds) - after
    if before == after { return .one(early) }
    switch (zone.offset(at: early) == before, zone.offset(at: late) == after) {
    case (true, true): return .two(early, late)
    case (true, false): return .one(early)
    case (false, true): return .one(late)
    case (false, false): return .none(next: early)
    }
  }

  /// The moments that a local time denotes in a zone.
  public enum Moments: Sendable, Hashable {
    /// The usual case: one moment.
    case one(Instant)
    /// Clocks were set back, so the time occurs before the change and after it.
    case two(Instant, Instant)
    /// Clocks were set forward over this time, so it never occurs.
    ///
    /// `next` is later by the skipped interval, which is how RFC 5545 (3.3.5) reads such a time.
    case none(next: Instant)

    /// The only moment, the earlier of two, or the next one if the time never occurs.
    public var first: Instant {
      switch self {
      case .one(let moment), .two(let moment, _), .none(let moment): moment
      }
    }
  }

  /// `YYYY-MM-DDTHH:MM`.
  public var description: String { "\(date)T\(time)" }

  /// Orders local times by date, hour and minute.
  public static func < (one: LocalDateTime, other: LocalDateTime) -> Bool {
    (one.date, one.hour, one.minute) < (other.date, other.hour, other.minute)
  }
}

extension CalendarDate {
  /// Returns the moment at which the day begins in a zone, later than midnight if clocks are set
  /// forward over midnight.
  public func start(in zone: Zone) -> Instant {
    guard let midnight = LocalDateTime(self, hour: 0, minute: 0) else { return Instant(0) }
    return midnight.moments(in: zone).first
  }
}
