import PolyclinicCore
import PolyclinicFormats

/// The date in a card's `BDAY` line (RFC 6350, 4.3.1 and 6.2.5), as far as this module uses it.
enum CardDate: Equatable {
  case day(CalendarDate)
  /// A day without its year.
  case yearless(CalendarDate.MonthDay)
  /// A year or a month alone: valid, but not a day.
  case partial
  /// A date in words, or an invalid one.
  case other

  /// Parses `19850412` and `--0412`, also with the hyphens of version 3.0. Ignores a time of day,
  /// which only an export writes again, and the semicolons that some programs write behind the
  /// date.
  init(_ line: ContentLine) {
    // Rejects values longer than any date before decoding their characters.
    guard line.value.count <= 100 else {
      self = .other
      return
    }
    let text = plainText(line.text, .line)
    let date = text.prefix { !"Tt ".contains($0) }.withoutTrailingSemicolons
    if line.values(of: "VALUE").contains(where: { $0.lowercased() == "text" }) {
      self = .other
    } else if date.hasPrefix("--") && !date.hasPrefix("---") {
      let digits = date.filter { $0 != "-" }
      self = Self.numbers(digits, 2, 2).flatMap { Self.yearless($0[0], $0[1]) } ?? .partial
      if self == .partial, digits.count != 2 { self = .other }
    } else if let full = Self.day(date) {
      // Apple writes a placeholder year and names it in `X-APPLE-OMIT-YEAR`.
      let isYearless = line.values(of: "X-APPLE-OMIT-YEAR").contains(String(full.year))
      self = isYearless ? .yearless(full.monthDay) : .day(full)
    } else if let leapDay = Self.leapDay(date) {
      self = leapDay
    } else {
      self = Self.isPartial(date) ? .partial : .other
    }
  }

  /// Returns the time of day that a card's line has behind the date, such as `T1022Z`, in the
  /// format of version 4.0 (RFC 6350, 4.3.4); nil if there is none, or another text.
  static func time(of line: ContentLine) -> String? {
    guard line.value.count <= 100, let start = line.text.firstIndex(of: "T") else { return nil }
    let clock = line.text[start...].dropFirst().filter { $0 != ":" }
    guard let parts = clock.wholeMatch(of: #/(\d{2}|\d{4}|\d{6})(?:[.,]\d+)?(Z|[+\-]\d{2,4})?/#)
    else { return nil }
    return "T\(parts.1)\(parts.2 ?? "")"
  }

  /// Returns 29 February without its year if the year has no such day, because the year is wrong
  /// then and the day is still a birthday.
  private static func leapDay(_ text: Substring) -> CardDate? {
    let parts = numbers(text.filter { $0 != "-" }, 4, 2, 2)
    guard let parts, parts[1] == 2, parts[2] == 29 else { return nil }
    return yearless(2, 29)
  }

  /// The date in the format of version 4.0; nil if it is not a full or yearless day.
  var written: String? {
    switch self {
    case .day(let date): date.description.filter { $0 != "-" }
    case .yearless(let day): "--\(Self.two(day.month))\(Self.two(day.day))"
    case .partial, .other: nil
    }
  }

  private static func day(_ text: Substring) -> CalendarDate? {
    if let date = CalendarDate(String(text)) { return date }
    return numbers(String(text), 4, 2, 2).flatMap {
      CalendarDate(year: $0[0], month: $0[1], day: $0[2])
    }
  }

  private static func yearless(_ month: Int, _ day: Int) -> CardDate? {
    // Validates against a leap year, because 29 February is a birthday.
    CalendarDate(year: 2_000, month: month, day: day).map { .yearless($0.monthDay) }
  }

  /// True for a year, a year and month, or a day of the month: `1985`, `1985-04` and `---12`.
  private static func isPartial(_ text: Substring) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let digits = parts.filter { !$0.isEmpty && $0.allSatisfy { "0"..."9" ~= $0 } }
    switch parts.count {
    case 1: return digits.count == 1 && text.count == 4
    case 2: return digits.count == 2 && parts[0].count == 4 && parts[1].count == 2
    case 4: return text.hasPrefix("---") && digits.count == 1 && parts[3].count == 2
    default: return false
    }
  }

  /// Splits a text of digits into numbers of the given widths; nil for any other text.
  private static func numbers(_ text: String, _ widths: Int...) -> [Int]? {
    let digits = text.utf8.map { Int($0) - 48 }
    guard digits.count == widths.reduce(0, +), digits.allSatisfy((0...9).contains) else {
      return nil
    }
    var rest = digits[...]
    return widths.map { width in
      defer { rest = rest.dropFirst(width) }
      return rest.prefix(width).reduce(0) { $0 * 10 + $1 }
    }
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension Substring {
  fileprivate var withoutTrailingSemicolons: Substring {
    var rest = self
    while rest.last == ";" { rest.removeLast() }
    return rest
  }
}
