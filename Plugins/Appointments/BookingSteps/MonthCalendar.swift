import PolyclinicCore

/// The calendar of a month, with the number of free times of each day.
///
/// It renders the parts that days share only once, because visitors open a month before each booking.
struct MonthCalendar {
  private let month: Month
  /// The number of free times of each day.
  private let free: [Int]
  /// The path of a day's page, without the day at its end.
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

  /// True if no day has a free time.
  var isEmpty: Bool { free.allSatisfy { $0 == 0 } }

  /// The calendar as an HTML table. Its weeks begin on the first weekday of the language.
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

  /// The cells of the days, assembled from their common parts.
  private struct Days {
    /// The HTML between the month in a day's link and the number of free times, for each day from the 1st on.
    private static let heads: [HTML] = (1...31).map { day in
      let zero: HTML? = day < 10 ? "0" : nil
      return """
        -\(zero)\(day)"><span aria-hidden="true"><strong>\(day)</strong><small>
        """
    }

    private let free: [Int]
    private let link: HTML
    /// The text before the number of a day, for each weekday from that of the 1st on.
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

    /// Returns the cell of a day, counted from 0. Negative numbers are the empty cells before the 1st.
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

    /// Returns the text around the number of the day in “Tuesday, 5 May 2026”, without the weekday. In all
    /// languages the weekday comes first, and a date begins with the number of its day.
    private static func sentence(in month: Month, _ context: Context) -> Gap {
      let date = context.formats.date(month.first)
      return Gap(in: context.text("day.long", ["weekday": "", "date": date]))
    }
  }

  /// The text after a date for a number of free times, shared by all numbers with the same plural form.
  private struct Count {
    let form: Plural
    let before: HTML
    let after: HTML
    /// False for a plural form that writes the number as a word.
    let saysNumber: Bool

    init(_ free: Int, behind date: HTML, _ context: Context) {
      form = Plural(free, in: context.language)
      // A day has fewer than a thousand free times. Their digits appear without separators, before any other digits.
      let gap = Gap(in: context.text("times.free", count: free))
      before = "\(date)\(gap.before)"
      after = "\(gap.after ?? "")"
      saysNumber = gap.after != nil
    }
  }

  /// The text around the first number of a sentence. Without a number, `before` is the whole sentence.
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
