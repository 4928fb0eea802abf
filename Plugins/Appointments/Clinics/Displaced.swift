import PolyclinicCore

/// The bookings that lie in days on which nobody is there any longer.
///
/// The days are stored before anybody looks at what lies in them: nothing is booked into them meanwhile,
/// and the plans by which other times are found leave them out.
struct Displaced: Sendable {
  let bookings: [Booking]

  /// How many days ahead another time is looked for.
  static let daysAhead = 90

  /// What is still to come of a doctor's, or of all doctors' of a clinic; none in extra hours.
  static func by(
    _ run: ExceptionRun, in zone: Zone, at now: Instant, on connection: Connection
  ) throws -> Displaced {
    guard run.kind == .off else { return Displaced(bookings: []) }
    var minutes = Spans<Int>()
    minutes.insert(run.minutes)
    let spans = (run.days.lowerBound.daysSince1970...run.days.upperBound.daysSince1970).flatMap {
      zone.moments(of: minutes, on: CalendarDate(daysSince1970: $0)).ranges
    }
    guard let first = spans.first, let last = spans.last else { return Displaced(bookings: []) }
    let start = max(first.lowerBound, now)
    guard start < last.upperBound else { return Displaced(bookings: []) }
    let bookings = try run.owner.doctors(on: connection).flatMap { doctor in
      try Booking.open(of: doctor, within: start..<last.upperBound, on: connection)
    }
    return Displaced(
      bookings: bookings.filter { booking in spans.contains { $0.overlaps(booking.span) } }
        .sorted { ($0.span.lowerBound, $0.id) < ($1.span.lowerBound, $1.id) })
  }

  /// The names of the doctors with whom they are, by number.
  func doctors(on connection: Connection) throws -> [ID<Doctor>: String] {
    var names: [ID<Doctor>: String] = [:]
    for doctor in Set(bookings.map(\.doctor)) {
      names[doctor] = try Doctor.find(doctor, on: connection)?.name
    }
    return names
  }
}

extension Displaced {
  /// Cancels all of them; each patient is told, and reads who did it.
  func cancel(
    because reason: String, _ context: Context, on connection: Connection
  ) throws {
    try settle(at: context.now, on: connection)
    let staff = try Booking.Staff.administrator(context)
    for booking in bookings {
      try booking.cancel(by: staff, reason: reason, context, on: connection)
    }
  }

  /// Moves each to the doctor's first free time behind it, at which the patient is not booked elsewhere;
  /// each patient is told, and reads who did it.
  ///
  /// Throws ``Refusal/conflict(_:)`` where one finds none, and then nothing is moved.
  func move(_ context: Context, on connection: Connection) throws {
    try settle(at: context.now, on: connection)
    let staff = try Booking.Staff.administrator(context)
    for booking in bookings {
      guard let time = try nextTime(for: booking, context, on: connection) else {
        throw Refusal.conflict(Text("admin.displaced.no-time", count: Self.daysAhead))
      }
      try booking.move(to: time, by: staff, context, on: connection)
    }
  }

  private func settle(at now: Instant, on connection: Connection) throws {
    try Doctor.settle(Set(bookings.map(\.doctor)).sorted(), at: now, on: connection)
  }

  private func nextTime(
    for booking: Booking, _ context: Context, on connection: Connection
  ) throws -> BookableTime? {
    // With a doctor who is disabled nothing more is booked, a move neither.
    guard let practice = try Practice.find(booking.doctor, on: connection), practice.isOpen
    else { return nil }
    let first = practice.local(max(booking.span.lowerBound, context.now)).date
    let free = try Availability.find(
      of: practice, during: first...first.adding(days: Self.daysAhead), at: context.now,
      settings: context.portal.settings, on: connection)
    for day in free.plan.days.lowerBound.daysSince1970...free.plan.days.upperBound.daysSince1970 {
      for time in free.free(on: CalendarDate(daysSince1970: day))
      where time.span.lowerBound > booking.span.lowerBound {
        let other = try Booking.overlapping(
          time.span, of: booking.patient, besides: booking.id, on: connection)
        if other == nil { return time }
      }
    }
    return nil
  }
}
