import PolyclinicCore

/// A day of the week; the numbers, which forms send as text, are those of ISO 8601.
enum Weekday: String, CaseIterable, Sendable {
  case monday = "1"
  case tuesday = "2"
  case wednesday = "3"
  case thursday = "4"
  case friday = "5"
  case saturday = "6"
  case sunday = "7"

  init?(number: Int) { self.init(rawValue: String(number)) }

  /// The day on which weeks begin in the calendars of a language.
  static func first(in language: Language) -> Weekday { language == .hebrew ? .sunday : .monday }

  /// 1 Monday to 7 Sunday.
  var number: Int { Self.allCases.prefix { $0 != self }.count + 1 }

  var title: Text { Self.title(number) }

  /// The name of the day of a number.
  static func title(_ number: Int) -> Text { Text("weekday.\(number)") }
}
