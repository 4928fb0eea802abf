import PolyclinicCore

/// A date among the words of a search, as people write it.
struct WrittenDate {
  /// The first date: none if there is none, and two for a year of two digits, whose century is
  /// unknown.
  private(set) var dates: [CalendarDate] = []
  /// The other words.
  private(set) var rest: [String]

  /// Finds the first date among the words: one word, such as `1990-02-13`, or three with the name of
  /// the month, such as `13 February 1990`.
  init(in words: [String]) {
    rest = words
    for index in words.indices {
      dates = Self.numbers(words[index])
      if !dates.isEmpty {
        rest = words.filter { Self.numbers($0).isEmpty }
        return
      }
      let three = words[index...].prefix(3)
      guard three.count == 3, let date = Self.named(Array(three)) else { continue }
      var following = words[(index + 3)...]
      // In Russian, dates end with the word "year", abbreviated.
      if let next = following.first, Self.bare(next) == "г" { following = following.dropFirst() }
      (dates, rest) = ([date], Array(words[..<index] + following))
      return
    }
  }

  /// Parses `1990-02-13`, and `13.02.1990`, `13/02/1990` or `13.02.90`. The day comes first, unless
  /// only the second number can be the day.
  private static func numbers(_ word: String) -> [CalendarDate] {
    if let date = CalendarDate(word) { return [date] }
    let parts = word.split { "./".contains($0) }.map(String.init)
    guard parts.count == 3, [2, 4].contains(parts[2].utf8.count),
      parts.allSatisfy({ $0.utf8.count <= 4 })
    else { return [] }
    let two = parts.prefix(2).map { $0.utf8.count == 1 ? "0\($0)" : $0 }
    let years = parts[2].utf8.count == 4 ? [parts[2]] : ["19\(parts[2])", "20\(parts[2])"]
    return years.compactMap {
      CalendarDate("\($0)-\(two[1])-\(two[0])") ?? CalendarDate("\($0)-\(two[0])-\(two[1])")
    }
  }

  /// Parses `13 February 1990` and `February 13, 1990` in any language of the portal.
  private static func named(_ words: [String]) -> CalendarDate? {
    let words = words.map(bare)
    guard let year = Int(words[2]), words[2].utf8.count == 4 else { return nil }
    for (day, month) in [(words[0], words[1]), (words[1], words[0])] {
      guard day.utf8.count <= 2, let day = Int(day), let month = number(ofMonth: month) else {
        continue
      }
      return CalendarDate(year: year, month: month, day: day)
    }
    return nil
  }

  private static func bare(_ word: String) -> String {
    word.lowercased().trimmingPrefix("ב").filter { $0 != "," && $0 != "." }
  }

  /// Returns the month that a name or its beginning of three letters or more means; nil if there is
  /// none.
  private static func number(ofMonth name: String) -> Int? {
    guard name.unicodeScalars.count >= 3 else { return nil }
    let month = months.firstIndex { $0.contains { $0.hasPrefix(name) } }
    return month.map { $0 + 1 }
  }

  /// The names of each month in all languages, taken from the formats in which pages show dates.
  private static let months: [[String]] = (1...12).map { month in
    Language.allCases.compactMap { language in
      guard let date = CalendarDate(year: 2_001, month: month, day: 28) else { return nil }
      return Formats(language: language, timeZone: .utc).date(date)
        .split(separator: " ").map { bare(String($0)) }
        .first { $0.first?.isLetter == true && $0 != "г" }
    }
  }
}
