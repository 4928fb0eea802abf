import Foundation

/// Formats dates, times and numbers for a language and a time zone.
///
/// Words and order come from Unicode CLDR through Foundation. They are loaded once for each
/// language at its first use, which takes some milliseconds. After that, a date is formatted by
/// joining strings, without a calendar or a lock.
public struct Formats: Sendable {
  /// The language that determines words and order.
  public let language: Language
  /// The time zone in which moments are shown.
  public let timeZone: Zone

  /// Creates formats at no cost; a language's patterns are loaded at its first use.
  public init(language: Language, timeZone: Zone) {
    self.language = language
    self.timeZone = timeZone
  }

  /// Returns a date such as 21 November 2026.
  public func date(_ date: CalendarDate) -> String {
    patterns.date[date.month - 1].string(date)
  }

  /// Returns an abbreviated date such as 21 Nov 2026, for tables.
  public func shortDate(_ date: CalendarDate) -> String {
    patterns.shortDate[date.month - 1].string(date)
  }

  /// Returns a month and day such as 21 November.
  public func monthDay(_ day: CalendarDate.MonthDay) -> String {
    patterns.monthDay[day.month - 1].string(.init(day: day.day))
  }

  /// Returns an abbreviated day such as 21 Nov, for narrow spaces.
  public func shortMonthDay(_ date: CalendarDate) -> String {
    patterns.shortMonthDay[date.month - 1].string(date)
  }

  /// Returns an abbreviated month such as Nov 2026, for narrow spaces.
  public func shortMonth(_ date: CalendarDate) -> String {
    patterns.shortMonth[date.month - 1].string(date)
  }

  /// Returns a month such as November 2026 with a capital letter, for headings.
  public func month(_ date: CalendarDate) -> String {
    let name = patterns.month[date.month - 1].string(date)
    return "\(name.prefix(1).uppercased())\(name.dropFirst()) \(date.year)"
  }

  /// Returns the time in the time zone, such as 09:05.
  public func time(_ instant: Instant) -> String { time(LocalDateTime(instant, in: timeZone)) }

  /// Returns a local time such as 09:05.
  public func time(_ local: LocalDateTime) -> String {
    patterns.time.string(.init(hour: local.hour, minute: local.minute))
  }

  /// Returns a time of day such as 09:05.
  public func time(_ time: TimeOfDay) -> String {
    patterns.time.string(.init(hour: time.hour, minute: time.minute))
  }

  /// Returns the date and time in the time zone, such as 21 November 2026 at 09:05.
  public func dateTime(_ instant: Instant) -> String {
    dateTime(LocalDateTime(instant, in: timeZone))
  }

  /// Returns a local date and time such as 21 November 2026 at 09:05.
  public func dateTime(_ local: LocalDateTime) -> String {
    patterns.dateTime[local.date.month - 1].string(local.date, time: time(local))
  }

  /// Returns the date and time that the clock showed at a moment, such as 21 November 2026 at
  /// 09:05.
  public func dateTime(_ time: ZonedTime) -> String { dateTime(time.local) }

  /// Returns the date of a moment in the time zone.
  public func day(of instant: Instant) -> CalendarDate {
    LocalDateTime(instant, in: timeZone).date
  }

  /// Returns a whole number such as 1,234.
  public func number(_ value: Int) -> String { Self.number(value, in: language) }

  /// Returns a number such as 1,234.5 with exactly `fractionDigits` digits after the separator,
  /// rounded half to even.
  public func number(_ value: Double, fractionDigits: Int) -> String {
    guard let text = patterns.numbers?.string(value, fractionDigits: fractionDigits) else {
      return value.formatted(patterns.decimal.precision(.fractionLength(fractionDigits)))
    }
    return text
  }

  /// Returns a number with as many digits after the separator as it needs, at most `most`: 72, and
  /// 72.5.
  public func number(_ value: Double, atMost most: Int) -> String {
    number(value, fractionDigits: Self.fractionDigits(of: value, atMost: most))
  }

  /// Returns the number of digits after the separator that a number needs, at most `most`.
  public static func fractionDigits(of value: Double, atMost most: Int) -> Int {
    var digits = max(0, most)
    var scaled = (0..<digits).reduce(value) { scaled, _ in scaled * 10 }.rounded()
    while digits > 0, scaled.truncatingRemainder(dividingBy: 10) == 0 {
      scaled /= 10
      digits -= 1
    }
    return digits
  }

  /// Returns a number with its unit such as 9.7 mmol/L or 120/80 mmHg, which stay in this order and
  /// on one line in every language.
  ///
  /// Without it, Hebrew shows a Latin unit before its number, and a number at the unit of its
  /// neighbour.
  public func quantity(_ number: String, _ unit: String) -> String {
    "\(number)\u{A0}\(unit)".isolated(in: language)
  }

  /// Returns a quantity with as many digits after the separator as it needs, at most `most`.
  public func quantity(_ value: Double, _ unit: String, atMost most: Int) -> String {
    quantity(number(value, atMost: most), unit)
  }

  /// Returns a percentage such as 99.9% for 99.9, with the sign where the language has it.
  public func percent(_ percentage: Double, fractionDigits: Int = 0) -> String {
    number(percentage, fractionDigits: fractionDigits)
      + (language == .russian ? "\u{A0}%" : "%")
  }

  private static func minus(in language: Language) -> String { mark(in: language) + "\u{2212}" }

  /// A left-to-right mark in Hebrew, without which the sign would be shown after the digits.
  private static func mark(in language: Language) -> String {
    language == .hebrew ? "\u{200E}" : ""
  }

  static func number(_ value: Int, in language: Language) -> String {
    if value < 0 {
      return minus(in: language) + number(Int(clamping: value.magnitude), in: language)
    }
    // Below a thousand, all three languages write plain digits.
    if (0..<1_000).contains(value) { return String(value) }
    let patterns = FormatPatterns.of(language)
    return patterns.numbers?.string(value) ?? value.formatted(patterns.integer)
  }

  private var patterns: FormatPatterns { .of(language) }
}
