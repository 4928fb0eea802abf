import PolyclinicCore

/// The weekly hours of a doctor as an administrator enters them: each row is for one day or for
/// several.
struct WorkingHoursDraft: Sendable {
  var work: [Row] = []
  var breaks: [Row] = []

  /// Hours of one or several days; midnight as their end is the end of the day.
  struct Row: Sendable {
    var days = Days.mondayToFriday
    var starts: TimeOfDay?
    var ends: TimeOfDay?

    /// The minutes of the day, 0 to 1440; nil if a time is missing or the end is not after the
    /// start.
    var minutes: Range<Int>? { DayMinutes.range(starts, ends) }
  }

  /// The days of a row. Their raw values are those of ``Weekday``, with a hyphen between the first
  /// and the last.
  enum Days: String, CaseIterable, Sendable {
    case mondayToFriday = "1-5"
    case sundayToThursday = "7-4"
    case everyDay = "1-7"
    case monday = "1"
    case tuesday = "2"
    case wednesday = "3"
    case thursday = "4"
    case friday = "5"
    case saturday = "6"
    case sunday = "7"

    static let ranges: [Days] = [.everyDay, .mondayToFriday, .sundayToThursday]

    var weekdays: [Weekday] {
      switch self {
      case .mondayToFriday: [.monday, .tuesday, .wednesday, .thursday, .friday]
      case .sundayToThursday: [.sunday, .monday, .tuesday, .wednesday, .thursday]
      case .everyDay: Weekday.allCases
      default: Weekday(rawValue: rawValue).map { [$0] } ?? []
      }
    }
  }

  /// The maximum number of rows, more than any week needs.
  private static let rowLimit = 50

  static let form = Form(
    WorkingHoursDraft(),
    .rows(\.work, "work", limit: rowLimit, of: Row.form),
    .rows(\.breaks, "break", limit: rowLimit, of: Row.form)
  )
  .requiring { overlap(in: $0.work, "work") }
  .requiring { overlap(in: $0.breaks, "break") }
  .requiring { $0.breakOutsideWork }

  /// Returns an error for the first row that overlaps an earlier one on one of its days.
  private static func overlap(in rows: [Row], _ name: String) -> Fields.Problem? {
    for (index, row) in rows.enumerated() {
      guard let minutes = row.minutes else { continue }
      let overlaps = rows[..<index].contains { earlier in
        earlier.minutes?.overlaps(minutes) == true
          && !Set(earlier.days.weekdays).isDisjoint(with: row.days.weekdays)
      }
      if overlaps { return Fields.Problem("\(name)_starts-\(index + 1)", "admin.error.overlap") }
    }
    return nil
  }

  /// The error for a break outside the working hours of one of its days, because such a break is a
  /// mistake.
  private var breakOutsideWork: Fields.Problem? {
    for (index, pause) in breaks.enumerated() {
      guard let minutes = pause.minutes else { continue }
      let isWithin = pause.days.weekdays.allSatisfy { day in
        work.contains {
          $0.days.weekdays.contains(day) && $0.minutes?.clamped(to: minutes) == minutes
        }
      }
      if !isWithin {
        return Fields.Problem("break_starts-\(index + 1)", "admin.error.break-outside")
      }
    }
    return nil
  }
}

extension WorkingHoursDraft.Row {
  static let form = Form(
    WorkingHoursDraft.Row(),
    .choice(\.days, "weekday"),
    .time(\.starts, "starts", required: true, rule: DayMinutes.offUnit),
    .time(\.ends, "ends", required: true, rule: DayMinutes.offUnit)
  )
  .requiring("ends") { row in
    row.minutes == nil && row.starts != nil && row.ends != nil ? "admin.error.reversed" : nil
  }

  /// The same hours, one span for each day.
  fileprivate var spans: [WorkingHours.Span] {
    days.weekdays.map { WorkingHours.Span(weekday: $0, starts: starts, ends: ends) }
  }

  /// Returns rows for stored spans, with one row for several days of the same hours.
  fileprivate static func rows(_ spans: [WorkingHours.Span]) -> [Self] {
    var left = spans
    var rows: [Self] = []
    while let span = left.first {
      let same = Set(
        left.filter { $0.starts == span.starts && $0.ends == span.ends }.map(\.weekday))
      let range = WorkingHoursDraft.Days.ranges.first {
        $0.weekdays.contains(span.weekday) && same.isSuperset(of: $0.weekdays)
      }
      let days = range ?? WorkingHoursDraft.Days(rawValue: span.weekday.rawValue) ?? .everyDay
      let row = Self(days: days, starts: span.starts, ends: span.ends)
      rows.append(row)
      for span in row.spans {
        if let index = left.firstIndex(of: span) { left.remove(at: index) }
      }
    }
    return rows
  }
}

extension WorkingHoursDraft {
  /// Fills the draft with stored hours.
  init(_ hours: WorkingHours) {
    work = Row.rows(hours.work)
    breaks = Row.rows(hours.breaks)
  }

  /// The hours of each day.
  var hours: WorkingHours {
    WorkingHours(work: work.flatMap(\.spans), breaks: breaks.flatMap(\.spans))
  }
}
