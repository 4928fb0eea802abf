import PolyclinicCore

/// The pages that book again for a patient after an appointment: the doctors for the reception,
/// then the times, and the form. The reception has no other way to book again for a patient without
/// an account.
struct FollowUp: FollowUpForm {
  static let address: Address<ID<Appointment>> = "/appointments/{id}/again"
  static let cancel = StaffAppointmentPage.address.pattern
  static var route: Route { followUpRoute.marking(by: Booking.area) }

  let attempt: BookingAttempt
  let doctor: ID<Doctor>
  let back: Path

  /// Throws ``Refusal/notFound`` if the visitor may not see the earlier booking any more.
  init(_ context: Context) throws {
    let (booking, staff) = try Booking.findForStaff(context)
    guard booking.isVisible(for: staff.reason, at: context.now) else { throw Refusal.notFound }
    attempt = BookingAttempt(context, for: booking.patient, by: staff)
    doctor = booking.doctor
    back = StaffAppointmentPage.path(booking.id)
  }
}

/// The pages on which a doctor books again for a patient of the own waiting list.
struct TicketFollowUp: FollowUpForm {
  static let address: Address<ID<Ticket>> = "/appointments/queue/{id}/again"
  static let access = Access.role(.doctor)
  static let cancel = DoctorQueuePage.path
  static var route: Route { followUpRoute.marking(cancel) }

  let attempt: BookingAttempt
  let doctor: ID<Doctor>
  var back: Path { Self.cancel }

  /// Throws ``Refusal/notFound`` for a patient whom the doctor has not called.
  init(_ context: Context) throws {
    let (ticket, doctor) = try Ticket.ofDoctor(context)
    guard ticket.treatment != nil else { throw Refusal.notFound }
    attempt = BookingAttempt(context, for: ticket.person, by: try .doctor(context))
    self.doctor = doctor
  }
}

/// A form with which staff books again for the patient of an earlier visit.
protocol FollowUpForm: RoutedForm where Draft == BookingRequest {
  var attempt: BookingAttempt { get }
  /// The doctor of the earlier visit.
  var doctor: ID<Doctor> { get }
  /// The page that leads to the form.
  var back: Path { get }
}

extension FollowUpForm {
  static var title: Text { "again.title" }
  static var submit: Text { "booking.submit" }
  static var form: Form<BookingRequest> { BookingRequest.staffForm }
  static var followUpRoute: Route {
    Route(Self.self).titled("times.title").keeping("doctor", "date", "time", "offset")
      .leadingBack(to: cancel)
  }

  static func origin(_ context: Context) -> Path? { context.times(at: context.request.path) }

  /// The page in place of the form: the doctors for the reception, then the times.
  var before: Response? {
    get throws {
      let context = attempt.context
      let (query, base) = (context.request.query, context.request.path)
      let isAtReception = attempt.staff?.reason == .reception
      if query["doctor"].isEmpty {
        if !isAtReception { return .redirect(to: base.query(["doctor": doctor.description])) }
        let doctors = ReceptionDoctors(base: base, context: context)
        return .page(try doctors.page(back: back, above: patient?.heading))
      }
      if query.hasTime { return nil }
      return try FreeTimePages(
        base: base, back: isAtReception ? base : back, above: patient?.heading
      ).show(FreeTimePages.doctor(context), context)
    }
  }

  var start: BookingRequest { get throws { try attempt.start() } }

  var about: HTML? {
    get throws {
      let patient = try patient
      return """
        \(patient?.heading)\(try attempt.sameDay)\(try attempt.summaryForStaff)\
        \(patient?.notice("again.told", attempt.context))
        """
    }
  }

  /// The patient, read in a write transaction, because the name adds an entry to their access log.
  private var patient: BookedPatient? {
    get throws {
      guard let person = attempt.patient, let staff = attempt.staff else { return nil }
      return try attempt.context.write { context in
        try staff.work(on: person, context).map { try BookedPatient.find(context, in: $0) }
      }
    }
  }

  var instead: [Choice] { get throws { try attempt.choices } }

  func save(_ request: BookingRequest, in context: Context) throws -> Redirect {
    Redirect(to: try attempt.bookForPatient(purpose: request.purpose))
  }
}

/// A booking by staff for a patient.
extension BookingAttempt {
  /// Books for the patient, who gets a notice and can read of it in the access log, and returns the
  /// page of the booking's day. If the patient has this slot already, as after a second press, it
  /// is the page of the appointment. Throws the same errors as ``book(purpose:for:)``.
  func bookForPatient(purpose: String) throws -> Path {
    if let own = try own { return StaffAppointmentPage.path(own.id) }
    return try book(purpose: purpose).changedDay(for: staff?.reason ?? .reception)
  }

  /// The notice that the patient has an appointment with the requested doctor on the requested day
  /// already; nil if they have none. Booking stays possible, because some visits need two times.
  var sameDay: HTML? {
    get throws {
      guard let date = try requestedIfAny?.slot.local.date else { return nil }
      let times = try others.filter { $0.local.date == date }
        .map { BookingText.time(Slot(span: $0.span, zone: $0.zone), context) }
      if times.isEmpty { return nil }
      let values = ["times": times.joined(separator: ", ")]
      return .notice(
        .remark, "<p>\(context.text("reception.same-day", values))</p>", as: .warning)
    }
  }
}
