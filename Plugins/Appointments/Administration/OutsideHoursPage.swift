import PolyclinicCore

/// A page that lists appointments outside the working hours, with the questions before all of them
/// are cancelled or rescheduled at once.
protocol OutsideHoursPage: RoutedPage {
  static var cancelling: Address<Value> { get }
  static var rescheduling: Address<Value> { get }
  var list: BookingsOutsideHoursView { get }

  /// Finds the appointments of the doctor, clinic or special hours that the path names.
  static func find(_ context: Context) throws -> BookingsOutsideHours
}

extension OutsideHoursPage {
  static var linkTitle: Text? { "admin.outside.title" }

  /// The routes of the page and of its questions.
  static var routes: [Route] {
    [route, CancelBookingsOutsideHours<Self>.route, RescheduleBookingsOutsideHours<Self>.route]
  }

  var page: Page {
    Page(
      "admin.outside.title", list.content(empty: "admin.outside.none"),
      back: list.outsideHours.place.back)
  }

  /// Returns the visitor as the member of staff who changes the appointments.
  fileprivate static func staff(_ context: Context) throws -> Booking.Staff {
    try access == .role(.doctor) ? .doctor(context) : .administrator(context)
  }

  /// Reads with the visitor's reason. A doctor reads in a write transaction, because showing the
  /// patients adds entries to their access logs.
  static func read<Loaded>(
    _ context: Context, _ body: (Context, AccessReason) throws -> Loaded
  ) throws -> Loaded {
    let reason = try staff(context).reason
    return reason == .care
      ? try context.write { try body($0, reason) }
      : try body(context, reason)
  }

  fileprivate static func list(_ context: Context) throws -> BookingsOutsideHoursView {
    try read(context) { try BookingsOutsideHoursView(find($0), for: $1, $0) }
  }

  /// Returns a question about all appointments, and `details` of them.
  fileprivate static func question(
    _ about: Text, _ context: Context,
    details: (BookingsOutsideHours, Context) throws -> HTML? = { _, _ in nil }
  ) throws -> HTML {
    try read(context) { context, reason in
      let outsideHours = try find(context)
      let untold = try UntoldBookings(
        among: outsideHours.bookings, for: reason, in: outsideHours.place.zone, context)
      return """
        <p>\(context.text(outsideHours.count))</p>\
        <p>\(context.text(about))</p>\(try details(outsideHours, context))\(untold.list(context))\
        <input type="hidden" name="bookings" value="\(outsideHours.fingerprint)">
        """
    }
  }

  /// Returns the appointments that the question was about. Throws ``Refusal/conflict(_:)`` if the
  /// list has changed since, for example because the hours were changed again.
  fileprivate static func asked(_ context: Context) throws -> BookingsOutsideHours {
    let outsideHours = try find(context)
    guard context.request.fields["bookings"] == outsideHours.fingerprint else {
      throw Refusal.conflict("admin.displaced.changed")
    }
    return outsideHours
  }
}

extension OutsideHoursPage where Value: LosslessStringConvertible {
  /// Returns the place of a list of appointments with this value in its address.
  static func place(_ value: Value, in zone: Zone, back: Path) -> BookingsOutsideHours.Place {
    BookingsOutsideHours.Place(
      zone: zone, page: path(value), cancelling: cancelling.path(value),
      rescheduling: rescheduling.path(value), back: back)
  }
}

/// The page with the appointments outside a doctor's current hours.
struct DoctorOutsideHours: OutsideHoursPage {
  static let address: Address<ID<Doctor>> = "/appointments/admin/doctors/{id}/outside"
  static let cancelling: Address<ID<Doctor>> = "/appointments/admin/doctors/{id}/outside/cancel"
  static let rescheduling: Address<ID<Doctor>> = "/appointments/admin/doctors/{id}/outside/move"
  static let access = Access.role(.administrator)

  let list: BookingsOutsideHoursView

  init(_ context: Context) throws { list = try Self.list(context) }

  static func find(_ context: Context) throws -> BookingsOutsideHours {
    try find(.inPath(context), in: context)
  }

  static func find(_ placement: DoctorPlacement, in work: Work) throws -> BookingsOutsideHours {
    let doctor = placement.doctor.id
    return try BookingsOutsideHours(
      of: .doctor(doctor),
      at: place(doctor, in: placement.clinic.zone, back: DoctorAdministration.path(doctor)),
      in: work)
  }
}

