import PolyclinicCore

/// Another appointment for a patient who has one: with the same doctor, or what the desk books,
/// which can name somebody without an account in no other way.
extension AppointmentsModule {
  var followUpRoute: Route {
    .fork("{id}/again", choosePageOfFollowUp)
      .keeping("doctor", "date", "time", "offset")
      .leadingBack(to: "{id}")
  }

  private func choosePageOfFollowUp(_ context: Context) -> Route {
    let form = Route.form(
      "{id}/again", BookingRequest.form, title: "again.title", cancel: "{id}",
      submit: "booking.submit", start: startBooking, about: aboutFollowUp,
      instead: followUpInstead, save: bookFollowUp)
    if context.request.method == .post { return form }
    let query = context.request.query
    if query["doctor"].isEmpty { return .get("{id}/again", showDoctorsOfFollowUp) }
    return step(query, month: showMonthOfFollowUp, day: showDayOfFollowUp, last: form)
  }

  /// What the patient had before, and the right that somebody books again by; throws
  /// ``Refusal/notFound`` where that does not concern the visitor any more.
  private func followed(
    _ context: Context, on connection: Connection
  ) throws -> (Booking, Booking.Staff) {
    let (booking, staff) = try staffed(context, on: connection)
    guard booking.concerns(staff.reason, at: context.now) else { throw Refusal.notFound }
    return (booking, staff)
  }

  private func showDoctorsOfFollowUp(_ context: Context) throws -> Response {
    let (booking, staff) = try context.database.read { try followed(context, on: $0) }
    let base = booking.followUp
    return staff.reason == .desk
      ? try deskDoctors(at: base, back: "\(booking.id)", context)
      : .redirect(to: base.query(["doctor": booking.doctor.description]))
  }

  private func showMonthOfFollowUp(_ context: Context) throws -> Response {
    let (booking, staff) = try context.database.read { try followed(context, on: $0) }
    let base = booking.followUp
    return try month(
      of: doctor(context), at: base, back: staff.reason == .desk ? base : "\(booking.id)",
      by: .desk, context)
  }

  private func showDayOfFollowUp(_ context: Context) throws -> Response {
    let (booking, _) = try context.database.read { try followed(context, on: $0) }
    let base = booking.followUp
    return try day(
      of: doctor(context), at: base,
      back: base.query(["doctor": context.request.query["doctor"]]), context)
  }

  /// Said in a transaction that writes: it names the patient, who reads of the look.
  private func aboutFollowUp(_ context: Context) throws -> HTML? {
    try context.database.write { connection in
      let (booking, staff) = try followed(context, on: connection)
      let patient = try patient(of: booking, for: staff, context, on: connection)
      let notice = try noticeForStaff(context, on: connection)
      return "\(notice)\(patient?.heading)\(patient?.telling("again.told", context))"
    }
  }

  /// In spite of another appointment of the patient then, or another time.
  private func followUpInstead(_ context: Context) throws -> [Choice] {
    try context.database.read { connection in
      let (booking, _) = try followed(context, on: connection)
      return try instead(context, on: connection) {
        try Booking.overlapping($0.span, of: booking.patient, on: connection) != nil
      }
    }
  }

  private func bookFollowUp(
    _ request: BookingRequest, _ context: Context, _ connection: Connection
  ) throws -> Path {
    let (earlier, staff) = try followed(context, on: connection)
    let (practice, time) = try bookable(request, by: staff, context, on: connection)
    return try book(
      request, time, with: practice.doctor.id, for: earlier.patient, by: staff, context,
      on: connection)
  }
}

extension Booking {
  /// Where another appointment is booked for its patient.
  var followUp: Path { "/appointments/\(id)/again" }
}
