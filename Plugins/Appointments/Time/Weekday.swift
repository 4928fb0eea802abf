import PolyclinicCore

/// A day of the week, with the numbers of ISO 8601 as raw values. Forms send them as text.
enum Weekday: String, CaseIterable, Sendable {
  case monday = "1"
  case tuesday = "2"
  case wednesday = "3"
  case thursday = "4"
  case friday = "5"
  case saturday = "6"
  case sunday = "7"

  init?(number: Int) { self.init(rawValue: String(number)) }

  /// Returns the first day of the week in the calendars of a language.
  static func first(in language: Language) -> Weekday { language == .hebrew ? .sunday : .monday }

  /// Returns the days of the weekend in a country by its ISO 3166 code (CLDR 46, `weekData`).
  static func weekend(in country: String) -> Set<Weekday> {
    fridayWeekends.contains(country) ? [.friday, .saturday] : [.saturday, .sunday]
  }

  private static let fridayWeekends: Set = [
    "BH", "DZ", "EG", "IL", "IQ", "JO", "KW", "LY", "OM", "QA", "SA", "SD", "SY", "YE",
  ]

  /// The number of the day, 1 for Monday to 7 for Sunday.
  var number: Int { Self.allCases.prefix { $0 != self }.count + 1 }

  var title: Text { Self.title(number) }

  /// The name in a few letters, such as “Mon”.
  var shortTitle: Text { Text("weekday.short.\(number)") }

  /// Returns the name of the day with this number.
  static func title(_ number: Int) -> Text { Text("weekday.\(number)") }
}

extension CalendarDate {
  /// The weekday, from 1 for Monday to 7 for Sunday (ISO 8601).
  var weekday: Int {
    // 1970-01-01 was a Thursday.
    let day = (daysSince1970 + 3) % 7
    return (day < 0 ? day + 7 : day) + 1
  }
}
