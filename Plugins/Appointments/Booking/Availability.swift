import PolyclinicCore

/// What of a doctor's time is free, for some days.
struct Availability: Sendable {
  let plan: Plan
  let length: Seconds
  private let now: Instant
  private let claimed: ClaimedTime
  /// How many grains a slot has.
  private let grainsOfSlot: Int

  /// Looks at a range of days with one scan of what is claimed.
  static func find(
    of practice: Practice, during days: ClosedRange<CalendarDate>, at now: Instant,
    settings: Settings, on connection: Connection
  ) throws -> Availability {
    let plan = try Plan.find(of: practice, during: days, on: connection)
    let start = plan.zone.start(of: days.lowerBound)
    // Where clocks are set back around midnight, by three hours at most, the last day goes on behind the
    // next one's first moment.
    let end = plan.zone.start(of: days.upperBound.adding(days: 1)) + .hours(3)
    let claimed = try ClaimedTime.find(
      of: practice.doctor.id, within: max(start, min(now, end))..<end, on: connection)
    return Availability(
      plan: plan, length: try practice.slot(settings), now: now, claimed: claimed)
  }

  /// For a plan and what of the time is claimed.
  init(plan: Plan, length: Seconds, now: Instant, claimed: ClaimedTime) {
    self.plan = plan
    self.length = length
    self.now = now
    self.claimed = claimed
    grainsOfSlot = Int(length.count / DoctorTime.grain.count)
  }

  /// The times of a day that are free and still to come.
  func free(on date: CalendarDate) -> [BookableTime] {
    plan.times(of: length, on: date).filter { isFree($0.span) }
  }

  /// How many times of a day are free and still to come.
  func freeCount(on date: CalendarDate) -> Int {
    var count = 0
    // What it needs alone: the plan is not copied along for each of a month's days.
    plan.forEachStretch(on: date) { [length, now, claimed, grainsOfSlot] working in
      let span = Plan.bookable(of: length, in: working, after: now)
      count += claimed.freeCount(of: grainsOfSlot, within: DoctorTime.grains(of: span))
    }
    return count
  }

  private func span(from start: Int64) -> Range<Instant> {
    Instant(start)..<Instant(start) + length
  }

  /// Whether nobody has any of that time, and it is still to come.
  func isFree(_ span: Range<Instant>) -> Bool {
    span.lowerBound > now && !claimed.contains(anyOf: DoctorTime.grains(of: span))
  }

  /// The free times nearest to a moment, in order.
  func nearest(to moment: Instant, count: Int) -> [BookableTime] {
    var all: [BookableTime] = []
    var date = plan.days.lowerBound
    while date <= plan.days.upperBound {
      all += free(on: date)
      date = date.adding(days: 1)
    }
    func distance(_ time: BookableTime) -> UInt64 {
      (time.span.lowerBound - moment).count.magnitude
    }
    return all.sorted { distance($0) < distance($1) }.prefix(count)
      .sorted { $0.span.lowerBound < $1.span.lowerBound }
  }

  /// The first free time; nil when there is none in these days.
  var first: BookableTime? {
    var date = plan.days.lowerBound
    while date <= plan.days.upperBound {
      for working in plan.working(on: date) {
        for start in Plan.starts(of: length, in: working) where isFree(span(from: start)) {
          return BookableTime(span: span(from: start), zone: plan.zone)
        }
      }
      date = date.adding(days: 1)
    }
    return nil
  }
}

extension Availability {
  /// Two weeks in which something may be had instead of a time, the day before it first.
  static func around(
    _ time: BookableTime, of practice: Practice, at now: Instant, settings: Settings,
    on connection: Connection
  ) throws -> Availability {
    let day = time.local.date
    let today = practice.local(now).date
    let days = max(today, day.adding(days: -1))...max(today, day.adding(days: 14))
    return try find(of: practice, during: days, at: now, settings: settings, on: connection)
  }

  /// Whether it is free but for a booking that is moved away.
  func isFree(_ span: Range<Instant>, besides moved: Booking?) -> Bool {
    isFree(span) || moved?.span.overlaps(span) == true
  }
}
