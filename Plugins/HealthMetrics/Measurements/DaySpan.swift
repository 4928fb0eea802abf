import PolyclinicCore

/// The range of days of a chart, its averages or a report.
struct DaySpan: Sendable {
  let name: Name
  /// The first day; nil for all measurements.
  let from: CalendarDate?
  /// The last day.
  let to: CalendarDate
  /// The problems of a range that the user typed.
  var problems: [Fields.Problem] = []

  /// The ranges of a fixed length, and the custom range.
  enum Name: String, CaseIterable, Sendable {
    case week, month, quarter, year, all, custom

    /// The number of days; nil if it depends on other values.
    fileprivate var days: Int? {
      switch self {
      case .week: 7
      case .month: 30
      case .quarter: 91
      case .year: 365
      case .all, .custom: nil
      }
    }
  }

  /// Reads `range`, `from` and `to` of a query. Uses `usual` if the query has no range. A range of a
  /// fixed length ends at `to`, or today.
  init(_ query: Fields, today: CalendarDate, usual: Name) {
    let asked = Name(rawValue: query["range"]) ?? usual
    let (from, to) = (CalendarDate(query["from"]), CalendarDate(query["to"]))
    guard asked == .custom else {
      self.init(asked, until: min(to ?? today, today))
      if to == nil, !query["to"].isEmpty { problems = [Fields.Problem("to", "error.date")] }
      return
    }
    var problems: [Fields.Problem] = []
    if from == nil { problems.append(Fields.Problem("from", "error.date")) }
    if to == nil { problems.append(Fields.Problem("to", "error.date")) }
    if let from, let to, to < from { problems.append(Fields.Problem("to", "error.days-turned")) }
    self.init(from: from ?? today, to: to ?? today)
    self.problems = problems
  }

  init(_ name: Name, until today: CalendarDate) {
    self.name = name
    to = today
    from = name.days.map { today.adding(days: 1 - $0) }
  }

  /// Creates a custom range.
  init(from: CalendarDate, to: CalendarDate) {
    name = .custom
    self.from = from
    self.to = to
  }

  /// The number of days; nil for all measurements.
  var days: Int? { from.map { to.daysSince1970 - $0.daysSince1970 + 1 } }

  /// Returns the query of the range of this length before it or after it; nil for all measurements,
  /// and for a range that would begin after `today`.
  func neighbour(_ direction: Direction, today: CalendarDate) -> Fields? {
    guard let from, let days, problems.isEmpty else { return nil }
    let (first, last) =
      direction == .earlier
      ? (from.adding(days: -days), from.adding(days: -1))
      : (to.adding(days: 1), to.adding(days: days))
    if first > today { return nil }
    let (start, end) = (first.description, last.description)
    return name == .custom
      ? Fields(["range": name.rawValue, "from": start, "to": end])
      : Fields(["range": name.rawValue, "to": end])
  }

  /// The range and as many days before it.
  var withDaysBefore: DaySpan {
    guard let from, let days, problems.isEmpty else { return self }
    return DaySpan(from: from.adding(days: -days), to: to)
  }

  /// The neighbour of a range.
  enum Direction: String { case earlier, later }

  /// Returns the entries of the range in the order of time. The index holds the newest first.
  func entries<Entry: CodedEntry & Measured>(
    of index: SealedIndex<Entry>, in zone: Zone, in work: Work
  ) throws -> [Entry] {
    guard problems.isEmpty else { return [] }
    let start = from?.start(in: zone)
    let end = to.adding(days: 1).start(in: zone)
    var found: [Entry] = []
    try index.prefix(in: work) { entry in
      if entry.time.instant >= end { return true }
      if let start, entry.time.instant < start { return false }
      found.append(entry)
      return true
    }
    found.reverse()
    return found
  }

  /// Returns the time from the midnight before the first day to the midnight after the last, for a
  /// chart of measurements from `earliest` on.
  ///
  /// The time before the first measurement is left out if it is more than half of the range, so
  /// that a few new measurements do not crowd at the right edge. At least a week remains.
  func moments(from earliest: ZonedTime?, in zone: Zone) -> Range<Instant> {
    let asked = from ?? earliest?.day ?? to
    let first = min(earliest?.day ?? asked, to)
    let isMostlyEmpty =
      from == nil
      || 2 * (first.daysSince1970 - asked.daysSince1970)
        > to.daysSince1970 - asked.daysSince1970
    let week = to.adding(days: 1 - Self.fewestShown)
    let start = isMostlyEmpty ? max(min(first, week), from ?? min(first, week)) : asked
    let end = to.adding(days: 1).start(in: zone)
    return min(start.start(in: zone), end - .days(1))..<end
  }

  /// The fewest days of a time axis.
  private static let fewestShown = 7

  /// The name of the range, for the sentence about all of it.
  var label: Text {
    name == .all || name == .custom ? "averages.whole" : Text("range.\(name.rawValue)")
  }

  /// Returns the first and last day in words.
  func title(_ earliest: ZonedTime?, _ context: Context) -> String {
    let from = from ?? earliest?.day ?? to
    return context.text(
      "range.days", ["from": context.formats.date(from), "to": context.formats.date(to)])
  }

  /// Returns the first and last day in short words, such as for a card.
  func shortTitle(_ context: Context) -> String {
    let formats = context.formats
    return context.text(
      "range.days",
      ["from": formats.shortMonthDay(from ?? to), "to": formats.shortMonthDay(to)])
  }
}
