import PolyclinicCore

/// The days that a chart, its averages or a report look at.
struct DaySpan: Sendable {
  let name: Name
  /// The first day; nil for as far back as there is anything.
  let from: CalendarDate?
  /// The last day.
  let to: CalendarDate
  /// What is wrong with days that were typed.
  var problems: [Problem] = []

  /// Ranges that end today, and one's own.
  enum Name: String, CaseIterable, Sendable {
    case week, month, quarter, year, all, custom

    /// How many days it has; nil where that depends.
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

  /// What `range`, `from` and `to` of an address ask for; `usual` where they ask for nothing.
  init(_ query: Fields, today: CalendarDate, usual: Name) {
    let asked = Name(rawValue: query["range"]) ?? usual
    guard asked == .custom else {
      self.init(asked, until: today)
      return
    }
    let (from, to) = (CalendarDate(query["from"]), CalendarDate(query["to"]))
    var problems: [Problem] = []
    if from == nil { problems.append(Problem("from", "error.date")) }
    if to == nil { problems.append(Problem("to", "error.date")) }
    if let from, let to, to < from { problems.append(Problem("to", "error.days-turned")) }
    self.init(from: from ?? today, to: to ?? today)
    self.problems = problems
  }

  init(_ name: Name, until today: CalendarDate) {
    self.name = name
    to = today
    from = name.days.map { today.adding(days: 1 - $0) }
  }

  /// Days that somebody named.
  init(from: CalendarDate, to: CalendarDate) {
    name = .custom
    self.from = from
    self.to = to
  }

  /// Its entries in the order of time; a list's index holds the newest first.
  func entries<Entry: SealedEntry & Measured>(
    of index: SealedIndex<Entry>, in zone: Zone, by keys: Keys, on connection: Connection
  ) throws -> [Entry] {
    guard problems.isEmpty else { return [] }
    let start = from?.start(in: zone)
    let end = to.adding(days: 1).start(in: zone)
    var found: [Entry] = []
    try index.prefix(by: keys, on: connection) { entry in
      if entry.time.instant >= end { return true }
      if let start, entry.time.instant < start { return false }
      found.append(entry)
      return true
    }
    found.reverse()
    return found
  }

  /// From midnight of the first day to that behind the last; `earliest` is where it begins when no day
  /// was named.
  func moments(from earliest: ZonedTime?, in zone: Zone) -> Range<Instant> {
    let end = to.adding(days: 1).start(in: zone)
    let start = (from ?? earliest?.day ?? to).start(in: zone)
    return min(start, end - .days(1))..<end
  }

  /// How the days are named in words.
  func title(_ earliest: ZonedTime?, _ context: Context) -> String {
    let from = from ?? earliest?.day ?? to
    return context.text(
      "range.days", ["from": context.formats.date(from), "to": context.formats.date(to)])
  }
}
