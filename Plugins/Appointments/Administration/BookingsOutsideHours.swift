import PolyclinicCore

/// Appointments outside the working hours, after a change of the hours. A patient who has arrived
/// is not among them, because they are seen today.
///
/// The change of the hours is stored before the search for these appointments. Therefore no new
/// appointment can be booked outside the hours, and the search for new times excludes them.
struct BookingsOutsideHours: Sendable {
  let bookings: [Booking]
  /// All doctors searched, including those without such an appointment.
  let owners: Set<ID<Doctor>>
  let place: Place
  private let counted: String

  /// The pages on which the appointments are shown, and the time zone of their times.
  struct Place: Sendable {
    let zone: Zone
    /// The list, and the questions before all of them are cancelled or rescheduled.
    let page, cancelling, rescheduling: Path
    /// The page that the list leads back to.
    let back: Path
  }

  /// The number of days that are searched for a new time.
  static let daysAhead = 90

  /// The number of appointments, as a sentence.
  var count: Text { Text(counted, count: bookings.count) }

  /// The page after the change of the hours: the list of appointments, or the page behind it
  /// if there are none.
  var next: Path { bookings.isEmpty ? place.back : place.page }

  /// The IDs and versions of the appointments. A different fingerprint shows that the list has
  /// changed.
  var fingerprint: String {
    bookings.map { "\($0.id)-\($0.sequence)" }.joined(separator: ",")
  }

  private init(
    _ bookings: [Booking], of owners: [ID<Doctor>], at place: Place, counted: String
  ) {
    self.bookings = bookings.sorted { ($0.span.lowerBound, $0.id) < ($1.span.lowerBound, $1.id) }
    self.owners = Set(owners)
    self.place = place
    self.counted = counted
  }

  /// Finds the appointments during days off, of one doctor or of all doctors of a clinic. Past
  /// appointments are left out, and no appointment is outside extra hours.
  init(during specialHours: SpecialHours, at place: Place, in work: Work) throws {
    let bookings =
      specialHours.kind == .off ? try Self.booked(in: specialHours, place.zone, in: work) : []
    self.init(
      bookings, of: try specialHours.owner.doctors(in: work), at: place,
      counted: "admin.displaced.count")
  }

  /// Finds the appointments outside the current hours (days off included), of one doctor or of all
  /// doctors of a clinic. Appointments that have begun are left out.
  init(of owner: SpecialHours.Owner, at place: Place, in work: Work) throws {
    let first = LocalDateTime(work.now, in: place.zone).date
    let last = first.adding(days: BookingRequest.horizon + 1)
    let owners = try owner.doctors(in: work)
    let bookings = try owners.flatMap { doctor in
      let booked = try Booking.open(
        of: doctor, within: work.now..<work.now + .days(BookingRequest.horizon + 1), in: work)
      guard !booked.isEmpty,
        let schedule = try DoctorSchedule.find(of: doctor, during: first...last, in: work)
      else { return [Booking]() }
      return booked.filter {
        $0.status == .booked && $0.span.lowerBound > work.now && !schedule.covers($0.span)
      }
    }
    self.init(bookings, of: owners, at: place, counted: "admin.outside.count")
  }

  private static func booked(
    in specialHours: SpecialHours, _ zone: Zone, in work: Work
  ) throws -> [Booking] {
    var minutes = Spans<Int>()
    minutes.insert(specialHours.minutes)
    let (start, end) = (specialHours.days.lowerBound, specialHours.days.upperBound)
    let spans = (start.daysSince1970...end.daysSince1970).flatMap {
      zone.moments(of: minutes, on: CalendarDate(daysSince1970: $0)).ranges
    }
    guard let first = spans.first, let last = spans.last else { return [] }
    let earliest = max(first.lowerBound, work.now)
    guard earliest < last.upperBound else { return [] }
    let bookings = try specialHours.owner.doctors(in: work).flatMap { doctor in
      try Booking.open(of: doctor, within: earliest..<last.upperBound, in: work)
    }
    return bookings.filter { booking in
      booking.status == .booked && spans.contains { $0.overlaps(booking.span) }
    }
  }
}

extension BookingsOutsideHours {
  /// Cancels all of them. Each patient is notified and can see who did it.
  func cancel(by staff: Booking.Staff, because reason: String, _ context: Context) throws {
    try settle(in: context)
    for booking in bookings {
      try booking.cancel(by: staff, reason: reason, context)
    }
  }

  /// Reschedules each to the doctor's next free time after it at which the patient has no other
  /// appointment. Each patient is notified and can see who did it.
  ///
  /// Throws ``Refusal/conflict(_:)`` if one has no free time; then nothing is rescheduled.
  func reschedule(by staff: Booking.Staff, _ context: Context) throws {
    try settle(in: context)
    for (booking, time) in try newTimes(context) {
      try booking.reschedule(to: time, by: staff, context)
    }
  }

  /// Returns the time to which ``reschedule(by:_:)`` moves each appointment. Throws
  /// ``Refusal/conflict(_:)`` if one has no free time.
  func newTimes(_ context: Context) throws -> [(booking: Booking, time: Slot)] {
    var moved: [(booking: Booking, time: Slot)] = []
    for booking in bookings {
      guard let time = try nextTime(for: booking, besides: moved, context) else {
        throw Refusal.conflict(Text("admin.displaced.no-time", count: Self.daysAhead))
      }
      moved.append((booking, time))
    }
    return moved
  }

  private func settle(in work: Work) throws {
    try WaitingList.settle(Set(bookings.map(\.doctor)).sorted(), in: work)
  }

  /// Returns the doctor's next free time at which the patient has no other appointment, besides the
  /// times that are planned for earlier ones.
  private func nextTime(
    for booking: Booking, besides moved: [(booking: Booking, time: Slot)],
    _ context: Context
  ) throws -> Slot? {
    // A doctor who cannot be booked takes no rescheduled appointments either.
    guard let placement = try DoctorPlacement.find(booking.doctor, in: context), placement.isOpen
    else { return nil }
    let first = placement.local(max(booking.span.lowerBound, context.now)).date
    let free = try Availability.find(
      of: placement, during: first...first.adding(days: Self.daysAhead),
      settings: context.portal.settings, in: context)
    let days = free.schedule.days
    for day in days.lowerBound.daysSince1970...days.upperBound.daysSince1970 {
      for time in free.free(on: CalendarDate(daysSince1970: day))
      where time.span.lowerBound > booking.span.lowerBound {
        let isPlanned = moved.contains {
          ($0.booking.doctor == booking.doctor || $0.booking.patient == booking.patient)
            && $0.time.span.overlaps(time.span)
        }
        if isPlanned { continue }
        let other = try Booking.overlapping(
          time.span, of: booking.patient, besides: booking.id, in: context)
        if other == nil { return time }
      }
    }
    return nil
  }
}
