import PolyclinicCore

/// Follow-up bookings for a patient: by a doctor with themselves, or by the reception. The
/// reception has no other way to book again for a patient without an account.
enum FollowUpPages {
  /// The patient of an earlier visit, for whom staff books again.
  private struct Followed {
    let attempt: BookingAttempt
    let patient: ID<Person>
    let doctor: ID<Doctor>
    let staff: Booking.Staff
    /// The page that leads to it.
    let back: Path

    init(
      _ context: Context, _ patient: ID<Person>, of doctor: ID<Doctor>, by staff: Booking.Staff,
      back: Path
    ) {
      attempt = BookingAttempt(context, for: patient, by: staff)
      self.patient = patient
      self.doctor = doctor
      self.staff = staff
      self.back = back
    }
  }

  /// The page at `{id}/again`, after an appointment: the doctors, the times, or the form.
  static let route = route(at: "{id}/again", back: "{id}", followedBooking)
    .leadingBack(to: "{id}").marking(by: Booking.area)

  /// The page at `queue/{id}/again`, for a patient of the doctor's own waiting list.
  static let routeOfTicket = route(
    at: "queue/{id}/again", back: "queue", access: .role(.doctor), followedTicket
  ).leadingBack(to: "queue").marking("queue")

  private static func route(
    at path: Path, back: Path, access: Access = .signedIn,
    _ find: @escaping @Sendable (Context) throws -> Followed
  ) -> Route {
    .form(
      path, BookingRequest.staffForm, title: "again.title", cancel: back, access: access,
      submit: "booking.submit", subject: find, before: step,
      origin: { $0.times(at: $0.request.path) },
      start: { followed, _ in try followed.attempt.start() },
      about: about, instead: { followed, _ in try followed.attempt.choices }, save: book
    ).keeping("doctor", "date", "time", "offset")
  }

  /// Returns the patient of an earlier booking. Throws ``Refusal/notFound`` if the visitor may not
  /// see that booking any more.
  @Sendable
  private static func followedBooking(
    _ context: Context
  ) throws -> Followed {
    let (booking, staff) = try Booking.findForStaff(context)
    guard booking.isVisible(for: staff.reason, at: context.now) else {
      throw Refusal.notFound
    }
    return Followed(
      context, booking.patient, of: booking.doctor, by: staff, back: "\(booking.id)")
  }

  /// Returns the patient whom the doctor has called from the waiting list. Throws
  /// ``Refusal/notFound`` for any other.
  @Sendable
  private static func followedTicket(
    _ context: Context
  ) throws -> Followed {
    let (ticket, doctor) = try Ticket.ofDoctor(context)
    guard ticket.treatment != nil else { throw Refusal.notFound }
    return Followed(context, ticket.person, of: doctor, by: try .doctor(context), back: "queue")
  }

  /// Returns the page in place of the form: the doctors for the reception, then the times.
  @Sendable
  private static func step(_ followed: Followed, _ context: Context) throws -> Response? {
    let (query, base) = (context.request.query, context.request.path)
    let isAtReception = followed.staff.reason == .reception
    if query["doctor"].isEmpty {
      return isAtReception
        ? try ReceptionBookingPages.doctors(
          at: base, back: followed.back, above: heading(followed, context), context)
        : .redirect(to: base.query(["doctor": followed.doctor.description]))
    }
    if query.hasTime { return nil }
    return try FreeTimePages(
      base: base, back: isAtReception ? base : followed.back, above: heading(followed, context)
    ).show(FreeTimePages.doctor(context), context)
  }

  /// Returns the patient. Needs a write transaction, because reading the name adds an entry to
  /// their access log.
  private static func patient(
    _ followed: Followed, _ context: Context
  ) throws -> BookedPatient? {
    return try context.of([followed.patient], for: followed.staff.reason)[followed.patient].map {
      try BookedPatient.find(context, in: $0)
    }
  }

  /// Returns the patient's name. Uses a write transaction, because it adds an entry to their access
  /// log.
  private static func heading(_ followed: Followed, _ context: Context) throws -> HTML? {
    try context.write { try patient(followed, $0)?.heading }
  }

  /// Returns the text above the form. Uses a write transaction, because showing the patient's name
  /// adds an entry to their access log.
  @Sendable
  private static func about(_ followed: Followed, _ context: Context) throws -> HTML? {
    let patient = try context.write { try Self.patient(followed, $0) }
    return """
      \(patient?.heading)\(try followed.attempt.sameDay)\(try followed.attempt.summaryForStaff)\
      \(patient?.notice("again.told", context))
      """
  }

  @Sendable
  private static func book(
    _ request: BookingRequest, _ followed: Followed, _ context: Context
  ) throws -> Path {
    try followed.attempt.bookForPatient(purpose: request.purpose)
  }
}

extension Booking {
  /// The page that books a follow-up for the patient.
  var followUp: Path { "/appointments/\(id)/again" }
}

/// A booking by staff for a patient.
extension BookingAttempt {
  /// Books for the patient, who gets a notice and can read of it in the access log, and returns the
  /// page of the booking's day. If the patient has this slot already, as after a second press, it is
  /// the page of the appointment. Throws the same errors as ``book(purpose:for:)``.
  func bookForPatient(purpose: String) throws -> Path {
    if let own = try own { return "\(own.id)" }
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
