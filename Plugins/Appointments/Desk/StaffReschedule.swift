import PolyclinicCore

/// The pages on which the doctor or the reception moves a patient's booking, also after the
/// patient's deadline: the times, then the form.
struct StaffReschedule: RoutedForm {
  static let address: Address<ID<Appointment>> = "/appointments/{id}/reschedule"
  static let title: Text = "reception.move.title"
  static let submit: Text = "move.submit"
  static let cancel = StaffAppointmentPage.address.pattern
  static let form = Form(
    Draft(), .part(\.time, BookingRequest.timeForm),
    .lines(\.reason, "reason", limit: 500, autocomplete: "off", hint: "reception.reason.hint"))
  static var route: Route {
    Route(Self.self).titled("times.title").keeping("doctor", "date", "time", "offset")
      .leadingBack(to: cancel)
      .marking(by: Booking.area)
  }

  struct Draft: Sendable {
    var time = BookingRequest()
    /// The reason, which the patient reads; may be empty.
    var reason = ""
  }

  private let booking: Booking
  private let staff: Booking.Staff
  private let attempt: BookingAttempt
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    (booking, staff) = try Booking.findForStaff(context)
    attempt = BookingAttempt(context, for: booking.patient, by: staff, moving: booking)
  }

  static func origin(_ context: Context) -> Path? { context.times(at: context.request.path) }

  /// The page of times before a time is chosen. Throws ``Refusal/conflict(_:)`` if the booking is
  /// over.
  var before: Response? {
    get throws {
      guard booking.status.isOpen else { throw Refusal.conflict("cancel.over") }
      if context.request.query.hasTime { return nil }
      return try FreeTimePages(
        base: context.request.path, back: StaffAppointmentPage.path(booking.id),
        title: "move.times", start: booking.local.date,
        above: "\(patient?.heading)\(booking.present(context))"
      ).show(booking.doctor, context)
    }
  }

  var start: Draft { get throws { Draft(time: try attempt.start()) } }

  var about: HTML? {
    get throws {
      let patient = try patient
      return """
        \(patient?.heading)\(booking.present(context))\(try attempt.summaryForStaff)\
        \(patient?.notice("reception.move.told", context))\
        <input type="hidden" name="sequence" value="\(booking.sequence)">
        """
    }
  }

  /// The patient, read in a write transaction, because the name adds an entry to their access log.
  private var patient: BookedPatient? {
    get throws { try context.write { try BookedPatient.find(of: booking, for: staff, $0) } }
  }

  var instead: [Choice] { get throws { try attempt.choices } }

  func save(_ draft: Draft, in context: Context) throws -> Redirect {
    guard let moved = try attempt.move(reason: draft.reason) else { throw Refusal.notFound }
    return Redirect(to: moved.changedDay(for: staff.reason))
  }
}
