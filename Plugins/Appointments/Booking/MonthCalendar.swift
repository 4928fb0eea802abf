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
    let sentences = weekdays.map { Sentence(of: $0, context) }
    var counted = [String?](repeating: nil, count: (free.max() ?? 0) + 1)
    let lead = month.first.weekday - 1
    return zip(month.days, free).enumerated().map { number, day -> HTML in
      let (date, free) = day
      if free == 0 { return "<td><span>\(date.day)</span></td>" }
      let count = counted[free] ?? context.text("times.free", count: free)
      counted[free] = count
      let sentence = sentences[(lead + number) % 7]
      let page: Path = date.day < 10 ? "\(path)-0\(date.day)" : "\(path)-\(date.day)"
      return """
        <td><a href="\(page)"><span aria-hidden="true"><strong>\(date.day)</strong>\
        <small>\(context.formats.number(free))</small></span><span class="hidden-text">\
        \(sentence.before)\(context.formats.date(date))\(sentence.behind): \(count)</span></a></td>
        """
    }
  }

  /// What stands around the date in “Tuesday, 5 May 2026”.
  private struct Sentence {
    let before: Substring
    let behind: Substring

    /// Stands for the date; no sentence holds it.
    private static let mark: Character = "\u{FFFC}"

    init(of weekday: String, _ context: Context) {
      let sentence = context.text("day.long", ["weekday": weekday, "date": String(Self.mark)])
      let parts = sentence.split(separator: Self.mark, omittingEmptySubsequences: false)
      (before, behind) = (parts.first ?? "", parts.last ?? "")
    }
  }
}