/// The page with the appointments outside the current hours of all doctors of a clinic, in its time
/// zone.
struct ClinicOutsideHours: OutsideHoursPage {
  static let address: Address<ID<Clinic>> = "/appointments/admin/clinics/{id}/outside"
  static let cancelling: Address<ID<Clinic>> = "/appointments/admin/clinics/{id}/outside/cancel"
  static let rescheduling: Address<ID<Clinic>> = "/appointments/admin/clinics/{id}/outside/move"
  static let access = Access.role(.administrator)

  let list: BookingsOutsideHoursView

  init(_ context: Context) throws { list = try Self.list(context) }

  static func find(_ context: Context) throws -> BookingsOutsideHours {
    try find(.inPath(context), in: context)
  }

  static func find(_ clinic: Clinic, in work: Work) throws -> BookingsOutsideHours {
    try BookingsOutsideHours(
      of: .clinic(clinic.id),
      at: place(clinic.id, in: clinic.zone, back: ClinicAdministration.path(clinic.id)), in: work)
  }
}

/// The page with the appointments outside the current hours of the doctor who is signed in.
struct OwnOutsideHours: OutsideHoursPage {
  static let address: Address<Void> = "/appointments/hours/outside"
  static let cancelling: Address<Void> = "/appointments/hours/outside/cancel"
  static let rescheduling: Address<Void> = "/appointments/hours/outside/move"
  static let access = Access.role(.doctor)

  let list: BookingsOutsideHoursView

  init(_ context: Context) throws { list = try Self.list(context) }

  static func find(_ context: Context) throws -> BookingsOutsideHours {
    try find(SignedInDoctor.placement(context), in: context)
  }

  static func find(_ placement: DoctorPlacement, in work: Work) throws -> BookingsOutsideHours {
    try BookingsOutsideHours(
      of: .doctor(placement.doctor.id),
      at: .init(
        zone: placement.clinic.zone, page: path, cancelling: cancelling.path,
        rescheduling: rescheduling.path, back: OwnHours.path), in: work)
  }
}

/// The question before all appointments of a list are cancelled.
struct CancelBookingsOutsideHours<List: OutsideHoursPage>: RoutedForm {
  static var address: Address<List.Value> { List.cancelling }
  static var access: Access { List.access }
  static var title: Text { "admin.displaced.cancel.title" }
  static var form: Form<Reason> {
    Form(
      Reason(),
      .lines(
        \.reason, "cancellation_reason", limit: 1_000, hint: "field.cancellation_reason.hint"))
  }
  static var submit: Text { "admin.displaced.cancel.yes" }
  static var cancel: Path { List.address.pattern }
  static var isQuestion: Bool { true }

  /// The reason for the cancellation, as each patient reads it.
  struct Reason: Sendable {
    var reason = ""
  }

  private let context: Context

  init(_ context: Context) { self.context = context }

  var about: HTML? {
    get throws { try List.question("admin.displaced.cancel.question", context) }
  }

  func save(_ reason: Reason, in context: Context) throws -> Redirect {
    let outsideHours = try List.asked(context)
    try outsideHours.cancel(by: List.staff(context), because: reason.reason, context)
    return Redirect(to: outsideHours.page(after: .cancelled))
  }
}

/// The question before all appointments of a list are rescheduled.
struct RescheduleBookingsOutsideHours<List: OutsideHoursPage>: RoutedForm {
  static var address: Address<List.Value> { List.rescheduling }
  static var access: Access { List.access }
  static var title: Text { "admin.displaced.move.title" }
  static var submit: Text { "admin.displaced.move.yes" }
  static var cancel: Path { List.address.pattern }
  static var isQuestion: Bool { true }

  private let context: Context

  init(_ context: Context) { self.context = context }

  /// The question with the present and the new times, or with the reason why not all can be moved.
  var about: HTML? {
    get throws {
      try List.question("admin.displaced.move.question", context) { outsideHours, context in
        do {
          let rows = try outsideHours.newTimes(context).map { booking, time in
            let times = [booking.span, time.span].map {
              BookingText.dateTime($0.lowerBound, in: outsideHours.place.zone, context)
            }
            let text = ["before": times[0], "after": times[1]]
            return HTML.row("\(context.text("admin.displaced.move.row", text))")
          }
          return "\(rows: rows)"
        } catch Refusal.conflict(let reason) { return context.notice(.problem, reason) }
      }
    }
  }

  func save(_: Void, in context: Context) throws -> Redirect {
    let outsideHours = try List.asked(context)
    try outsideHours.reschedule(by: List.staff(context), context)
    return Redirect(to: outsideHours.page(after: .booked))
  }
}
