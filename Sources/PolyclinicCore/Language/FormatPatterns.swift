import Foundation

/// The patterns of dates, times and numbers in one language, taken from Foundation's formatters
/// once.
final class FormatPatterns: Sendable {
  /// One pattern for each month, January first, because the month's name and its grammatical case
  /// are part of it.
  let date: [DatePattern]
  let shortDate: [DatePattern]
  let monthDay: [DatePattern]
  let dateTime: [DatePattern]
  let shortMonthDay: [DatePattern]
  let shortMonth: [DatePattern]
  let month: [DatePattern]
  let time: DatePattern
  let integer: IntegerFormatStyle<Int>
  /// Nil if the language does not group digits by three.
  let numbers: NumberPattern?
  let decimal: FloatingPointFormatStyle<Double>

  static func of(_ language: Language) -> FormatPatterns {
    switch language {
    case .english: english
    case .russian: russian
    case .hebrew: hebrew
    }
  }

  /// British English has the day before the month and the 24-hour clock, as in most of the world.
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
    shortDate = months(style.day().month(.abbreviated).year())
    monthDay = months(style.day().month(.wide))
    dateTime = months(style.day().month(.wide).year().hour().minute())
    shortMonthDay = months(style.day().month(.abbreviated))
    shortMonth = months(style.month(.abbreviated).year())
    month = months(style.month(.wide))
    time = DatePattern(style.hour().minute(), month: 1)
    integer = IntegerFormatStyle(locale: locale)
    decimal = FloatingPointFormatStyle(locale: locale)
    numbers = NumberPattern(decimal)
  }
}

/// A date pattern of one month, with placeholders for year, day, hour and minute.
struct DatePattern: Sendable, Equatable {
  enum Segment: Sendable, Equatable {
    case literal(String)
    case year
    case day(width: Int)
    case hour(width: Int)
    case minute
    /// The hour and minute in the language's own time pattern.
    case time
  }

  let segments: [Segment]

  /// Formats sample dates of the month and finds their parts in the text.
  init(_ style: Date.FormatStyle, month: Int) {
    let written = Self.sample(month: month, day: 28, hour: 17).formatted(style)
    let short = Self.sample(month: month, day: 5, hour: 17).formatted(style)
    let early = Self.sample(month: month, day: 28, hour: 7).formatted(style)
    // If the number below ten did not make the text shorter, it was written with a zero.
    func width(_ other: String) -> Int { other.count < written.count ? 1 : 2 }
    var segments: [Segment] = [.literal(written)]
    // The sample values differ from one another and from any month, so each is found only in its
    // place.
    let isDated = written.contains("28")
    if isDated { segments = Self.cut(segments, at: "17:39", into: .time) }
    segments = Self.cut(segments, at: "2001", into: .year)
    segments = Self.cut(segments, at: "28", into: .day(width: width(short)))
    segments = Self.cut(segments, at: "17", into: .hour(width: width(early)))
    segments = Self.cut(segments, at: "39", into: .minute)
    self.segments = segments
  }

  /// The numbers that replace the placeholders.
  struct Parts {
    var year = 0
    var day = 0
    var hour = 0
    var minute = 0
    var time = ""
  }

  func string(_ date: CalendarDate, time: String = "") -> String {
    string(Parts(year: date.year, day: date.day, time: time))
  }

  func string(_ parts: Parts) -> String {
    var result = ""
    for segment in segments {
      switch segment {
      case .literal(let text): result += text
      case .year: result += String(parts.year)
      case .day(let width): Self.append(parts.day, width, to: &result)
      case .hour(let width): Self.append(parts.hour, width, to: &result)
      case .minute: Self.append(parts.minute, 2, to: &result)
      case .time: result += parts.time
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
