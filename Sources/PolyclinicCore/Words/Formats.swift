import Foundation

/// How dates, times and numbers are written in a language, in a time zone.
///
/// Words and order come from Unicode CLDR through Foundation, once a language (some milliseconds, when
/// it is first used); after that a date is only joined together, without calendar or lock.
public struct Formats: Sendable {
  /// Whose words and order are used.
  public let language: Language
  /// Whose clocks tell the time of a moment.
  public let timeZone: Zone

  /// Costs nothing: what a language needs is made when it is first used.
  public init(language: Language, timeZone: Zone) {
    self.language = language
    self.timeZone = timeZone
  }

  /// 21 November 2026.
  public func date(_ date: CalendarDate) -> String {
    patterns.date[date.month - 1].string(date)
  }

  /// 21/11/2026, in the order of the language.
  public func shortDate(_ date: CalendarDate) -> String {
    patterns.shortDate[date.month - 1].string(date)
  }

  /// 21 November.
  public func monthDay(_ day: MonthDay) -> String {
    patterns.monthDay[day.month - 1].string(year: 0, day: day.day)
  }

  /// 21 Nov, for where there is little room.
  public func shortMonthDay(_ date: CalendarDate) -> String {
    patterns.shortMonthDay[date.month - 1].string(date)
  }

  /// Nov 2026, for where there is little room.
  public func shortMonth(_ date: CalendarDate) -> String {
    patterns.shortMonth[date.month - 1].string(date)
  }

  /// 09:05, on clocks of the time zone.
  public func time(_ instant: Instant) -> String { time(LocalDateTime(instant, in: timeZone)) }

  /// 09:05.
  public func time(_ local: LocalDateTime) -> String {
    patterns.time.string(year: 0, day: 0, hour: local.hour, minute: local.minute)
  }

  /// 09:05.
  public func time(_ time: TimeOfDay) -> String {
    patterns.time.string(year: 0, day: 0, hour: time.hour, minute: time.minute)
  }

  /// 21 November 2026 at 09:05, on clocks of the time zone.
  public func dateTime(_ instant: Instant) -> String {
    dateTime(LocalDateTime(instant, in: timeZone))
  }

  /// 21 November 2026 at 09:05.
  public func dateTime(_ local: LocalDateTime) -> String {
    patterns.dateTime[local.date.month - 1].string(local.date, time: time(local))
  }

  /// The day that it is in the time zone.
  public func day(of instant: Instant) -> CalendarDate {
    LocalDateTime(instant, in: timeZone).date
  }

  /// 1,234.
  public func number(_ value: Int) -> String { Self.number(value, in: language) }

  /// 1,234.5 with as many digits after the separator as are asked for, rounded half to even.
  public func number(_ value: Double, fractionDigits: Int) -> String {
    guard let text = patterns.numbers?.string(value, fractionDigits: fractionDigits) else {
      return value.formatted(patterns.decimal.precision(.fractionLength(fractionDigits)))
    }
    return text
  }

  /// +1.2, −0.8, or ±0.0 where nothing is left of it after rounding.
  public func change(_ value: Double, fractionDigits: Int) -> String {
    let amount = number(abs(value), fractionDigits: fractionDigits)
    let isNothing = amount == number(0, fractionDigits: fractionDigits)
    if value < 0, !isNothing { return Self.minus(in: language) + amount }
    return Self.mark(in: language) + (isNothing ? "±" : "+") + amount
  }

  private static func minus(in language: Language) -> String { mark(in: language) + "\u{2212}" }

  /// In Hebrew a left-to-right mark stands before a sign, which else would stand behind the digits.
  private static func mark(in language: Language) -> String {
    language == .hebrew ? "\u{200E}" : ""
  }

  static func number(_ value: Int, in language: Language) -> String {
    if value < 0 {
      return minus(in: language) + number(Int(clamping: value.magnitude), in: language)
    }
    // Below a thousand all three languages write plain digits.
    if (0..<1_000).contains(value) { return String(value) }
    let patterns = FormatPatterns.of(language)
    return patterns.numbers?.string(value) ?? value.formatted(patterns.integer)
  }

  private var patterns: FormatPatterns { .of(language) }
}
