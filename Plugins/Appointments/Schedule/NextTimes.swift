import PolyclinicCore

/// The next days on which a doctor has free times, each with its first ones.
struct NextTimes: Sendable {
  let days: [Day]

  /// A day with free times.
  struct Day: Sendable {
    let date: CalendarDate
    /// The first free times of the day.
    let times: [Slot]
    /// The number of all free times of the day.
    let count: Int
  }

  /// The number of days that are searched. Most doctors have a free time in the first fortnight, so
  /// that is searched by itself.
  private static let searched = [0...13, 14...60]

  /// The first free time; nil if there is none in the days to come.
  var first: Slot? { days.first?.times.first }

  /// Returns at most `days` days with at most `times` times each.
  static func find(
    of placement: DoctorPlacement, days: Int, times: Int, _ context: Context
  ) throws -> NextTimes {
    try find(of: [placement], days: days, times: times, context)[0]
  }

  /// Returns the next times of several doctors, in the same order, with at most `days` days and
  /// `times` times each. Runs at most six statements for all of them.
  static func find(
    of placements: [DoctorPlacement], days: Int, times: Int, _ context: Context
  ) throws -> [NextTimes] {
    var found = placements.map { _ in NextTimes(days: []) }
    var left = Array(placements.indices)
    for part in searched where !left.isEmpty {
      let asked = left.map { place in
        let today = placements[place].local(context.now).date
        let days = today.adding(days: part.lowerBound)...today.adding(days: part.upperBound)
        return (placement: placements[place], days: days)
      }
      let availabilities = try Availability.find(
        asked, settings: context.portal.settings, in: context)
      for (place, availability) in zip(left, availabilities) {
        found[place] = NextTimes(days: availability.first(days, times: times))
      }
      left.removeAll { !found[$0].days.isEmpty }
    }
    return found
  }
}

extension Availability {
  /// Returns the first days with free times, with at most `times` times each.
  fileprivate func first(_ count: Int, times: Int) -> [NextTimes.Day] {
    var found: [NextTimes.Day] = []
    var date = schedule.days.lowerBound
    while date <= schedule.days.upperBound, found.count < count {
      let free = freeCount(on: date)
      if free > 0 {
        found.append(NextTimes.Day(date: date, times: first(times, on: date), count: free))
      }
      date = date.adding(days: 1)
    }
    return found
  }

  /// Returns the first free times of a day.
  private func first(_ count: Int, on date: CalendarDate) -> [Slot] {
    var found: [Slot] = []
    for working in schedule.working(on: date) {
      for start in DoctorSchedule.starts(of: length, in: working) where found.count < count {
        let time = Slot(span: Instant(start)..<Instant(start) + length, zone: schedule.zone)
        if isFree(time.span) { found.append(time) }
      }
    }
    return found
  }
}
