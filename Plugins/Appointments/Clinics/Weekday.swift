import PolyclinicCore

/// A day of the week; the numbers are those of ISO 8601.
enum Weekday: String, CaseIterable, Sendable {
  case monday = "1"
  case tuesday = "2"
  case wednesday = "3"
  case thursday = "4"
  case friday = "5"
  case saturday = "6"
  case sunday = "7"

  init?(number: Int) { self.init(rawValue: String(number)) }

  /// 1 Monday to 7 Sunday.
  var number: Int {
    switch self {
    case .monday: 1
    case .tuesday: 2
    case .wednesday: 3
    case .thursday: 4
    case .friday: 5
    case .saturday: 6
    case .sunday: 7
    }
  }

  var title: Text { Text("weekday.\(rawValue)") }
}
