import PolyclinicCore

/// A month as it hangs on a wall, with how much is free on each of its days.
///
/// What its days have in common is said once: a month is looked at before each booking.
struct MonthCalendar {
  private let month: Month
  /// How many times are free on each day.
  private let free: [Int]
  /// Where a day's own page is, but for the day at the end.
  private let path: Path
  private let context: Context
  /// The names of the weekdays, Monday first.
  private let weekdays: [String]

  init(_ month: Month, free: [Int], at path: Path, _ context: Context) {
    self.month = month
    self.free = free
    self.path = path
    self.context = context
    weekdays = (1...7).map { context.text(Text("day.\($0)")) }
  }

  /// Whether nothing is free.
  var isEmpty: Bool { free.allSatisfy { $0 == 0 } }

  /// Weeks begin as in the language.
  var table: HTML {
    let first = context.language == .hebrew ? 7 : 1
    let lead = (month.first.weekday - first + 7) % 7
    let (before, days) = (Array(repeating: "<td></td>" as HTML, count: lead), days)
    let firstWeek = days.prefix(7 - lead)
    let weeks = stride(from: firstWeek.count, to: days.count, by: 7).map {
      days[$0..<min($0 + 7, days.count)]
    }
    return """
      <table class="calendar"><thead><tr>\(each: 0..<7, { column((first - 1 + $0) % 7 + 1) })\
      </tr></thead><tbody><tr>\(before)\(each: firstWeek, { $0 })</tr>\
      \(each: weeks, { week in "<tr>\(each: week, { $0 })</tr>" })</tbody></table>
      """
  }

  private func column(_ weekday: Int) -> HTML {
    """
    <th scope="col"><span aria-hidden="true">\(context.text(Text("day.column.\(weekday)")))</span>\
    <span class="hidden-text">\(weekdays[weekday - 1])</span></th>
    """
  }

  private var days: [HTML] {
    let sentence = Sentence(in: month, context)
    let path: HTML = "\(path)"
    let names = weekdays.map { "\($0)\(sentence.middle)" as HTML }
    var counted = [HTML?](repeating: nil, count: (free.max() ?? 0) + 1)
    let lead = month.first.weekday - 1
    return free.enumerated().map { number, free -> HTML in
      let day = number + 1
      if free == 0 { return "<td><span>\(day)</span></td>" }
      let count =
        counted[free]
        ?? "\(sentence.end): \(context.text("times.free", count: free))</span></a></td>"
      counted[free] = count
      let zero: HTML? = day < 10 ? "0" : nil
      return """
        <td><a href="\(path)-\(zero)\(day)"><span aria-hidden="true">\
        <strong>\(day)</strong><small>\(free)</small></span>\
        <span class="hidden-text">\(names[(lead + number) % 7])\(day)\(count)
        """
    }
  }

  /// What stands around the number of a day in “Tuesday, 5 May 2026”, behind the weekday.
  private struct Sentence {
    let middle: Substring
    let end: Substring

    /// Stands for the number; no sentence holds it.
    private static let mark: Unicode.Scalar = "\u{FFFC}"

    /// In all languages the weekday comes first, and a date begins with the number of its day.
    init(in month: Month, _ context: Context) {
      let date = String(Self.mark) + context.formats.date(month.first).dropFirst()
      let sentence = context.text("day.long", ["weekday": "", "date": date])
      let number = sentence.unicodeScalars.firstIndex(of: Self.mark) ?? sentence.endIndex
      middle = sentence[..<number]
      end = sentence[number...].dropFirst()
    }
  }
}
