/// What a calendar and a clock on a wall show together, wherever they hang.
public struct LocalDateTime: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The day.
  public let date: CalendarDate
  /// 0 to 23.
  public let hour: Int
  /// 0 to 59.
  public let minute: Int

  /// Nil when no clock shows such a time.
  public init?(_ date: CalendarDate, hour: Int, minute: Int) {
    guard (0...23).contains(hour), (0...59).contains(minute) else { return nil }
    self.date = date
    self.hour = hour
    self.minute = minute
  }

  /// What clocks in a zone show at a moment; seconds are dropped.
  public init(_ instant: Instant, in zone: Zone) {
    let (day, second) = (instant + zone.offset(at: instant)).seconds.floorDivided(by: 86_400)
    date = CalendarDate(daysSince1970: Int(day))
    hour = Int(second) / 3_600
    minute = Int(second) % 3_600 / 60
  }

  /// Reads `YYYY-MM-DDTHH:MM`, exactly, as HTML's `datetime-local` sends it; nil for anything else.
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

  /// When it is that time in a zone; once, twice, or never, where clocks are set.
  public func moments(in zone: Zone) -> Moments {
    let seconds = Int64(date.daysSince1970) * 86_400 + Int64(hour * 3_600 + minute * 60)
    // No zone sets its clocks twice within two days, so these are the only two offsets in question.
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

  /// When a local time comes.
  public enum Moments: Sendable, Hashable {
    /// Once, as nearly always.
    case one(Instant)
    /// Twice, since clocks were set back: before that and after it.
    case two(Instant, Instant)
    /// Never, since clocks were set forward over it; `next` is as much later as was left out, which
    /// is what RFC 5545 (3.3.5) takes it for.
    case none(next: Instant)

    /// The only moment, the earlier of two, or the next after none.
    public var first: Instant {
      switch self {
      case .one(let moment), .two(let moment, _), .none(let moment): moment
      }
    }
  }

  /// `YYYY-MM-DDTHH:MM`.
  public var description: String {
    "\(date)T\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
  }

  /// In the order in which a clock shows them.
  public static func < (one: LocalDateTime, other: LocalDateTime) -> Bool {
    (one.date, one.hour, one.minute) < (other.date, other.hour, other.minute)
  }
}

extension CalendarDate {
  /// The moment at which the day begins in a zone: later than midnight where clocks are set forward over it.
  public func start(in zone: Zone) -> Instant {
    guard let midnight = LocalDateTime(self, hour: 0, minute: 0) else { return Instant(0) }
    return midnight.moments(in: zone).first
  }
}
