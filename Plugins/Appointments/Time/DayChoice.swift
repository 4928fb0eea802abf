import PolyclinicCore

/// The days on which somebody looks for a free time.
enum DayChoice: Sendable, Hashable {
  case today
  case tomorrow
  /// Every day of a weekend.
  case weekend
  /// Today and the six days after it.
  case week
  /// Every such day of the week.
  case weekday(Weekday)
  case date(CalendarDate)

  /// The choices that a list offers besides the weekdays. The weekend comes before the week, because
  /// a search takes the first one that the words name, and “end of the week” means the weekend.
  private static let near: [(name: String, choice: DayChoice)] = [
    ("today", .today), ("tomorrow", .tomorrow), ("weekend", .weekend), ("week", .week),
  ]
  /// All choices except dates.
  static let all = near.map(\.choice) + Weekday.allCases.map(DayChoice.weekday)

  /// Parses the value of a list, or `YYYY-MM-DD`; nil for any other text.
  init?(_ text: String) {
    if let found = Self.near.first(where: { $0.name == text }) {
      self = found.choice
    } else if let weekday = Weekday(rawValue: text) {
      self = .weekday(weekday)
    } else if let date = CalendarDate(text) {
      self = .date(date)
    } else {
      return nil
    }
  }

  /// The text that ``init(_:)`` parses.
  var value: String {
    switch self {
    case .today, .tomorrow, .week, .weekend: Self.near.first { $0.choice == self }?.name ?? ""
    case .weekday(let weekday): weekday.rawValue
    case .date(let date): date.description
    }
  }

  /// Returns the days from `today` on that can be among the chosen ones, within `searched` days
  /// from today; nil if there are none.
  func days(
    from today: CalendarDate, within searched: ClosedRange<Int>
  ) -> ClosedRange<CalendarDate>? {
    let chosen: ClosedRange<Int> =
      switch self {
      case .today: 0...0
      case .tomorrow: 1...1
      case .week: 0...6
      case .weekday, .weekend: searched
      case .date(let date):
        date.daysSince1970 - today.daysSince1970...date.daysSince1970 - today.daysSince1970
      }
    guard chosen.overlaps(searched) else { return nil }
    let offsets = chosen.clamped(to: searched)
    return today.adding(days: offsets.lowerBound)...today.adding(days: offsets.upperBound)
  }

  /// Returns true if a day of ``days(from:within:)`` is one of the chosen ones in a country.
  func contains(_ date: CalendarDate, in country: String) -> Bool {
    switch self {
    case .weekday(let weekday): date.weekday == weekday.number
    case .weekend: Weekday.weekend(in: country).contains { $0.number == date.weekday }
    case .today, .tomorrow, .week, .date: true
    }
  }
}
