import PolyclinicCore

/// Follow-up bookings for a patient: by a doctor with themselves, or by the reception. The
/// reception has no other way to book again for a patient without an account.
enum FollowUpPages {
  /// The patient of an earlier visit, for whom staff books again.
  private struct Followed {
    let patient: ID<Person>
    let doctor: ID<Doctor>
    let staff: Booking.Staff
    /// The address of the follow-up.
    let base: Path
    /// The page that leads to it.
    let back: Path
  }

  private typealias Find = @Sendable (Context) throws -> Followed

  /// Chooses the page at `{id}/again`, after an appointment: the doctors, the times, or the form.
  static func choose(_ context: Context) throws -> Route {
    try page(at: "{id}/again", back: "{id}", followedBooking, context)
      .marking(Booking.area(context))
  }

  /// Chooses the page at `queue/{id}/again`, for a patient of the doctor's own waiting list.
  static func chooseOfTicket(_ context: Context) throws -> Route {
    page(at: "queue/{id}/again", back: "queue", followedTicket, context).marking("queue")
  }

  private static func page(
    at path: Path, back: Path, _ find: @escaping Find, _ context: Context
  ) -> Route {
    let form = Route.form(
      path, BookingRequest.staffForm, title: "again.title",
      cancel: RequestedTime.times(at: context.request.path, context) ?? back,
      submit: "booking.submit", subject: find, start: { try BookingRequest.start($1) },
      about: about, instead: alternatives, save: book)
    if context.request.method == .post { return form }
    let query = context.request.query
    if query["doctor"].isEmpty { return .get(path) { try showDoctors(find, $0) } }
    return FreeTimePages.step(query, times: { try showTimes(find, $0) }, last: form)
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
      patient: booking.patient, doctor: booking.doctor, staff: staff, base: booking.followUp,
      back: "\(booking.id)")
  }

  /// Returns the patient whom the doctor has called from the waiting list. Throws
  /// ``Refusal/notFound`` for any other.
  @Sendable
  private static func followedTicket(
    _ context: Context
  ) throws -> Followed {
    let (ticket, doctor) = try DoctorQueuePages.ownTicket(context)
    guard ticket.treatment != nil else { throw Refusal.notFound }
    return Followed(
      patient: ticket.person, doctor: doctor, staff: try .doctor(context),
      base: "/appointments/queue/\(ticket.id)/again", back: "queue")
  }

  private static func showDoctors(_ find: Find, _ context: Context) throws -> Response {
    let followed = try find(context)
    return followed.staff.reason == .reception
      ? try ReceptionBookingPages.doctors(
        at: followed.base, back: followed.back, above: heading(followed, context), context)
      : .redirect(to: followed.base.query(["doctor": followed.doctor.description]))
  }

  private static func showTimes(_ find: Find, _ context: Context) throws -> Response {
    let followed = try find(context)
    return try FreeTimePages(
      base: followed.base,
      back: followed.staff.reason == .reception ? followed.base : followed.back,
      above: heading(followed, context)
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
  private static func about(_ followed: Followed, _ context: Context) throws -> HTML? {
    let same = try BookingForPatient.sameDay(of: followed.patient, as: followed.staff, context)
    return try context.write { context in
      let patient = try patient(followed, context)
      let summary = try RequestedTime.summaryForStaff(for: followed.patient, context)
      return "\(patient?.heading)\(same)\(summary)\(patient?.notice("again.told", context))"
    }
  }

  /// Returns the alternatives: the same time in spite of another booking of the patient, or another
  /// time.
  private static func alternatives(
    _ followed: Followed, _ context: Context
  ) throws -> [Choice] {
    try AlternativeTimes.choices(context) {
      try Booking.overlapping($0.span, of: followed.patient, in: context) != nil
    }
  }

  private static func book(
    _ request: BookingRequest, _ followed: Followed, _ context: Context
  ) throws -> Path {
    let staff = followed.staff
    let (placement, time) = try BookingForPatient.find(request, by: staff, context)
    return try BookingForPatient.book(
      request, time, with: placement.doctor.id, for: followed.patient, by: staff, context)
  }
}

extension Booking {
  /// The page that books a follow-up for the patient.
  var followUp: Path { "/appointments/\(id)/again" }
}
