import PolyclinicCore

/// Follow-up bookings for a patient: by a doctor with themselves, or by the reception. The reception has no other way
/// to book again for a patient without an account.
enum FollowUpPages {
  /// Chooses the page at `{id}/again`: the doctors, the times, or the form.
  static func choose(_ context: Context) -> Route {
    let form = Route.form(
      "{id}/again", BookingRequest.form, title: "again.title", cancel: "{id}",
      submit: "booking.submit", subject: followed, start: { try BookingRequest.start($1) },
      about: about, instead: alternatives, save: book)
    if context.request.method == .post { return form }
    let query = context.request.query
    if query["doctor"].isEmpty { return .get("{id}/again", showDoctors) }
    return FreeTimePages.step(query, times: showTimes, last: form)
  }

  /// Returns the patient's earlier booking, and the staff member who books again. Throws ``Refusal/notFound``
  /// if the visitor may not see that booking any more.
  private static func followed(
    _ context: Context, on connection: Connection
  ) throws -> Booking.ForStaff {
    let found = try Booking.findForStaff(context, on: connection)
    guard found.booking.isVisible(for: found.staff.reason, at: context.now) else {
      throw Refusal.notFound
    }
    return found
  }

  private static func showDoctors(_ context: Context) throws -> Response {
    let (booking, staff) = try context.database.read { try followed(context, on: $0) }
    let base = booking.followUp
    return staff.reason == .desk
      ? try ReceptionBookingPages.doctors(at: base, back: "\(booking.id)", context)
      : .redirect(to: base.query(["doctor": booking.doctor.description]))
  }

  private static func showTimes(_ context: Context) throws -> Response {
    let (booking, staff) = try context.database.read { try followed(context, on: $0) }
    let base = booking.followUp
    return try FreeTimePages(base: base, back: staff.reason == .desk ? base : "\(booking.id)")
      .show(FreeTimePages.doctor(context), context)
  }

  /// Returns the text above the form. Uses a write transaction, because showing the patient's name adds an
  /// entry to their access log.
  private static func about(_ followed: Booking.ForStaff, _ context: Context) throws -> HTML? {
    try context.database.write { connection in
      let patient = try BookedPatient.find(
        of: followed.booking, for: followed.staff, context, on: connection)
      let summary = try RequestedTime.summaryForStaff(context, on: connection)
      return "\(patient?.heading)\(summary)\(patient?.notice("again.told", context))"
    }
  }

  /// Returns the alternatives: the same time in spite of another booking of the patient, or another time.
  private static func alternatives(
    _ followed: Booking.ForStaff, _ context: Context
  ) throws -> [Choice] {
    try context.database.read { connection in
      try AlternativeTimes.choices(context, on: connection) {
        try Booking.overlapping($0.span, of: followed.booking.patient, on: connection) != nil
      }
    }
  }

  private static func book(
    _ request: BookingRequest, _ followed: Booking.ForStaff, _ context: Context,
    _ connection: Connection
  ) throws -> Path {
    let (earlier, staff) = followed
    let (placement, time) = try BookingForPatient.find(request, by: staff, context, on: connection)
    return try BookingForPatient.book(
      request, time, with: placement.doctor.id, for: earlier.patient, by: staff, context,
      on: connection)
  }
}

extension Booking {
  /// The page that books a follow-up for the patient.
  var followUp: Path { "/appointments/\(id)/again" }
}
