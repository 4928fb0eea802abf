import PolyclinicCore

/// Reads the parts of a written time one after the other.
struct WrittenTimeScanner {
  /// A part of a text: a run of digits, a run of letters, white space, or another sign.
  private enum Token: Equatable {
    case number(String)
    case word(String)
    case blank
    case sign(Unicode.Scalar)
  }

  private var tokens: [Token] = []
  private var position = 0

  /// The longest text in bytes, several times the longest time.
  private static let limit = 100

  /// Splits a text into its parts; nil if it is too long.
  init?(_ text: String) {
    guard text.utf8.count <= Self.limit else { return nil }
    for scalar in text.unicodeScalars { append(scalar) }
    if tokens.last == .blank { tokens.removeLast() }
  }

  var isAtEnd: Bool { position == tokens.count }

  private mutating func append(_ scalar: Unicode.Scalar) {
    let properties = scalar.properties
    switch properties.generalCategory {
    case .decimalNumber:
      let digit = String(Int(properties.numericValue ?? 0))
      if case .number(let number) = tokens.last {
        tokens[tokens.count - 1] = .number(number + digit)
      } else {
        tokens.append(.number(digit))
      }
    // Marks of direction, which copied text contains.
    case .format: break
    case .dashPunctuation: tokens.append(.sign("-"))
    case _ where scalar == "\u{2212}": tokens.append(.sign("-"))
    case _ where properties.isWhitespace:
      if tokens.last != .blank, !tokens.isEmpty { tokens.append(.blank) }
    case _ where properties.isAlphabetic || properties.generalCategory == .nonspacingMark:
      if case .word(let word) = tokens.last {
        tokens[tokens.count - 1] = .word(word + String(scalar))
      } else {
        tokens.append(.word(String(scalar)))
      }
    default: tokens.append(.sign(scalar))
    }
  }
}

// MARK: The whole time

extension WrittenTimeScanner {
  /// Reads the whole text; nil if it is no time.
  mutating func time() -> WrittenTime.Value? {
    if tokens.count == 1, case .number(let digits) = tokens[0], let value = Self.time(of: digits) {
      return value
    }
    guard let day = self.day() else { return nil }
    let isBasic = takeSeparator()
    if isAtEnd { return .local(day, nil, nil) }
    guard let clock = self.clock(isBasic: isBasic) else { return nil }
    takeBlank()
    if takeWord(in: ["uhr", "ч", "h"]) { takeBlank() }
    let place = self.place()
    return isAtEnd ? .local(day, clock, place) : nil
  }

  /// Returns the time of a text of digits only.
  private static func time(of digits: String) -> WrittenTime.Value? {
    let length = digits.utf8.count
    if length == 12 || length == 14, let date = date(digits.prefix(8)),
      let clock = clock(digits.dropFirst(8))
    {
      return .local(.date(date), clock, nil)
    }
    // Nine and twelve digits are of moments before 9 September 2001.
    switch length {
    case 9, 10: return Int64(digits).map { .moment(Instant($0)) }
    case 12, 13: return Int64(digits).map { .moment(Instant($0 / 1_000)) }
    default: return nil
    }
  }

  /// Skips what stands between a date and its clock. Returns true for the `T` of ISO 8601, behind
  /// which the clock may have no colons.
  private mutating func takeSeparator() -> Bool {
    if takeWord(in: ["t"]) { return true }
    // A hyphen without a blank before it would begin an offset.
    while takeBlank() && (takeSign("-") || true) || takeSign(",") || takeSign(".")
      || takeWord(in: Self.words)
    {}
    return false
  }

  /// The words that stand beside a date, such as in “6 мая 2026 г. в 9:05”.
  private static let words: Set = ["at", "г", "в", "um", "kl", "à", "alle", "om", "בשעה"]

  @discardableResult
  private mutating func takeBlank() -> Bool { take(.blank) }

  private mutating func takeSign(_ sign: Unicode.Scalar) -> Bool { take(.sign(sign)) }

  private mutating func take(_ token: Token) -> Bool {
    guard position < tokens.count, tokens[position] == token else { return false }
    position += 1
    return true
  }

  private mutating func takeWord(in words: Set<String>) -> Bool {
    guard position < tokens.count, case .word(let word) = tokens[position],
      words.contains(word.lowercased())
    else { return false }
    position += 1
    return true
  }

  private mutating func takeNumber(of lengths: ClosedRange<Int>) -> String? {
    guard position < tokens.count, case .number(let number) = tokens[position],
      lengths.contains(number.utf8.count)
    else { return nil }
    position += 1
    return number
  }
}

// MARK: Dates

