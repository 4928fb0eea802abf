import PolyclinicCore

/// The calendar of four weeks, with the state of each day.
///
/// It renders the parts that days share only once, because visitors open a calendar before each
/// booking.
struct WeeksCalendar {
  private let days: [CalendarDate]
  private let states: [DayState]
  private let (today, chosen): (CalendarDate, CalendarDate?)
  private let context: Context
  /// The start of a day's cell, with its link without the day at its end.
  private let link: HTML
  /// The names of the weekdays, Monday first.
  private let weekdays: [String]
  /// The text around the number of a day in “Tuesday, 5 May 2026”, without the weekday, for each
  /// month.
  private let sentences: [Int: Gap]
  private let counts: [Count]
  /// The words for days without free times.
  private let (past, full, closed): (String, String, String)

  /// Creates the calendar of the weeks of `times`. `path` is that of a day's page, without the day
  /// at its end.
  init(_ times: FreeTimes, at path: Path, _ context: Context) {
    self.context = context
    let first = times.weeks.lowerBound
    let days = (0..<CalendarWeeks.days).map { first.adding(days: $0) }
    self.days = days
    states = days.map { times.availability.state(of: $0, at: context.now) }
    (today, chosen) = (times.today, times.open)
    link = "<td><a href=\"\(path)"
    weekdays = (1...7).map { context.text(Weekday.title($0)) }
    // In all languages the weekday comes first, and a date begins with the number of its day.
    var sentences: [Int: Gap] = [:]
    for day in days where sentences[day.month] == nil {
      let date = context.formats.date(day)
      sentences[day.month] = Gap(in: context.text("day.long", ["weekday": "", "date": date]))
    }
    self.sentences = sentences
    var counts: [Count] = []
    for case .free(let free) in states
    where !counts.contains(where: { $0.form == Plural(free, in: context.language) }) {
      counts.append(Count(free, context))
    }
    self.counts = counts
    (past, full, closed) = (
      context.text("times.past"), context.text("times.full.short"), context.text("times.closed")
    )
  }

  /// The calendar as an HTML table. Its weeks begin on the first weekday of the language.
  var table: HTML {
    """
    <table class="calendar"><thead><tr>\(each: days.prefix(7), { column($0.weekday) })\
    </tr></thead><tbody>\(each: stride(from: 0, to: days.count, by: 7).map(\.self), week)\
    </tbody></table>
    """
  }

  private func week(from start: Int) -> HTML {
    "<tr>\(each: start..<start + 7, cell)</tr>"
  }

  private func column(_ weekday: Int) -> HTML {
    """
    <th scope="col"><span aria-hidden="true">\(context.text(Text("day.column.\(weekday)")))</span>\
    <span class="hidden-text">\(weekdays[weekday - 1])</span></th>
    """
  }

  /// Returns the cell of a day, counted from 0.
  private func cell(_ number: Int) -> HTML {
    let day = days[number]
    let mark: HTML? = day == today ? " aria-current=\"date\"" : nil
    guard case .free(let free) = states[number] else {
      return dead(states[number], shown(day), "\(style(day))\(mark)")
    }
    let form = Plural(free, in: context.language)
    let count = counts[counts.firstIndex { $0.form == form } ?? 0]
    let sentence = sentences[day.month]
    return """
      \(link)\(day.description)"\(style(day))\(mark)><span aria-hidden="true">\
      <strong>\(shown(day))</strong><small>\(free)</small></span><span class="hidden-text">\
      \(weekdays[day.weekday - 1])\(sentence?.before ?? "")\(day.day)\(sentence?.after ?? ""): \
      \(count.before)\(free, if: count.saysNumber)\(count.after)</span></a></td>
      """
  }

  /// Returns the number of a day, with its month where that begins.
  private func shown(_ day: CalendarDate) -> String {
    day.day == 1 ? context.formats.shortMonthDay(day) : String(day.day)
  }

  /// Returns the class of the chosen day, and of the first of a month, which has smaller letters.
  private func style(_ day: CalendarDate) -> HTML? {
    switch (day == chosen, day.day == 1) {
    case (true, true): " class=\"chosen first\""
    case (true, false): " class=\"chosen\""
    case (false, true): " class=\"first\""
    case (false, false): nil
    }
  }

  /// Returns the cell of a day on which nothing can be booked, with the reason.
  private func dead(_ state: DayState, _ day: String, _ mark: HTML) -> HTML {
    switch state {
    case .past:
      "<td><span\(mark)>\(day)<span class=\"hidden-text\"> \(past)</span></span></td>"
    case .full: "<td><span\(mark)>\(day)<small>\(full)</small></span></td>"
    case .closed, .free:
      """
      <td><span\(mark)>\(day)<small aria-hidden="true">–</small>\
      <span class="hidden-text"> \(closed)</span></span></td>
      """
    }
  }

  /// The text for a number of free times, shared by all numbers with the same plural form.
  private struct Count {
    let form: Plural
    let before: HTML
    let after: HTML
    /// False for a plural form that writes the number as a word.
    let saysNumber: Bool

    init(_ free: Int, _ context: Context) {
      form = Plural(free, in: context.language)
      // A day has fewer than a thousand free times. Their digits appear without separators, before
      // any other digits.
      let gap = Gap(in: context.text("times.free", count: free))
      before = "\(gap.before)"
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
