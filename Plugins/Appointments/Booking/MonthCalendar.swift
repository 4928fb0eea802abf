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
    weekdays = (1...7).map { context.text(Weekday.title($0)) }
  }

  /// Whether nothing is free.
  var isEmpty: Bool { free.allSatisfy { $0 == 0 } }

  /// Weeks begin as in the language.
  var table: HTML {
    let first = Weekday.first(in: context.language).number
    let lead = (month.first.weekday - first + 7) % 7
    let days = Days(of: self)
    func week(from start: Int) -> HTML {
      "<tr>\(each: start..<min(start + 7, free.count), days.cell)</tr>"
    }
    return """
      <table class="calendar"><thead><tr>\(each: 0..<7, { column((first - 1 + $0) % 7 + 1) })\
      </tr></thead><tbody>\(each: stride(from: -lead, to: free.count, by: 7), week)</tbody></table>
      """
  }

  private func column(_ weekday: Int) -> HTML {
    """
    <th scope="col"><span aria-hidden="true">\(context.text(Text("day.column.\(weekday)")))</span>\
    <span class="hidden-text">\(weekdays[weekday - 1])</span></th>
    """
  }

  /// The cells, of what they have in common.
  private struct Days {
    /// What stands between the month in a day's link and how much is free, the first day's first.
    private static let heads: [HTML] = (1...31).map { day in
      let zero: HTML? = day < 10 ? "0" : nil
      return """
        -\(zero)\(day)"><span aria-hidden="true"><strong>\(day)</strong><small>
        """
    }

    private let free: [Int]
    private let link: HTML
    /// What is said of a day before its number, by the weekday of the first as the first.
    private let names: [HTML]
    private let counts: [Count]
    private let language: Language

    init(of calendar: MonthCalendar) {
      let context = calendar.context
      let sentence = Self.sentence(in: calendar.month, context)
      free = calendar.free
      link = "<td><a href=\"\(calendar.path)"
      let lead = calendar.month.first.weekday - 1
      names = (0..<7).map { "\(calendar.weekdays[(lead + $0) % 7])\(sentence.before)" }
      language = context.language
      var counts: [Count] = []
      for free in free
      where free > 0 && !counts.contains(where: { $0.form == Plural(free, in: context.language) }) {
        counts.append(Count(free, behind: "\(sentence.after ?? ""): ", context))
      }
      self.counts = counts
    }

    /// Counted from 0; what is below stands before the first day of its week.
    func cell(_ number: Int) -> HTML {
      if number < 0 { return "<td></td>" }
      let (day, free) = (number + 1, free[number])
      if free == 0 { return "<td><span>\(day)</span></td>" }
      let form = Plural(free, in: language)
      let count = counts[counts.firstIndex { $0.form == form } ?? 0]
      return """
        \(link)\(Self.heads[number])\(free)</small></span>\
        <span class="hidden-text">\(names[number % 7])\(day)\
        \(count.before)\(free, if: count.saysNumber)\(count.after)</span></a></td>
        """
    }

    /// What stands around the number of a day in “Tuesday, 5 May 2026”, behind the weekday: in all languages
    /// the weekday comes first, and a date begins with the number of its day.
    private static func sentence(in month: Month, _ context: Context) -> Gap {
      let date = context.formats.date(month.first)
      return Gap(in: context.text("day.long", ["weekday": "", "date": date]))
    }
  }

  /// What follows a date where so many times are free, for all numbers that take the same plural form.
  private struct Count {
    let form: Plural
    let before: HTML
    let after: HTML
    /// False for a form that says it in a word.
    let saysNumber: Bool

    init(_ free: Int, behind date: HTML, _ context: Context) {
      form = Plural(free, in: context.language)
      // A day has fewer than a thousand: their digits stand in the sentence as they are, before any others.
      let gap = Gap(in: context.text("times.free", count: free))
      before = "\(date)\(gap.before)"
      after = "\(gap.after ?? "")"
      saysNumber = gap.after != nil
    }
  }

  /// What stands around the first number in a sentence; all of it before, where there is none.
  private struct Gap {
    let before: String
    let after: String?

    init(in sentence: String) {
      let digits: ClosedRange<Unicode.Scalar> = "0"..."9"
      let scalars = sentence.unicodeScalars
      let start = scalars.firstIndex(where: digits.contains) ?? scalars.endIndex
      before = String(scalars[..<start])
      let rest = scalars[start...]
      after = rest.isEmpty ? nil : String(rest.drop(while: digits.contains))
    }
  }
}