extension WrittenTimeScanner {
  private mutating func day() -> WrittenTime.Day? {
    let start = position
    if let number = takeNumber(of: 8...8) { return Self.date(number[...]).map { .date($0) } }
    if let day = numericDay() { return day }
    position = start
    return dayWithMonthName().map { .date($0) }
  }

  /// Returns the date of `YYYYMMDD`.
  private static func date(_ digits: Substring) -> CalendarDate? {
    guard let number = Int(digits), (1_900..<2_100).contains(number / 10_000) else { return nil }
    return CalendarDate(year: number / 10_000, month: number / 100 % 100, day: number % 100)
  }

  private mutating func numericDay() -> WrittenTime.Day? {
    guard let first = takeNumber(of: 1...4), position < tokens.count,
      case .sign(let sign) = tokens[position], "-./".unicodeScalars.contains(sign), takeSign(sign)
    else { return nil }
    takeBlank()
    guard let second = takeNumber(of: 1...2), takeSign(sign) else { return nil }
    takeBlank()
    guard let third = takeNumber(of: 1...4),
      let one = Int(first), let two = Int(second), let three = Int(third)
    else { return nil }
    if first.utf8.count == 4, third.utf8.count <= 2 {
      return CalendarDate(year: one, month: two, day: three).map { .date($0) }
    }
    guard first.utf8.count <= 2, let year = self.year(third, at: position - 1), one > 0, two > 0
    else { return nil }
    // Dates with full stops have the day first in all languages (CLDR).
    if sign == "." { return CalendarDate(year: year, month: two, day: one).map { .date($0) } }
    // With hyphens the year may come first, as in ISO 8601:2000, and only one order is asked about.
    if sign == "-", third.utf8.count == 2,
      CalendarDate(year: 2_000 + one, month: two, day: three) != nil
    {
      return nil
    }
    return .unordered(first: one, second: two, year: year)
  }

  /// Returns the year of the digits at an index: four digits, or two for a year of this century. Nil
  /// for any other number of digits, and for the hours of a clock behind a date without a year.
  private func year(_ digits: String, at index: Int) -> Int? {
    guard digits.utf8.count == 2 else { return digits.utf8.count == 4 ? Int(digits) : nil }
    if index + 2 < tokens.count, case .sign(let sign) = tokens[index + 1],
      ".:".unicodeScalars.contains(sign),
      case .number = tokens[index + 2]
    {
      return nil
    }
    return Int(digits).map { 2_000 + $0 }
  }

  /// Reads day, month name and year in any order, with a name of the weekday, which must be the
  /// date's.
  private mutating func dayWithMonthName() -> CalendarDate? {
    var (day, month, year, weekday): (Int?, Int?, Int?, Int?)
    while day == nil || month == nil || year == nil {
      guard position < tokens.count else { return nil }
      switch tokens[position] {
      case .number(let number) where number.utf8.count == 4 && year == nil: year = Int(number)
      case .number(let number) where number.utf8.count <= 2 && day == nil: day = Int(number)
      case .number(let number) where number.utf8.count == 2 && year == nil:
        guard let found = self.year(number, at: position) else { return nil }
        year = found
      case .word(let word) where Self.besideMonths.contains(word.lowercased()): break
      case .word(let word):
        if month == nil, let found = MonthNames.known.month(word) {
          month = found
        } else if weekday == nil, let found = MonthNames.known.weekday(word) {
          weekday = found
        } else {
          return nil
        }
      case .blank: break
      case .sign(let sign) where ".,-/'׳".unicodeScalars.contains(sign): break
      default: return nil
      }
      position += 1
    }
    guard let date = CalendarDate(year: year ?? 0, month: month ?? 0, day: day ?? 0) else {
      return nil
    }
    // 1970-01-04 was a Sunday, which calendars count as the first day.
    let isOther = weekday.map { ((date.daysSince1970 - 3) % 7 + 7) % 7 + 1 != $0 } ?? false
    return isOther ? nil : date
  }

  /// The words within dates such as “May 6th, 2026” and “6 de mayo de 2026”.
  private static let besideMonths: Set = ["st", "nd", "rd", "th", "of", "de", "den", "the"]
}

// MARK: Clocks

