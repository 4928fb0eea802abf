import Foundation

/// How one language writes dates, times and numbers, taken from Foundation's formatters once.
final class FormatPatterns: Sendable {
  /// For each month, January first: its name and its case are part of the pattern.
  let date: [DatePattern]
  let shortDate: [DatePattern]
  let monthDay: [DatePattern]
  let dateTime: [DatePattern]
  let shortMonthDay: [DatePattern]
  let shortMonth: [DatePattern]
  let time: DatePattern
  let integer: IntegerFormatStyle<Int>
  /// Nil where digits are not grouped by three.
  let numbers: NumberPattern?
  let decimal: FloatingPointFormatStyle<Double>

  static func of(_ language: Language) -> FormatPatterns {
    switch language {
    case .english: english
    case .russian: russian
    case .hebrew: hebrew
    }
  }

  /// The day before the month and a clock of 24 hours, as in most of the world: British English.
  private static let english = FormatPatterns(Locale(identifier: "en_GB"))
  private static let russian = FormatPatterns(Locale(identifier: "ru"))
  private static let hebrew = FormatPatterns(Locale(identifier: "he"))

  private init(_ locale: Locale) {
    let style = Date.FormatStyle(
      locale: locale, calendar: Calendar(identifier: .gregorian), timeZone: .gmt)
    func months(_ style: Date.FormatStyle) -> [DatePattern] {
      (1...12).map { DatePattern(style, month: $0) }
    }
    date = months(style.day().month(.wide).year())
    shortDate = months(style.day(.twoDigits).month(.twoDigits).year())
    monthDay = months(style.day().month(.wide))
    dateTime = months(style.day().month(.wide).year().hour().minute())
    shortMonthDay = months(style.day().month(.abbreviated))
    shortMonth = months(style.month(.abbreviated).year())
    time = DatePattern(style.hour().minute(), month: 1)
    integer = IntegerFormatStyle(locale: locale)
    decimal = FloatingPointFormatStyle(locale: locale)
    numbers = NumberPattern(decimal)
  }
}

/// A date as a formatter writes it in one month, with places for year, day, hour and minute.
struct DatePattern: Sendable, Equatable {
  enum Segment: Sendable, Equatable {
    case literal(String)
    case year
    case day(width: Int)
    case hour(width: Int)
    case minute
    /// Hour and minute as the language's own time pattern writes them.
    case time
  }

  let segments: [Segment]

  /// Writes one day of the month and finds the parts in it again.
  init(_ style: Date.FormatStyle, month: Int) {
    let written = Self.sample(month: month, day: 28, hour: 17).formatted(style)
    let short = Self.sample(month: month, day: 5, hour: 17).formatted(style)
    let early = Self.sample(month: month, day: 28, hour: 7).formatted(style)
    // Where the number below ten made the text no shorter, it was written with a zero.
    func width(_ other: String) -> Int { other.count < written.count ? 1 : 2 }
    var segments: [Segment] = [.literal(written)]
    // Unlike one another and unlike any month, so each is found only where it stands.
    let isDated = written.contains("28")
    if isDated { segments = Self.cut(segments, at: "17:39", into: .time) }
    segments = Self.cut(segments, at: "2001", into: .year)
    segments = Self.cut(segments, at: "28", into: .day(width: width(short)))
    segments = Self.cut(segments, at: "17", into: .hour(width: width(early)))
    segments = Self.cut(segments, at: "39", into: .minute)
    self.segments = segments
  }

  func string(_ date: CalendarDate, time: String = "") -> String {
    string(year: date.year, day: date.day, time: time)
  }

  func string(
    year: Int, day: Int, hour: Int = 0, minute: Int = 0, time: String = ""
  ) -> String {
    var result = ""
    for segment in segments {
      switch segment {
      case .literal(let text): result += text
      case .year: result += String(year)
      case .day(let width): Self.append(day, width, to: &result)
      case .hour(let width): Self.append(hour, width, to: &result)
      case .minute: Self.append(minute, 2, to: &result)
      case .time: result += time
      }
    }
    return result
  }

  private static func append(_ number: Int, _ width: Int, to result: inout String) {
    if number < 10 && width == 2 { result += "0" }
    result += String(number)
  }

  private static func sample(month: Int, day: Int, hour: Int) -> Date {
    let days = CalendarDate(year: 2_001, month: month, day: day)?.daysSince1970 ?? 0
    return Date(timeIntervalSince1970: Double(days * 86_400 + hour * 3_600 + 39 * 60))
  }

  private static func cut(_ segments: [Segment], at mark: String, into part: Segment) -> [Segment] {
    segments.flatMap { segment -> [Segment] in
      guard case .literal(let text) = segment, let found = text.range(of: mark) else {
        return [segment]
      }
      let ends = [text[..<found.lowerBound], text[found.upperBound...]]
      let literals = ends.map { $0.isEmpty ? [] : [Segment.literal(String($0))] }
      return literals[0] + [part] + literals[1]
    }
  }
}
