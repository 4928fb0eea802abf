import PolyclinicCore

/// A time as files write it, in any of the usual ways.
enum WrittenTime: Sendable, Equatable {
  /// Milliseconds since 1970, as blood-pressure-monitor-fl writes its `timestampUnixMs`.
  case moment(Instant)
  /// With its offset from UTC.
  case zoned(ZonedTime)
  /// On a clock of the person's zone.
  case local(LocalDateTime)
  /// A day of which no time is told: its beginning stands for it, which is never still to come.
  case day(CalendarDate)
  /// Three numbers of which one is not known to be the day or the month: `05/04/2026`.
  case unordered(first: Int, second: Int, year: Int, TimeOfDay?)

  /// The order of day and month where a number could be either.
  enum Order: String, CaseIterable, Sendable {
    case dayFirst = "day-first"
    case monthFirst = "month-first"
  }

  /// Nil if it is not a time. `time` is what stands in a column of its own, if there is one.
  init?(_ date: String, time: String = "") {
    // Longer than any way of writing one, before its characters are looked at.
    guard date.utf8.count + time.utf8.count <= 100 else { return nil }
    if let number = Int64(date), date.utf8.count >= 9, date.utf8.allSatisfy({ $0 != 0x2B }) {
      self = .moment(Instant(date.utf8.count > 11 ? number / 1_000 : number))
      return
    }
    let text = time.isEmpty ? date : "\(date) \(time)"
    if let zoned = ZonedTime(text) {
      self = .zoned(zoned)
      return
    }
    let parts = text.split(maxSplits: 1, omittingEmptySubsequences: true) { "T ,".contains($0) }
    guard let day = parts.first else { return nil }
    let clock = parts.count < 2 ? nil : Self.clock(String(parts[1]))
    guard parts.count < 2 || clock != nil else { return nil }
    self.init(day: String(day), clock)
  }

  private init?(day: String, _ clock: TimeOfDay?) {
    let numbers = day.split(omittingEmptySubsequences: false) { "-./".contains($0) }
    guard numbers.count == 3, numbers.allSatisfy({ (1...4).contains($0.utf8.count) }) else {
      return nil
    }
    let values = numbers.compactMap { WrittenNumber.integer(String($0)) }
    guard values.count == 3, values.allSatisfy({ $0 > 0 }) else { return nil }
    if numbers[0].count == 4 {
      self.init(year: values[0], month: values[1], day: values[2], clock)
    } else if numbers[2].count != 4 {
      return nil
    } else if day.contains(".") {
      // With full stops the day stands first wherever dates are written so (CLDR).
      self.init(year: values[2], month: values[1], day: values[0], clock)
    } else {
      self = .unordered(first: values[0], second: values[1], year: values[2], clock)
    }
  }

  private init?(year: Int, month: Int, day: Int, _ clock: TimeOfDay?) {
    guard let date = CalendarDate(year: year, month: month, day: day) else { return nil }
    guard let clock else {
      self = .day(date)
      return
    }
    guard let local = LocalDateTime(date, hour: clock.hour, minute: clock.minute) else {
      return nil
    }
    self = .local(local)
  }

  /// `09:05`, `9:05`, with or without seconds, with or without AM or PM.
  private static func clock(_ text: String) -> TimeOfDay? {
    let words = text.trimmingSpaces.lowercased().split(separator: " ")
    guard let first = words.first, words.count <= 2 else { return nil }
    let half = words.count == 2 ? String(words[1]) : ""
    guard let time = TimeOfDay(first.split(separator: ":").prefix(2).joined(separator: ":")) else {
      return nil
    }
    switch half {
    case "": return time
    case "am": return TimeOfDay(hour: time.hour % 12, minute: time.minute)
    case "pm": return TimeOfDay(hour: time.hour % 12 + 12, minute: time.minute)
    default: return nil
    }
  }

  /// Which order the number alone shows; nil where it could be either.
  var order: Order? {
    guard case .unordered(let first, let second, _, _) = self else { return nil }
    if first > 12 { return .dayFirst }
    return second > 12 ? .monthFirst : nil
  }

  /// When it was, for somebody whose clocks show that zone's time; nil for a day that does not exist, and
  /// for a time that was left out when clocks were set forward.
  func time(in zone: Zone, _ order: Order) -> ZonedTime? {
    switch self {
    case .moment(let moment): return ZonedTime(moment, in: zone)
    case .zoned(let time): return time
    case .day(let date):
      return ZonedTime(date.start(in: zone), in: zone)
    case .local(let local):
      switch local.moments(in: zone) {
      case .one(let moment), .two(let moment, _): return ZonedTime(moment, in: zone)
      case .none: return nil
      }
    case .unordered(let first, let second, let year, let clock):
      let (day, month) = order == .dayFirst ? (first, second) : (second, first)
      return Self(year: year, month: month, day: day, clock)?.time(in: zone, order)
    }
  }
}

extension String {
  fileprivate var trimmingSpaces: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
