import PolyclinicCore

/// The way to a free time of a doctor, for a new booking and for one that is moved.
extension AppointmentsModule {
  func showMonth(_ context: Context) throws -> Response {
    try month(of: doctor(context), at: "/appointments/new", context)
  }

  func showDay(_ context: Context) throws -> Response {
    try day(of: doctor(context), at: "/appointments/new", back: "new?with=doctor", context)
  }

  func showMonthToMove(_ context: Context) throws -> Response {
    let booking = try movable(context)
    return try month(
      of: booking.doctor, at: "/appointments/\(booking.id)/edit", back: "\(booking.id)", context)
  }

  func showDayToMove(_ context: Context) throws -> Response {
    let booking = try movable(context)
    return try day(
      of: booking.doctor, at: "/appointments/\(booking.id)/edit", back: "\(booking.id)", context)
  }

  func doctor(_ context: Context) throws -> ID<Doctor> {
    guard let id = ID<Doctor>(context.request.query["doctor"]) else { throw Refusal.notFound }
    return id
  }

  private func movable(_ context: Context) throws -> Booking {
    try context.database.read { connection in
      guard let booking = try own(context, on: connection) else { throw Refusal.notFound }
      try checkStillOpen(booking, context, on: connection)
      return booking
    }
  }

  /// The days of a month; `back` is nil where it leads to the doctors of the same specialization.
  func month(
    of doctor: ID<Doctor>, at base: Path, back: Path? = nil,
    by searcher: FreeTimes.Searcher = .patient, _ context: Context
  ) throws -> Response {
    try context.database.read { connection in
      let practice = try openPractice(doctor, on: connection)
      let today = practice.local(context.now).date
      let asked = Month(context.request.query["month"]) ?? Month(today)
      let month = min(max(asked, Month(today)), Month(today.adding(days: BookingRequest.horizon)))
      let availability = try available(practice, month.first...month.last, context, connection)
      let next =
        availability.first == nil
        ? try available(practice, month.first...month.last.adding(days: 90), context, connection)
          .first : nil
      let times = FreeTimes(
        practice: practice, base: base, back: back ?? specialists(like: practice),
        searcher: searcher, context: context)
      return .page(try times.month(month, availability, next: next))
    }
  }

  func day(
    of doctor: ID<Doctor>, at base: Path, back: Path, _ context: Context
  ) throws -> Response {
    guard let date = CalendarDate(context.request.query["date"]) else { throw Refusal.notFound }
    return try context.database.read { connection in
      let practice = try openPractice(doctor, on: connection)
      let availability = try available(practice, date...date, context, connection)
      let times = FreeTimes(
        practice: practice, base: base, back: back, searcher: .patient, context: context)
      return .page(try times.day(date, availability))
    }
  }

  private func specialists(like practice: Practice) -> Path {
    Path("/appointments/new").query([
      "specialization": practice.department.specialization.rawValue
    ])
  }

  private func openPractice(
    _ doctor: ID<Doctor>, on connection: Connection
  ) throws -> Practice {
    guard let practice = try Practice.find(doctor, on: connection) else { throw Refusal.notFound }
    guard practice.isOpen else { throw Refusal.conflict("booking.error.disabled-doctor") }
    return practice
  }

  private func available(
    _ practice: Practice, _ days: ClosedRange<CalendarDate>, _ context: Context,
    _ connection: Connection
  ) throws -> Availability {
    try Availability.find(
      of: practice, during: days, at: context.now, settings: context.portal.settings,
      on: connection)
  }
}
