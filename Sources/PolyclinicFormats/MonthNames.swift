import Foundation

/// The names of months and weekdays in the languages of exported files, from Unicode CLDR through
/// Foundation.
struct MonthNames: Sendable {
  /// Returns the number of a month, from 1, by its name, its abbreviation, or a beginning of at
  /// least three letters that is that of no other month, because people shorten names in other ways
  /// than CLDR.
  func month(_ word: String) -> Int? {
    let word = Self.plain(word)
    if let month = months[word] { return month }
    // Hebrew dates write “in May” as one word.
    return word.first == "ב" ? months[String(word.dropFirst())] : nil
  }

  /// Returns the number of a weekday, from 1 for Sunday.
  func weekday(_ word: String) -> Int? { weekdays[Self.plain(word)] }

  private static func plain(_ word: String) -> String {
    word.lowercased().filter { !".'׳".contains($0) }
  }

  private static let languages = [
    "en", "en_GB", "ru", "he", "be", "cs", "da", "de", "es", "fi", "fr", "it", "nb", "nl", "pl",
    "pt", "sv", "uk",
  ]

  /// The names in all languages.
  static let known = MonthNames()

  private let months: [String: Int]
  private let weekdays: [String: Int]

  private init() {
    let formatters = Self.languages.map { language in
      let formatter = DateFormatter()
      formatter.locale = Locale(identifier: language)
      return formatter
    }
    let months: [[String]?] = formatters.flatMap {
      [
        $0.monthSymbols, $0.shortMonthSymbols, $0.standaloneMonthSymbols,
        $0.shortStandaloneMonthSymbols,
      ]
    }
    let weekdays: [[String]?] = formatters.flatMap { [$0.weekdaySymbols, $0.shortWeekdaySymbols] }
    let whole = Self.numbered(months)
    let beginnings = whole.flatMap { name, month in
      (3...max(3, name.count)).map { (String(name.prefix($0)), month) }
    }
    self.months = Self.unambiguous(beginnings).merging(Self.unambiguous(whole)) { $1 }
    self.weekdays = Self.unambiguous(Self.numbered(weekdays))
  }

  /// Numbers the names of each list from 1.
  private static func numbered(_ lists: [[String]?]) -> [(String, Int)] {
    lists.compactMap(\.self).flatMap { list in
      list.enumerated().map { (plain($0.element), $0.offset + 1) }
    }
  }

  /// Leaves out the names to which two languages give different numbers.
  private static func unambiguous(_ names: [(String, Int)]) -> [String: Int] {
    var numbers: [String: Int?] = [:]
    for (name, number) in names {
      numbers[name] = .some(numbers[name].map { $0 == number ? number : nil } ?? number)
    }
    return numbers.compactMapValues(\.self)
  }
}
