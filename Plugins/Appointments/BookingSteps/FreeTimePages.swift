import PolyclinicCore

/// The pages that lead to a doctor's free time: a month's days, then a day's times. New bookings and reschedules
/// share them.
enum FreeTimePages {
  /// Chooses the next step of a booking: the month, then the day, then the last page.
  static func step(
    _ query: Fields, month: @escaping Route.Handler, day: @escaping Route.Handler,
    last: @autoclosure () -> Route
  ) -> Route {
    if query["date"].isEmpty { return .get("new", month) }
    return query["time"].isEmpty ? .get("new", day) : last()
  }

  /// Returns the doctor in the query. Throws ``Refusal/notFound`` if there is none.
  static func doctor(_ context: Context) throws -> ID<Doctor> {
    guard let id = ID<Doctor>(context.request.query["doctor"]) else { throw Refusal.notFound }
    return id
  }

  /// Returns the page of a month's days, with `below` at its end. Without `back` it leads back to the doctors of the
  /// same specialization.
  static func month(
    of doctor: ID<Doctor>, at base: Path, back: Path? = nil,
    below: HTML? = nil, _ context: Context
  ) throws -> Response {
    try context.database.read { connection in
      let placement = try openPlacement(doctor, on: connection)
      let today = placement.local(context.now).date
      let asked = Month(context.request.query["month"]) ?? Month(today)
      let month = min(max(asked, Month(today)), Month(today.adding(days: BookingRequest.horizon)))
      let availability = try available(placement, month.first...month.last, context, connection)
      let next =
        availability.first == nil
        ? try available(placement, month.first...month.last.adding(days: 90), context, connection)
          .first : nil
      let times = FreeTimeViews(
        placement: placement, base: base, back: back ?? specialists(like: placement),
        context: context)
      return .page(try times.month(month, availability, next: next, below: below))
    }
  }

  static func day(
    of doctor: ID<Doctor>, at base: Path, back: Path, _ context: Context
  ) throws -> Response {
    guard let date = CalendarDate(context.request.query["date"]) else { throw Refusal.notFound }
    return try context.database.read { connection in
      let placement = try openPlacement(doctor, on: connection)
      let availability = try available(placement, date...date, context, connection)
      let times = FreeTimeViews(
        placement: placement, base: base, back: back, context: context)
      return .page(try times.day(date, availability))
    }
  }

  private static func specialists(like placement: DoctorPlacement) -> Path {
    Path("/appointments/new").query([
      "specialization": placement.department.specialization.rawValue
    ])
  }

  private static func openPlacement(
    _ doctor: ID<Doctor>, on connection: Connection
  ) throws -> DoctorPlacement {
    guard let placement = try DoctorPlacement.find(doctor, on: connection) else {
      throw Refusal.notFound
    }
    guard placement.isOpen else { throw Refusal.conflict("booking.error.disabled-doctor") }
    return placement
  }

  private static func available(
    _ placement: DoctorPlacement, _ days: ClosedRange<CalendarDate>, _ context: Context,
    _ connection: Connection
  ) throws -> Availability {
    try Availability.find(
      of: placement, during: days, at: context.now, settings: context.portal.settings,
      on: connection)
  }
}
