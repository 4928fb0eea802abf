import PolyclinicCore

/// The form with which staff moves a booking: the new time and the reason.
struct StaffReschedule: Sendable {
  var time = BookingRequest()
  /// The reason, which the patient reads; may be empty.
  var reason = ""

  static let form = Form(
    StaffReschedule(), .part(\.time, BookingRequest.timeForm),
    .lines(\.reason, "reason", limit: 500, autocomplete: "off", hint: "reception.reason.hint"))
}

/// Pages for the doctor and the reception to move a patient's booking, also after the patient's
/// deadline: the times, then the form.
enum StaffReschedulePages {
  static let route = Route.form(
    "{id}/reschedule", StaffReschedule.form, title: "reception.move.title", cancel: "{id}",
    submit: "move.submit", subject: attempt, before: step,
    origin: { $0.times(at: $0.request.path) },
    start: { attempt, _ in StaffReschedule(time: try attempt.start()) }, about: about,
    instead: { attempt, _ in try attempt.choices }, save: save
  ).keeping("doctor", "date", "time", "offset").leadingBack(to: "{id}").marking(by: Booking.area)

  @Sendable
  private static func attempt(_ context: Context) throws -> BookingAttempt {
    let (booking, staff) = try Booking.findForStaff(context)
    return BookingAttempt(context, for: booking.patient, by: staff, moving: booking)
  }

  /// Returns the page of times in place of the form before a time is chosen. Throws
  /// ``Refusal/conflict(_:)`` if the booking is over.
  private static func step(_ attempt: BookingAttempt, _ context: Context) throws -> Response? {
    guard let booking = attempt.moved, booking.status.isOpen else {
      throw Refusal.conflict("cancel.over")
    }
    if context.request.query.hasTime { return nil }
    let patient = try patient(attempt, context)
    return try FreeTimePages(
      base: context.request.path, back: "\(booking.id)", title: "move.times",
      above: "\(patient?.heading)\(booking.present(context))"
    ).show(booking.doctor, context)
  }

  /// Returns the patient. Uses a write transaction, because reading the name adds an entry to their
  /// access log.
  private static func patient(
    _ attempt: BookingAttempt, _ context: Context
  ) throws -> BookedPatient? {
    guard let booking = attempt.moved, let staff = attempt.staff else { return nil }
    return try context.write { try BookedPatient.find(of: booking, for: staff, $0) }
  }

  private static func about(_ attempt: BookingAttempt, _ context: Context) throws -> HTML? {
    let patient = try patient(attempt, context)
    return """
      \(patient?.heading)\(attempt.moved?.present(context))\(try attempt.summaryForStaff)\
      \(patient?.notice("reception.move.told", context))\
      <input type="hidden" name="sequence" value="\(attempt.moved?.sequence ?? 0)">
      """
  }

  private static func save(
    _ reschedule: StaffReschedule, _ attempt: BookingAttempt, _ context: Context
  ) throws -> Path {
    guard let moved = try attempt.move(reason: reschedule.reason), let staff = attempt.staff else {
      throw Refusal.notFound
    }
    return moved.changedDay(for: staff.reason)
  }
}
