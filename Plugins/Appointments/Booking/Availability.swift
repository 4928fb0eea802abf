import PolyclinicCore

/// What of a doctor's time is free, for some days.
struct Availability: Sendable {
  let plan: Plan
  let length: Seconds
  private let now: Instant
  /// The grains that are taken, in order.
  private let taken: [Int64]

  /// Looks at a range of days with one scan of what is taken; nil for an unknown doctor.
  static func find(
    of practice: Practice, during days: ClosedRange<CalendarDate>, at now: Instant,
    settings: Settings, on connection: Connection
  ) throws -> Availability? {
    let plan = try Plan.find(of: practice.doctor.id, during: days, on: connection)
    guard let plan else { return nil }
    let start = Instant(Int64(days.lowerBound.daysSince1970) * 86_400) - .days(1)
    let end = Instant(Int64(days.upperBound.daysSince1970) * 86_400) + .days(2)
    let taken = try DoctorTime.taken(
      of: practice.doctor.id, within: max(start, min(now, end))..<end, on: connection)
    return Availability(
      plan: plan, length: try practice.slot(settings), now: now, taken: taken)
  }

  /// For a plan and the grains that are taken, in order.
  init(plan: Plan, length: Seconds, now: Instant, taken: [Int64]) {
    self.plan = plan
    self.length = length
    self.now = now
    self.taken = taken
  }

  /// The times of a day that are free and still to come.
  func free(on date: CalendarDate) -> [BookableTime] {
    plan.times(of: length, on: date).filter { isFree($0.span) }
  }

  /// Whether nobody has any of that time, and it is still to come.
  func isFree(_ span: Range<Instant>) -> Bool {
    if span.lowerBound <= now { return false }
    let grains = DoctorTime.grains(of: span)
    var (low, high) = (0, taken.count)
    while low < high {
      let middle = (low + high) / 2
      if taken[middle] < grains.lowerBound { low = middle + 1 } else { high = middle }
    }
    return low == taken.count || taken[low] >= grains.upperBound
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
      if let time = free(on: date).first { return time }
      date = date.adding(days: 1)
    }
    return nil
  }
}
