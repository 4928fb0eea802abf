import PolyclinicCore

/// A week of home measurements by the protocol of the ESH (Stergiou et al., "2021 European Society
/// of Hypertension practice guidelines for office and out-of-office blood pressure measurement", J
/// Hypertens 2021;39:1293–1302): seven days with two readings each morning and evening. The first
/// day does not count.
struct HomeWeek: Sendable {
  let start: CalendarDate
  /// The first two readings of each part of a day, by day and part.
  private(set) var slots: [[[BloodPressure.Entry]]]
  /// The number of readings of the week that are at other times of a day, or further ones.
  private(set) var others = 0

  static let days = 7
  static let readings = 2
  /// The fewest readings for a reliable average (the same guidelines).
  static let fewest = 12

  /// One of the two measuring times of a day.
  enum Part: Int, CaseIterable, Sendable {
    case morning, evening

    /// Returns the part for a minute of the day. The morning is from 4 to 12 o'clock, the evening
    /// from 17 to 24.
    fileprivate init?(minute: Int) {
      switch minute / 60 {
      case 4..<12: self = .morning
      case 17..<24: self = .evening
      default: return nil
      }
    }

    var title: Text { self == .morning ? "part.morning" : "part.evening" }
  }

  /// The next reading to take.
  struct Step: Sendable, Equatable {
    let day: Int
    let part: Part
    /// 1 or 2.
    let number: Int
  }

  /// Sorts the readings into the week. `entries` are in the order of time; those of other days are
  /// ignored.
  init(start: CalendarDate, _ entries: [BloodPressure.Entry]) {
    self.start = start
    slots = (0..<Self.days).map { _ in Part.allCases.map { _ in [] } }
    for entry in entries {
      let day = entry.time.day.daysSince1970 - start.daysSince1970
      guard (0..<Self.days).contains(day) else { continue }
      guard let part = Part(minute: entry.time.minuteOfDay),
        slots[day][part.rawValue].count < Self.readings
      else {
        others += 1
        continue
      }
      slots[day][part.rawValue].append(entry)
    }
  }

  var lastDay: CalendarDate { start.adding(days: Self.days - 1) }

  /// Returns the readings of a part of a day; `day` begins at 0.
  func readings(_ day: Int, _ part: Part) -> [BloodPressure.Entry] { slots[day][part.rawValue] }

  /// The average of all days except the first.
  var average: PressureStatistic {
    var average = PressureStatistic()
    for entry in slots.dropFirst().joined().joined() { average.add(entry) }
    return average
  }

  /// True if the week has no further reading to take.
  func isOver(at now: ZonedTime) -> Bool { now.day > lastDay || next(at: now) == nil }

  /// Returns the next reading to take. Skips days and mornings that have passed, even if their
  /// readings are missing.
  func next(at now: ZonedTime) -> Step? {
    let today = now.day.daysSince1970 - start.daysSince1970
    for day in max(0, today)..<max(max(0, today), Self.days) {
      for part in Part.allCases {
        let isOver = day == today && part == .morning && now.minuteOfDay >= 12 * 60
        let count = readings(day, part).count
        if !isOver, count < Self.readings { return Step(day: day, part: part, number: count + 1) }
      }
    }
    return nil
  }

  /// Returns the words for a step, such as “Next: 4 May 2026, morning, reading 1 of 2”.
  func words(for step: Step, _ context: Context) -> Text {
    let day = start.adding(days: step.day)
    return Text(
      "week.next",
      [
        "day": day == context.today ? context.text("week.today") : context.formats.date(day),
        "part": context.text(step.part.title), "number": String(step.number),
      ])
  }
}

extension HomeWeek {
  /// Returns the week that the person has begun; nil if there is none.
  static func find(
    _ preferences: Preferences, in zone: Zone, in work: Work
  ) throws -> HomeWeek? {
    guard let start = preferences.weekStart else { return nil }
    let span = DaySpan(from: start, to: start.adding(days: days - 1))
    return HomeWeek(
      start: start,
      try span.entries(of: BloodPressure.index, in: zone, in: work))
  }
}
