import PolyclinicCore

/// The calendar of a month, with the state of each day. Weeks that are over are left out.
///
/// It renders the parts that days share only once, because visitors open a month before each
/// booking.
struct MonthCalendar {
  private let month: Month
  private let states: [DayState]
  private let context: Context
  /// The number of days that are over.
  private let over: Int
  /// The numbers of today and of the day whose times the page shows, counted from 0; nil in another
  /// month.
  private let (today, chosen): (Int?, Int?)
  /// The start of a day's cell, with its link without the day at its end.
  private let link: HTML
  /// The names of the weekdays, Monday first.
  private let weekdays: [String]
  /// The text before the number of a day, for each weekday from that of the 1st on.
  private let names: [HTML]
  private let counts: [Count]
  /// The words for days without free times.
  private let (past, full, closed): (String, String, String)

  /// Creates the calendar of the month of `times`. `path` is that of a day's page, without the day
  /// at its end.
  init(_ times: FreeTimes, at path: Path, _ context: Context) {
    self.context = context
    month = times.month
    let days = month.days
    states = days.map { times.availability.state(of: $0, at: context.now) }
    over = days.prefix { $0 < times.today }.count
    (today, chosen) = (
      days.firstIndex(of: times.today), times.open.flatMap { days.firstIndex(of: $0) }
    )
    link = "<td><a href=\"\(path)"
    let weekdays = (1...7).map { context.text(Weekday.title($0)) }
    self.weekdays = weekdays
    // The text around the number of the day in “Tuesday, 5 May 2026”, without the weekday. In all
    // languages the weekday comes first, and a date begins with the number of its day.
    let date = context.formats.date(month.first)
    let sentence = Gap(in: context.text("day.long", ["weekday": "", "date": date]))
    let lead = month.first.weekday - 1
    names = (0..<7).map { "\(weekdays[(lead + $0) % 7])\(sentence.before)" }
    var counts: [Count] = []
    for case .free(let free) in states
    where !counts.contains(where: { $0.form == Plural(free, in: context.language) }) {
      counts.append(Count(free, behind: "\(sentence.after ?? ""): ", context))
    }
    self.counts = counts
    (past, full, closed) = (
      context.text("times.past"), context.text("times.full.short"), context.text("times.closed")
    )
  }

  /// The calendar as an HTML table. Its weeks begin on the first weekday of the language.
  var table: HTML {
    let first = Weekday.first(in: context.language).number
    let lead = (month.first.weekday - first + 7) % 7
    func week(from start: Int) -> HTML {
      "<tr>\(each: start..<min(start + 7, states.count), cell)</tr>"
    }
    let weeks = stride(from: -lead, to: states.count, by: 7).filter { $0 + 7 > over }
    return """
      <table class="calendar"><thead><tr>\(each: 0..<7, { column((first - 1 + $0) % 7 + 1) })\
      </tr></thead><tbody>\(each: weeks, week)</tbody></table>
      """
  }

  private func column(_ weekday: Int) -> HTML {
    """
    <th scope="col"><span aria-hidden="true">\(context.text(Text("day.column.\(weekday)")))</span>\
    <span class="hidden-text">\(weekdays[weekday - 1])</span></th>
    """
  }

  /// The HTML after the month in a day's link, for each day from the 1st on.
  private static let heads: [HTML] = (1...31).map { day in
    let zero: HTML? = day < 10 ? "0" : nil
    return """
      -\(zero)\(day)"
      """
  }

  /// Returns the cell of a day, counted from 0. Negative numbers are the cells before the 1st.
  private func cell(_ number: Int) -> HTML {
    if number < 0 { return "<td></td>" }
    let day = number + 1
    let mark: HTML? = number == today ? " aria-current=\"date\"" : nil
    guard case .free(let free) = states[number] else { return dead(number, mark) }
    let form = Plural(free, in: context.language)
    let count = counts[counts.firstIndex { $0.form == form } ?? 0]
    let style: HTML? = number == chosen ? " class=\"chosen\"" : nil
    return """
      \(link)\(Self.heads[number])\(style)\(mark)><span aria-hidden="true"><strong>\(day)</strong>\
      <small>\(free)</small></span><span class="hidden-text">\(names[number % 7])\(day)\
      \(count.before)\(free, if: count.saysNumber)\(count.after)</span></a></td>
      """
  }

  /// Returns the cell of a day on which nothing can be booked, with the reason.
  private func dead(_ number: Int, _ mark: HTML?) -> HTML {
    let day = number + 1
    switch states[number] {
    case .past:
      return """
        <td><span\(mark)><s>\(day)</s><span class="hidden-text"> \(past)</span></span></td>
        """
    case .full: return "<td><span\(mark)>\(day)<small>\(full)</small></span></td>"
    case .closed, .free:
      return """
        <td><span\(mark)>\(day)<small aria-hidden="true">–</small>\
        <span class="hidden-text"> \(closed)</span></span></td>
        """
    }
  }

  /// The text after a date for a number of free times, shared by all numbers with the same plural
  /// form.
  private struct Count {
    let form: Plural
    let before: HTML
    let after: HTML
    /// False for a plural form that writes the number as a word.
    let saysNumber: Bool

    init(_ free: Int, behind date: HTML, _ context: Context) {
      form = Plural(free, in: context.language)
      // A day has fewer than a thousand free times. Their digits appear without separators, before
      // any other digits.
      let gap = Gap(in: context.text("times.free", count: free))
      before = "\(date)\(gap.before)"
      after = "\(gap.after ?? "")"
      saysNumber = gap.after != nil
    }
  }

  /// The text around the first number of a sentence. Without a number, `before` is the whole
  /// sentence.
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
