/// A day of the proleptic Gregorian calendar (ISO 8601), without a time or a zone.
public struct CalendarDate: Sendable, Hashable, Comparable, LosslessStringConvertible {
  /// The year, 1 to 9999.
  public let year: Int
  /// The month, 1 to 12.
  public let month: Int
  /// The day of the month, from 1 to the month's last day.
  public let day: Int

  /// Creates a day; nil if it does not exist or the year is not in 1 to 9999.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9_999).contains(year), (1...12).contains(month),
      (1...Self.days(in: month, of: year)).contains(day)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// Parses `YYYY-MM-DD` exactly; nil for any other text.
  public init?(_ text: String) {
    let digits = Array(text.utf8)
    guard digits.count == 10, digits[4] == UInt8(ascii: "-"), digits[7] == UInt8(ascii: "-") else {
      return nil
    }
    func number(_ range: Range<Int>) -> Int? {
      var value = 0
      for byte in digits[range] {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        value = value * 10 + Int(byte - UInt8(ascii: "0"))
      }
      return value
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10) else {
      return nil
    }
    self.init(year: year, month: month, day: day)
  }

  /// Creates the day `count` days after 1970-01-01 (days_from_civil, Howard Hinnant,
  /// "chrono-Compatible Low-Level Date Algorithms").
  public init(daysSince1970 count: Int) {
    let shifted = count + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// The number of days since 1970-01-01; negative before it.
  public var daysSince1970: Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// The month and day without the year, for yearly events.
  public var monthDay: CalendarDate.MonthDay { CalendarDate.MonthDay(month: month, day: day) }

  /// Returns the age in whole years on a day of somebody born on this date; 0 before it.
  public func age(on day: CalendarDate) -> Int {
    let hadBirthday = (day.month, day.day) >= (month, self.day)
    return max(0, day.year - year - (hadBirthday ? 0 : 1))
  }

  /// Returns the day `days` days later; earlier for a negative number.
  public func adding(days: Int) -> CalendarDate {
    CalendarDate(daysSince1970: daysSince1970 + days)
  }

  /// `YYYY-MM-DD`; the year has more than four digits after 9999.
  public var description: String {
    let text = String(unsafeUninitializedCapacity: 10) { bytes in
      var rest = ((year * 100 + month) * 100 + day).magnitude
      for place in (0..<10).reversed() {
        if place == 4 || place == 7 {
          bytes[place] = UInt8(ascii: "-")
        } else {
          bytes[place] = UInt8(ascii: "0") + UInt8(rest % 10)
          rest /= 10
        }
      }
      return 10
    }
    return year < 10_000 ? text : "\(year / 10_000)\(text)"
  }

  /// Orders days chronologically.
  public static func < (one: CalendarDate, other: CalendarDate) -> Bool {
    (one.year, one.month, one.day) < (other.year, other.month, other.day)
  }

  /// Returns the number of days in a month, which is 1 to 12.
  @inlinable
  public static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// True if the year is a leap year.
  @inlinable
  public static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }
}

extension CalendarDate {
  /// A yearly day, such as a birthday.
  public struct MonthDay: Sendable, Hashable {
    /// The month, 1 to 12.
    public let month: Int
    /// The day of the month, 1 to 31.
    public let day: Int

    /// Creates a yearly day without a check; the caller takes it from a ``CalendarDate``.
    @inlinable
    public init(month: Int, day: Int) {
      self.month = month
      self.day = day
    }

    /// Returns the day in that year; 29 February becomes 28 February in common years.
    public func date(in year: Int) -> CalendarDate? {
      CalendarDate(year: year, month: month, day: min(day, CalendarDate.days(in: month, of: year)))
    }

    /// Returns the next occurrence on or after `start`.
    public func next(onOrAfter start: CalendarDate) -> CalendarDate? {
      guard let thisYear = date(in: start.year), thisYear < start else {
        return date(in: start.year)
      }
      return date(in: start.year + 1)
    }
  }
}
