import PolyclinicCore

/// A time in any of the usual formats of files.
enum WrittenTime: Sendable, Equatable {
  /// Milliseconds since 1970, as in `timestampUnixMs` of blood-pressure-monitor-fl.
  case moment(Instant)
  /// A time with its offset from UTC.
  case zoned(ZonedTime)
  /// A local time in the person's time zone.
  case local(LocalDateTime)
  /// A day without a time. Its beginning is used, because that is never in the future.
  case day(CalendarDate)
  /// A date with an unknown order of day and month: `05/04/2026`.
  case unordered(first: Int, second: Int, year: Int, TimeOfDay?)

  /// The order of day and month in a date that could have either.
  enum Order: String, CaseIterable, Sendable {
    case dayFirst = "day-first"
    case monthFirst = "month-first"
  }

  /// Parses a date, and a time from a column of its own if there is one. Returns nil if it is not a time.
  init?(_ date: String, time: String = "") {
    // Rejects values longer than any time before reading their characters.
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
    let values = numbers.compactMap { Int(written: String($0)) }
    guard values.count == 3, values.allSatisfy({ $0 > 0 }) else { return nil }
    if numbers[0].count == 4 {
      self.init(year: values[0], month: values[1], day: values[2], clock)
    } else if numbers[2].count != 4 {
      return nil
    } else if day.contains(".") {
      // Dates with full stops have the day first in all languages (CLDR).
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

  /// Parses `09:05` and `9:05`, with or without seconds, and with or without AM or PM.
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

  /// The order that the numbers themselves show; nil if it could be either.
  var order: Order? {
    guard case .unordered(let first, let second, _, _) = self else { return nil }
    if first > 12 { return .dayFirst }
    return second > 12 ? .monthFirst : nil
  }

  /// Returns the moment of this time in a person's time zone. Returns nil for a day that does not exist,
  /// and for a time that was skipped when the clocks went forward.
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
