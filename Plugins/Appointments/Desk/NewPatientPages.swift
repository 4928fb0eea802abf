import PolyclinicCore

/// The reception's pages that book for a new patient, who gets a record without an account: the
/// doctors, the times, and the form.
enum NewPatientPages {
  private static let path: Path = "/appointments/desk/new"

  static let route = Route.form(
    "desk/new", NewPatientBooking.form, title: "reception.new", cancel: "desk",
    access: .role(.receptionist), submit: "booking.submit", subject: attempt, before: step,
    origin: { $0.times(at: path) },
    start: { attempt, _ in NewPatientBooking(booking: try attempt.start()) }, about: about,
    instead: alternatives,
    prepare: { draft, _, context in
      try KnownPatients.check(draft.newPatient, context)
    }, save: book)

  @Sendable
  private static func attempt(_ context: Context) throws -> BookingAttempt {
    BookingAttempt(context, for: nil, by: try .receptionist(context))
  }

  private static func step(_: BookingAttempt, _ context: Context) throws -> Response? {
    let query = context.request.query
    if query["doctor"].isEmpty {
      return try ReceptionBookingPages.doctors(
        at: path, title: "reception.new", back: "desk", above: heading(context), context)
    }
    if query.hasTime { return nil }
    return try ReceptionBookingPages.showTimes(at: path, above: heading(context), context)
  }

  private static func about(_ attempt: BookingAttempt, _ context: Context) throws -> HTML? {
    "\(try KnownPatients.notice(context))\(heading(context))\(try attempt.summaryForStaff)"
  }

  /// Returns the line at the top of each step that names no patient, because the booking is for a
  /// new one.
  private static func heading(_ context: Context) -> HTML {
    """
    <p class="lead">\(context.text("reception.search.for")) \
    <strong>\(context.text("reception.new.patient"))</strong></p>
    """
  }

  private static func book(
    _ draft: NewPatientBooking, _ attempt: BookingAttempt, _ context: Context
  ) throws -> Path {
    // A slot that cannot be booked is refused before the patient is entered.
    _ = try attempt.requested()
    let work = try context.portal.people.enter(draft.newPatient, for: .reception, in: context)
    return try attempt.book(purpose: draft.booking.purpose, for: work).changedDay(for: .reception)
  }

  /// Returns the alternatives for a new patient: a new record although the patient seems to be
  /// known, or another time. A free time is refused only because the patient seems to be known.
  private static func alternatives(
    _ attempt: BookingAttempt, _ context: Context
  ) throws -> [Choice] {
    if try attempt.requestedIfAny == nil { return [] }
    return try attempt.isTaken ? attempt.choices : [KnownPatients.choice]
  }
}
