import PolyclinicCore

/// The bookings that lie where nobody works any longer.
///
/// What changes the hours is stored before anybody looks at what lies outside: nothing is booked there
/// meanwhile, and the plans by which other times are found leave it out.
struct Displaced: Sendable {
  let bookings: [Booking]
  /// The clock that their times are told by.
  let zone: Zone
  /// Where they are shown, and what that page leads back to.
  let page: Path
  let back: Path
  private let counted: String

  /// How many days ahead another time is looked for.
  static let daysAhead = 90

  /// How many they are, in a sentence.
  var count: Text { Text(counted, count: bookings.count) }

  /// Where it goes on after the change that has displaced them: there, where there are any.
  var next: Path { bookings.isEmpty ? back : page }

  /// What tells these bookings, as they are now, from any others.
  var fingerprint: String {
    bookings.map { "\($0.id)-\($0.sequence)" }.joined(separator: ",")
  }

  private init(
    _ bookings: [Booking], in zone: Zone, shownAt page: Path, under back: Path, counted: String
  ) {
    self.back = back
    self.counted = counted
    self.bookings = bookings.sorted { ($0.span.lowerBound, $0.id) < ($1.span.lowerBound, $1.id) }
    self.zone = zone
    self.page = page
  }

  /// By days off: what is still to come of a doctor's, or of all doctors' of a clinic; none in extra
  /// hours.
  static func by(
    _ run: ExceptionRun, in zone: Zone, at now: Instant, on connection: Connection
  ) throws -> Displaced {
    let bookings = run.kind == .off ? try booked(in: run, zone, at: now, on: connection) : []
    return Displaced(
      bookings, in: zone, shownAt: "admin/exceptions/\(run.id)", under: run.owner.page,
      counted: "admin.displaced.count")
  }

  /// By the hours as they are now, days off among them: what is still to begin of a doctor's, or of all
  /// doctors' of a clinic.
  static func byHours(
    of owner: ExceptionRun.Owner, in zone: Zone, at now: Instant, on connection: Connection
  ) throws -> Displaced {
    let first = LocalDateTime(now, in: zone).date
    let last = first.adding(days: BookingRequest.horizon + 1)
    let bookings = try owner.doctors(on: connection).flatMap { doctor in
      let booked = try Booking.open(
        of: doctor, within: now..<now + .days(BookingRequest.horizon + 1), on: connection)
      guard !booked.isEmpty,
        let plan = try Plan.find(of: doctor, during: first...last, on: connection)
      else { return [Booking]() }
      return booked.filter { $0.span.lowerBound > now && !plan.covers($0.span) }
    }
    return Displaced(
      bookings, in: zone, shownAt: "\(owner.page)/outside", under: owner.page,
      counted: "admin.outside.count")
  }

  private static func booked(
    in run: ExceptionRun, _ zone: Zone, at now: Instant, on connection: Connection
  ) throws -> [Booking] {
    var minutes = Spans<Int>()
    minutes.insert(run.minutes)
    let spans = (run.days.lowerBound.daysSince1970...run.days.upperBound.daysSince1970).flatMap {
      zone.moments(of: minutes, on: CalendarDate(daysSince1970: $0)).ranges
    }
    guard let first = spans.first, let last = spans.last else { return [] }
    let start = max(first.lowerBound, now)
    guard start < last.upperBound else { return [] }
    let bookings = try run.owner.doctors(on: connection).flatMap { doctor in
      try Booking.open(of: doctor, within: start..<last.upperBound, on: connection)
    }
    return bookings.filter { booking in spans.contains { $0.overlaps(booking.span) } }
  }

  /// The names of the doctors that they are booked with, by number; takes the portal's keys.
  func doctors(by keys: Keys, on connection: Connection) throws -> [ID<Doctor>: String] {
    var names: [ID<Doctor>: String] = [:]
    for doctor in Set(bookings.map(\.doctor)) {
      names[doctor] = try DoctorName.find(doctor, by: keys, on: connection)
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
