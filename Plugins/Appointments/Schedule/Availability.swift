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
      let start = schedule.zone.start(of: one.days.lowerBound)
      // Clocks set back around midnight, by three hours at most, can extend the last day past the
      // first moment of the next one.
      let end = schedule.zone.start(of: one.days.upperBound.adding(days: 1)) + .hours(3)
      return (doctor: one.placement.doctor.id, span: max(start, min(work.now, end))..<end)
    }
    let claimed = try ClaimedTime.find(spans, in: work)
    return try asked.indices.map { place in
      Availability(
        schedule: schedules[place], length: try asked[place].placement.slot(settings),
        now: work.now, claimed: claimed[place])
    }
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

  private func span(from start: Int64) -> Range<Instant> {
    Instant(start)..<Instant(start) + length
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

  /// The first free time; nil if there is none on these days.
  var first: Slot? {
    var date = schedule.days.lowerBound
    while date <= schedule.days.upperBound {
      for working in schedule.working(on: date) {
        for start in DoctorSchedule.starts(of: length, in: working) where isFree(span(from: start))
        {
          return Slot(span: span(from: start), zone: schedule.zone)
        }
      }
      date = date.adding(days: 1)
    }
    return nil
  }
}

extension Availability {
  /// Returns the free times around a time, as alternatives to it: from the day before until 14 days
  /// after, from today at the earliest.
  static func around(
    _ time: Slot, of placement: DoctorPlacement, settings: Portal.Settings, in work: Work
  ) throws -> Availability {
    let day = time.local.date
    let today = placement.local(work.now).date
    let days = max(today, day.adding(days: -1))...max(today, day.adding(days: 14))
    return try find(of: placement, during: days, settings: settings, in: work)
  }

  /// True if the span is free, or if it overlaps the time of the booking that is being rescheduled.
  func isFree(_ span: Range<Instant>, besides rescheduled: Range<Instant>?) -> Bool {
    isFree(span) || rescheduled?.overlaps(span) == true
  }
}
