import Foundation

/// The names of months and weekdays in the languages of exported files, from Unicode CLDR through
/// Foundation.
enum MonthNames {
  /// Returns the number of a month, from 1, by its name, its abbreviation, or a beginning of at
  /// least three letters that is that of no other month, because people shorten names in other ways
  /// than CLDR.
  static func month(_ word: String) -> Int? {
    let word = plain(word)
    if let month = names.months[word] { return month }
    // Hebrew dates write “in May” as one word.
    return word.first == "ב" ? names.months[String(word.dropFirst())] : nil
  }

  /// Returns the number of a weekday, from 1 for Sunday.
  static func weekday(_ word: String) -> Int? { names.weekdays[plain(word)] }

  private static func plain(_ word: String) -> String {
    word.lowercased().filter { !".'׳".contains($0) }
  }

  private static let languages = [
    "en", "en_GB", "ru", "he", "be", "cs", "da", "de", "es", "fi", "fr", "it", "nb", "nl", "pl",
    "pt", "sv", "uk",
  ]

  private static let names: (months: [String: Int], weekdays: [String: Int]) = {
    let formatters = languages.map { language in
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
    let whole = numbered(months)
    let beginnings = whole.flatMap { name, month in
      (3...max(3, name.count)).map { (String(name.prefix($0)), month) }
    }
    return (
      unambiguous(beginnings).merging(unambiguous(whole)) { _, whole in whole },
      unambiguous(numbered(weekdays))
    )
  }()

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
