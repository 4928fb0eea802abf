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
    let cells = Array(repeating: "<td></td>" as HTML, count: lead) + days
    let weeks = stride(from: 0, to: cells.count, by: 7).map { start -> HTML in
      "<tr>\(Array(cells[start..<min(start + 7, cells.count)]))</tr>"
    }
    return """
      <table class="calendar"><thead><tr>\(each: 0..<7, { column((first - 1 + $0) % 7 + 1) })\
      </tr></thead><tbody>\(weeks)</tbody></table>
      """
  }

  private func column(_ weekday: Int) -> HTML {
    """
    <th scope="col"><span aria-hidden="true">\(context.text(Text("day.column.\(weekday)")))</span>\
    <span class="hidden-text">\(weekdays[weekday - 1])</span></th>
    """
  }

  private var days: [HTML] {
    let sentences = weekdays.map { Sentence(of: $0, in: month, context) }
    var counted = [String?](repeating: nil, count: (free.max() ?? 0) + 1)
    let lead = month.first.weekday - 1
    return free.enumerated().map { number, free -> HTML in
      let day = number + 1
      if free == 0 { return "<td><span>\(day)</span></td>" }
      let count = counted[free] ?? context.text("times.free", count: free)
      counted[free] = count
      let sentence = sentences[(lead + number) % 7]
      return """
        <td><a href="\(path)-\(day < 10 ? "0" : "")\(day)"><span aria-hidden="true">\
        <strong>\(day)</strong><small>\(context.formats.number(free))</small></span>\
        <span class="hidden-text">\(sentence.before)\(day)\(sentence.behind): \(count)</span></a></td>
        """
    }
  }

  /// What stands around the number of a day in “Tuesday, 5 May 2026”.
  private struct Sentence {
    let before: Substring
    let behind: Substring

    /// Stands for the number; no sentence holds it.
    private static let mark: Unicode.Scalar = "\u{FFFC}"

    /// In all languages a date begins with the number of its day.
    init(of weekday: String, in month: Month, _ context: Context) {
      let date = String(Self.mark) + context.formats.date(month.first).dropFirst()
      let sentence = context.text("day.long", ["weekday": weekday, "date": date])
      let place = sentence.unicodeScalars.firstIndex(of: Self.mark) ?? sentence.startIndex
      before = sentence[..<place]
      behind = sentence[place...].dropFirst()
    }
  }
}
