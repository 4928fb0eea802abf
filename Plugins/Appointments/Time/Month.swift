import PolyclinicCore

/// A calendar month.
struct Month: Sendable, Hashable, Comparable, CustomStringConvertible {
  let first: CalendarDate

  /// Creates the month that contains a day.
  init(_ date: CalendarDate) { first = date.adding(days: 1 - date.day) }

  /// Parses `YYYY-MM`; nil for any other text.
  init?(_ text: String) {
    guard let date = CalendarDate(text + "-01") else { return nil }
    first = date
  }

  var days: [CalendarDate] {
    (0..<CalendarDate.days(in: first.month, of: first.year)).map { first.adding(days: $0) }
  }

  var last: CalendarDate {
    first.adding(days: CalendarDate.days(in: first.month, of: first.year) - 1)
  }

  var previous: Month { Month(first.adding(days: -1)) }
  var next: Month { Month(last.adding(days: 1)) }

  var description: String { String(first.description.prefix(7)) }

  static func < (one: Month, other: Month) -> Bool { one.first < other.first }
}
