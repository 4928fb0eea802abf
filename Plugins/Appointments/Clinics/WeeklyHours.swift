import PolyclinicCore

/// The hours of a week as a clinic writes them on its door: days with the same hours stand together.
struct WeeklyHours: Sendable {
  /// Minutes of the day by weekday; a day without hours is not there.
  private let days: [Weekday: [Range<Int>]]

  /// Neighbouring days with the same hours, in the order in which they are written.
  struct Group: Equatable, Sendable {
    var first: Weekday
    var last: Weekday
    let spans: [Range<Int>]
  }

  init(_ days: [Weekday: Spans<Int>]) {
    self.days = days.mapValues(\.ranges).filter { !$0.value.isEmpty }
  }

  /// The hours of a doctor, without the breaks.
  init(_ hours: WorkingHours) {
    var days: [Weekday: Spans<Int>] = [:]
    for span in hours.work {
      if let minutes = span.minutes { days[span.weekday, default: Spans()].insert(minutes) }
    }
    for pause in hours.breaks {
      if let minutes = pause.minutes { days[pause.weekday, default: Spans()].remove(minutes) }
    }
    self.init(days)
  }

  var isEmpty: Bool { days.isEmpty }

  /// The days in the order of the language's calendars: a week begins on Sunday in Hebrew.
  func groups(in language: Language) -> [Group] {
    let start = Weekday.first(in: language).number - 1
    let week = (0..<7).map { Weekday.allCases[(start + $0) % 7] }
    var groups: [Group] = []
    for (day, before) in zip(week, [nil] + week.map(Optional.some)) {
      guard let spans = days[day] else { continue }
      if let last = groups.last, last.last == before, last.spans == spans {
        groups[groups.count - 1].last = day
      } else {
        groups.append(Group(first: day, last: day, spans: spans))
      }
    }
    return groups
  }

  /// One line for each group: “Monday to Friday 09:00–13:00, 14:00–17:00”.
  func lines(_ context: Context) -> HTML {
    "\(each: groups(in: context.language), { line($0, context) })"
  }

  private func line(_ group: Group, _ context: Context) -> HTML {
    let (first, last) = (context.text(group.first.title), context.text(group.last.title))
    let days =
      group.first == group.last
      ? first : context.text("weekday.range", ["first": first, "last": last])
    return "<dd>\(days) <bdi>\(DayMinutes.text(group.spans, context))</bdi></dd>"
  }

  /// Says by which clocks the hours are told; nil where they are the reader's.
  static func zoneNote(_ zone: Zone, _ context: Context) -> HTML? {
    if zone == context.formats.timeZone { return nil }
    return "<dd class=\"muted\">\(context.text("clinic.zone", ["zone": zone.identifier]))</dd>"
  }
}
