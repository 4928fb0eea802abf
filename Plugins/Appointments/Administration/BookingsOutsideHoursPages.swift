import PolyclinicCore

/// The pages that list appointments outside the working hours, and cancel or reschedule all of them
/// at once.
struct BookingsOutsideHoursPages: Sendable {
  /// Finds the appointments of the doctor, clinic or special hours that the `{id}` of the path
  /// names.
  let find: @Sendable (Context) throws -> BookingsOutsideHours
  /// Returns the visitor as the member of staff who changes the appointments.
  var staff: @Sendable (Context) throws -> Booking.Staff = Booking.Staff.administrator

  /// The appointments during days off of a doctor or of a clinic.
  static func ofDaysOff(at place: SpecialHoursPages.Place) -> BookingsOutsideHoursPages {
    BookingsOutsideHoursPages(
      find: { context in
        let (specialHours, zone) = try place.specialHours(context)
        return try BookingsOutsideHours.during(specialHours, in: zone, shownAt: place, in: context)
      }, staff: place.staff)
  }

  /// The appointments outside a doctor's current hours.
  static let ofDoctor = BookingsOutsideHoursPages { context in
    let placement = try DoctorPlacement.inPath(context)
    let (doctor, clinic) = (placement.doctor, placement.clinic)
    return try BookingsOutsideHours.find(of: .doctor(doctor.id), in: clinic.zone, in: context)
  }

  /// The appointments outside the current hours of all doctors of a clinic, in its time zone.
  static let ofClinic = BookingsOutsideHoursPages { context in
    let clinic = try Clinic.inPath(context)
    return try BookingsOutsideHours.find(of: .clinic(clinic.id), in: clinic.zone, in: context)
  }

  /// The appointments outside the current hours of the doctor who is signed in.
  static let own = BookingsOutsideHoursPages(
    find: { try ofOwn(SignedInDoctor.placement($0), $0) },
    staff: Booking.Staff.doctor)

  /// Returns the appointments outside the doctor's current hours, on the doctor's own page.
  static func ofOwn(
    _ placement: DoctorPlacement, _ context: Context
  ) throws -> BookingsOutsideHours {
    try BookingsOutsideHours.find(
      of: .doctor(placement.doctor.id), in: placement.clinic.zone, shownAt: "hours/outside",
      under: "hours", in: context)
  }

  /// The reason for the cancellation, as each patient reads it.
  struct Reason: Sendable {
    var reason = ""

    static let form = Form(
      Reason(),
      .lines(
        \.reason, "cancellation_reason", limit: 1_000, hint: "field.cancellation_reason.hint"))
  }

  func cancelling(at path: Path, page: Path, access: Access) -> Route {
    .confirm(
      path, Reason.form, title: "admin.displaced.cancel.title",
      question: { try question("admin.displaced.cancel.question", $0) },
      yes: "admin.displaced.cancel.yes", cancel: page, access: access,
      save: { reason, context in
        let outsideHours = try shown(context)
        try outsideHours.cancel(by: staff(context), because: reason.reason, context)
        return BookingsOutsideHoursView.page(of: outsideHours, after: .cancelled)
      })
  }

  func rescheduling(at path: Path, page: Path, access: Access) -> Route {
    .confirm(
      path, title: "admin.displaced.move.title",
      question: { try question("admin.displaced.move.question", $0, with: newTimes) },
      yes: "admin.displaced.move.yes", cancel: page, access: access,
      save: { context in
        let outsideHours = try shown(context)
        try outsideHours.reschedule(by: staff(context), context)
        return BookingsOutsideHoursView.page(of: outsideHours, after: .booked)
      })
  }

  /// Shows the page that lists the appointments outside the working hours.
  @Sendable
  func show(_ context: Context) throws -> Response {
    let view = try load(context) { context, reason in
      try BookingsOutsideHoursView(find(context), for: reason, context)
    }
    return .page(
      Page(
        "admin.outside.title", view.content(empty: "admin.outside.none"),
        back: view.outsideHours.back))
  }

  /// Returns the appointments that the question was about. Throws ``Refusal/conflict(_:)`` if the
  /// list has changed since, for example because the hours were changed again.
  private func shown(_ context: Context) throws -> BookingsOutsideHours {
    let outsideHours = try find(context)
    guard context.request.fields[Self.field] == outsideHours.fingerprint else {
      throw Refusal.conflict("admin.displaced.changed")
    }
    return outsideHours
  }

  private static let field = "bookings"

  /// Returns the list of appointments with their present and their new times, or the reason why not
  /// all can be moved.
  private func newTimes(
    of outsideHours: BookingsOutsideHours, _ context: Context
  ) throws -> HTML {
    do {
      let rows = try outsideHours.newTimes(context).map { booking, time in
        let times = [booking.span.lowerBound, time.span.lowerBound].map {
          BookingText.dateTime($0, in: outsideHours.zone, context)
        }
        let text = ["before": times[0], "after": times[1]]
        return HTML.row("\(context.text("admin.displaced.move.row", text))")
      }
      return "\(rows: rows)"
    } catch Refusal.conflict(let reason) { return context.notice(.problem, reason) }
  }

  /// Reads with the visitor's reason. A doctor reads in a write transaction, because showing the
  /// patients adds entries to their access logs.
  private func load<Loaded>(
    _ context: Context, _ body: (Context, AccessReason) throws -> Loaded
  ) throws -> Loaded {
    let reason = try staff(context).reason
    return reason == .care
      ? try context.write { try body($0, reason) }
      : try body(context, reason)
  }

  private func question(
    _ about: Text, _ context: Context,
    with details: (BookingsOutsideHours, Context) throws -> HTML? = { _, _ in nil }
  ) throws -> HTML {
    let (outsideHours, shown, untold) = try load(context) { context, reason in
      let outsideHours = try find(context)
      let untold = try UntoldBookings(
        among: outsideHours.bookings, for: reason, in: outsideHours.zone, context)
      return (outsideHours, try details(outsideHours, context), untold)
    }
    return """
      <p>\(context.text(outsideHours.count))</p>\
      <p>\(context.text(about))</p>\(shown)\(untold.list(context))\
      <input type="hidden" name="\(Self.field)" value="\(outsideHours.fingerprint)">
      """
  }
}
