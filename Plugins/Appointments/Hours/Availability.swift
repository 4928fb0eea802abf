import PolyclinicCore

/// A doctor's free times on a range of days.
struct Availability: Sendable {
  let schedule: DoctorSchedule
  let length: Seconds
  private let now: Instant
  private let claimed: ClaimedTime
  /// The number of time units in a slot.
  private let unitsPerSlot: Int

  /// Loads the free times of a range of days, with one scan of the claimed time.
  static func find(
    of placement: DoctorPlacement, during days: ClosedRange<CalendarDate>,
    settings: Portal.Settings, in work: Work
  ) throws -> Availability {
    try find([(placement, days)], settings: settings, in: work)[0]
  }

  /// Loads the free times of several doctors, each on a range of days, in the same order. Runs
  /// three statements for all of them.
  static func find(
    _ asked: [(placement: DoctorPlacement, days: ClosedRange<CalendarDate>)],
    settings: Portal.Settings, in work: Work
  ) throws -> [Availability] {
    let schedules = try DoctorSchedule.find(
      asked.map { DoctorSchedule.Asked($0.placement, $0.days) }, in: work)
    let spans = zip(asked, schedules).map { one, schedule in
      (doctor: one.placement.doctor.id, span: schedule.span(from: work.now))
    }
    let claimed = try ClaimedTime.find(spans, in: work)
    return try asked.indices.map { place in
      Availability(
        schedule: schedules[place], length: try asked[place].placement.slot(settings),
        now: work.now, claimed: claimed[place])
    }
  }

  /// Loads the free times of a schedule, with one statement.
  init(
    _ schedule: DoctorSchedule, of placement: DoctorPlacement, settings: Portal.Settings,
    in work: Work
  ) throws {
    let claimed = try ClaimedTime.find(
      of: placement.doctor.id, within: schedule.span(from: work.now), in: work)
    self.init(
      schedule: schedule, length: try placement.slot(settings), now: work.now, claimed: claimed)
  }

  /// Creates it from a schedule and the claimed time.
  init(schedule: DoctorSchedule, length: Seconds, now: Instant, claimed: ClaimedTime) {
    self.schedule = schedule
    self.length = length
    self.now = now
    self.claimed = claimed
    unitsPerSlot = Int(length.count / ClaimedTime.unit.count)
  }

  /// Returns the free times of a day that are still to come.
  func free(on date: CalendarDate) -> [Slot] {
    schedule.times(of: length, on: date).filter { isFree($0.span) }
  }

  /// Returns the number of free times of a day that are still to come.
  func freeCount(on date: CalendarDate) -> Int {
    var count = 0
    // The closure captures only these values, so that the schedule is not copied for each day of a
    // month.
    schedule.forEachPeriod(on: date) { [length, now, claimed, unitsPerSlot] working in
      let span = DoctorSchedule.bookable(of: length, in: working, after: now)
      count += claimed.freeCount(of: unitsPerSlot, within: ClaimedTime.units(of: span))
    }
    return count
  }

  /// True if no part of the span is claimed and it is still to come.
  func isFree(_ span: Range<Instant>) -> Bool {
    span.lowerBound > now && !claimed.contains(anyOf: ClaimedTime.units(of: span))
  }

  /// Returns the free times nearest to a moment that are suitable, in chronological order.
  func nearest(
    to moment: Instant, count: Int, where isSuitable: (Slot) throws -> Bool
  ) rethrows -> [Slot] {
    var all: [Slot] = []
    var date = schedule.days.lowerBound
    while date <= schedule.days.upperBound {
      all += free(on: date)
      date = date.adding(days: 1)
    }
    func distance(_ time: Slot) -> UInt64 {
      (time.span.lowerBound - moment).count.magnitude
    }
    var found: [Slot] = []
    for time in all.sorted(by: { distance($0) < distance($1) }) where found.count < count {
      if try isSuitable(time) { found.append(time) }
    }
    return found.sorted { $0.span.lowerBound < $1.span.lowerBound }
  }

}

extension Availability {
  /// True if the span is free, or if it overlaps the time of the booking that is being rescheduled.
  func isFree(_ span: Range<Instant>, besides rescheduled: Range<Instant>?) -> Bool {
    isFree(span) || rescheduled?.overlaps(span) == true
  }
}

/// The next days with free times.
extension Availability {
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

  /// Returns the next days on which each doctor has free times, in the same order, with at most
  /// `times` times each; none for a doctor who cannot be booked. `choice` leaves only some days; by
  /// default, there are all. Runs at most six statements for all of them.
  static func next(
    _ days: Int, times: Int, of placements: [DoctorPlacement], on choice: DayChoice? = nil,
    _ context: Context
  ) throws -> [[Day]] {
    var found = placements.map { _ in [Day]() }
    var left = placements.indices.filter { placements[$0].isOpen }
    for part in searched where !left.isEmpty {
      let asked = left.compactMap { place in
        let today = placements[place].local(context.now).date
        let all = today.adding(days: part.lowerBound)...today.adding(days: part.upperBound)
        let days = choice.map { $0.days(from: today, within: part) } ?? all
        return days.map { (place: place, days: $0) }
      }
      if asked.isEmpty { continue }
      let availabilities = try find(
        asked.map { (placement: placements[$0.place], days: $0.days) },
        settings: context.portal.settings, in: context)
      for (one, availability) in zip(asked, availabilities) {
        let country = placements[one.place].clinic.address.country
        found[one.place] = availability.first(days, times: times) {
          choice?.contains($0, in: country) ?? true
        }
      }
      left.removeAll { !found[$0].isEmpty }
    }
    return found
  }

  /// Returns the first chosen days with free times, with at most `times` times each.
  private func first(
    _ count: Int, times: Int, where isChosen: (CalendarDate) -> Bool
  ) -> [Day] {
    var found: [Day] = []
    var date = schedule.days.lowerBound
    while date <= schedule.days.upperBound, found.count < count {
      let free = isChosen(date) ? freeCount(on: date) : 0
      if free > 0 {
        found.append(Day(date: date, times: first(times, on: date), count: free))
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

extension [Availability.Day] {
  /// The first free time; nil if there is none in the days to come.
  var firstTime: Slot? { first?.times.first }
}

extension DoctorSchedule {
  /// Returns the span of the loaded days from `now` on.
  fileprivate func span(from now: Instant) -> Range<Instant> {
    let start = zone.start(of: days.lowerBound)
    // Clocks set back around midnight, by three hours at most, can extend the last day past the
    // first moment of the next one.
    let end = zone.start(of: days.upperBound.adding(days: 1)) + .hours(3)
    return max(start, min(now, end))..<end
  }
}