extension WrittenTimeScanner {
  /// Reads a clock; one of ISO 8601's basic format may have no colons.
  private mutating func clock(isBasic: Bool) -> TimeOfDay? {
    if isBasic, let digits = takeNumber(of: 4...6) {
      return takeFraction() ? Self.clock(digits[...]) : nil
    }
    guard let hours = takeNumber(of: 1...2), position < tokens.count,
      case .sign(let sign) = tokens[position], sign == ":" || sign == ".", takeSign(sign),
      let minutes = takeNumber(of: 2...2)
    else { return nil }
    if takeSign(sign) {
      guard let seconds = takeNumber(of: 2...2).flatMap({ Int($0) }), seconds < 60,
        sign == "." || takeFraction()
      else { return nil }
    }
    guard let hour = Int(hours), let minute = Int(minutes) else { return nil }
    switch half() {
    case .none: return TimeOfDay(hour: hour, minute: minute)
    case .first where hour <= 12: return TimeOfDay(hour: hour % 12, minute: minute)
    case .second where (1...12).contains(hour):
      return TimeOfDay(hour: hour % 12 + 12, minute: minute)
    // 20:30 PM is a clock of 24 hours with a needless word.
    case .second where hour > 12: return TimeOfDay(hour: hour, minute: minute)
    default: return nil
    }
  }

  /// Returns the clock of `HHMM` or `HHMMSS`.
  private static func clock(_ digits: Substring) -> TimeOfDay? {
    guard digits.utf8.count == 4 || digits.utf8.count == 6,
      let hour = Int(digits.prefix(2)), let minute = Int(digits.dropFirst(2).prefix(2)),
      (Int(digits.dropFirst(4)) ?? 0) < 60
    else { return nil }
    return TimeOfDay(hour: hour, minute: minute)
  }

  /// Skips the fraction of a second; returns false for a separator without digits.
  private mutating func takeFraction() -> Bool {
    guard takeSign(".") || takeSign(",") else { return true }
    return takeNumber(of: 1...Self.limit) != nil
  }

  private enum Half { case first, second }

  /// Skips AM or PM; returns false if there is neither.
  mutating func takeHalf() -> Bool { half() != nil }

  /// Reads AM or PM in the portal's languages (CLDR) and in some further ones; nil if there is
  /// neither.
  private mutating func half() -> Half? {
    let start = position
    takeBlank()
    var word = ""
    // “p. m.” and “אחה״צ” are several parts.
    while position < tokens.count, word.unicodeScalars.count < 8 {
      if case .word(let part) = tokens[position] {
        word += part.lowercased()
      } else if case .sign(let sign) = tokens[position], ".\"'׳״".unicodeScalars.contains(sign) {
        // Points and quotation marks are left out.
      } else if tokens[position] != .blank || word.count != 1 {
        break
      }
      position += 1
    }
    if Self.firstHalves.contains(word) { return .first }
    if Self.secondHalves.contains(word) { return .second }
    position = start
    return nil
  }

  private static let firstHalves: Set = ["am", "дп", "לפנהצ", "fm", "ap"]
  private static let secondHalves: Set = ["pm", "пп", "אחהצ", "em", "ip"]
}

// MARK: Zones

extension WrittenTimeScanner {
  /// Reads a zone, and the zone's name in brackets behind an offset (RFC 9557). Nil if there is
  /// none.
  mutating func place() -> WrittenTime.Place? {
    let start = position
    if takeWord(in: ["z"]) { return .utc }
    if takeWord(in: ["utc", "gmt"]) { return offset().map { .offset($0) } ?? .utc }
    let offset = self.offset()
    if takeSign("[") {
      guard let zone = zone(), takeSign("]") else { return nil }
      return offset.map { .both($0, zone) } ?? .zone(zone)
    }
    if let offset { return .offset(offset) }
    if let zone = zone(), zone.identifier.contains("/") { return .zone(zone) }
    position = start
    return nil
  }

  /// Reads an offset such as `+03`, `+0300` or `+03:00`; nil if there is none.
  private mutating func offset() -> Seconds? {
    let start = position
    let isBehind = takeSign("-")
    guard isBehind || takeSign("+"), let minutes = minutesOfOffset() else {
      position = start
      return nil
    }
    return Seconds(Int64(isBehind ? -minutes : minutes) * 60)
  }

  private mutating func minutesOfOffset() -> Int? {
    guard let digits = takeNumber(of: 1...4), digits.utf8.count != 3, let number = Int(digits)
    else { return nil }
    var (hours, minutes) = number.quotientAndRemainder(dividingBy: 100)
    if digits.utf8.count <= 2 {
      hours = number
      minutes = 0
      if takeSign(":") {
        guard let written = takeNumber(of: 2...2).flatMap({ Int($0) }) else { return nil }
        minutes = written
      }
    }
    return hours <= 18 && minutes < 60 ? hours * 60 + minutes : nil
  }

  /// Reads the name of a zone.
  private mutating func zone() -> Zone? {
    var name = ""
    while position < tokens.count {
      switch tokens[position] {
      case .number(let part), .word(let part): name += part
      case .sign(let sign) where "/_+-".unicodeScalars.contains(sign): name += String(sign)
      default: return name.isEmpty ? nil : Zone(name)
      }
      position += 1
    }
    return name.isEmpty ? nil : Zone(name)
  }
}
