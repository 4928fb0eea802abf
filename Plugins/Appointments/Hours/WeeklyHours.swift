import PolyclinicCore

/// The hours of a week, with neighbouring days of the same hours in one group, as on a clinic's
/// door.
struct WeeklyHours: Sendable {
  /// The minutes of the day by weekday. Days without hours have no entry.
  private let days: [Weekday: [Range<Int>]]

  /// Neighbouring days with the same hours.
  struct Group: Equatable, Sendable {
    var first: Weekday
    var last: Weekday
    let spans: [Range<Int>]
  }

  init(_ days: [Weekday: Spans<Int>]) {
    self.days = days.mapValues(\.ranges).filter { !$0.value.isEmpty }
  }

  /// Combines the working hours of a doctor, without the breaks.
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

  /// Returns the groups of days with hours, in the day order of the language: a week begins on
  /// Sunday in Hebrew.
  func groups(in language: Language) -> [Group] {
    week(in: language).filter { !$0.spans.isEmpty }
  }

  /// Returns all days of the week in groups.
  private func week(in language: Language) -> [Group] {
    let start = Weekday.first(in: language).number - 1
    var groups: [Group] = []
    for place in 0..<7 {
      let day = Weekday.allCases[(start + place) % 7]
      let spans = days[day] ?? []
      if groups.last?.spans == spans {
        groups[groups.count - 1].last = day
      } else {
        groups.append(Group(first: day, last: day, spans: spans))
      }
    }
    return groups
  }

  /// Returns one line for each group: “Mon–Fri 09:00–13:00, 14:00–17:00”. `off` is the word for
  /// days without hours, which have no line if it is nil.
  func lines(off: Text? = nil, _ context: Context) -> HTML {
    let groups = off == nil ? groups(in: context.language) : week(in: context.language)
    return "\(each: groups, { line($0, off, context) })"
  }

  private func line(_ group: Group, _ off: Text?, _ context: Context) -> HTML {
    let hours: HTML =
      group.spans.isEmpty
      ? "\(off.map { context.text($0) } ?? "")"
      : "<bdi>\(DayMinutes.text(group.spans, context))</bdi>"
    return "<dd>\(days(of: group, context)) \(hours)</dd>"
  }

  /// Returns all groups in one line, for a sentence.
  func string(_ context: Context) -> String {
    groups(in: context.language).map {
      "\(days(of: $0, context)) \(DayMinutes.text($0.spans, context))"
    }.joined(separator: "; ")
  }

  private func days(of group: Group, _ context: Context) -> String {
    let (first, last) = (context.text(group.first.shortTitle), context.text(group.last.shortTitle))
    return group.first == group.last
      ? first : context.text("weekday.range", ["first": first, "last": last])
  }

  /// Returns a note with the time zone of the hours; nil if it is the reader's own.
  static func zoneNote(_ zone: Zone, _ context: Context) -> HTML? {
    if zone == context.formats.timeZone { return nil }
    return "<dd class=\"muted\">\(context.text("clinic.zone", ["zone": zone.identifier]))</dd>"
  }
}
