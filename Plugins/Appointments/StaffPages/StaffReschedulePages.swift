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

/// Pages for the doctor and the reception to reschedule a patient's booking, also after the
/// patient's deadline.
enum StaffReschedulePages {
  /// Chooses the page at `{id}/edit` for a patient's booking: the times, or the form.
  static func choose(_ context: Context) throws -> Route {
    try page(context).marking(Booking.area(context))
  }

  private static func page(_ context: Context) -> Route {
    let form = Route.form(
      "{id}/edit", StaffReschedule.form, title: "reception.move.title",
      cancel: RequestedTime.times(at: context.request.path, context) ?? "{id}",
      submit: "move.submit",
      subject: Booking.findForStaff, start: start, about: about, instead: alternatives,
      save: reschedule)
    if context.request.method == .post { return form }
    return FreeTimePages.step(context.request.query, times: showTimes, last: form)
  }

  static func showTimes(_ context: Context) throws -> Response {
    let (booking, staff) = try reschedulable(context)
    // A write transaction, because showing the patient's name adds an entry to their access log.
    let patient = try context.write {
      try BookedPatient.find(of: booking, for: staff, $0)
    }
    return try FreeTimePages(
      base: "/appointments/\(booking.id)/edit", back: "\(booking.id)", title: "move.times",
      above: "\(patient?.heading)\(ReschedulePages.before(booking, context))"
    ).show(booking.doctor, context)
  }

  private static func reschedulable(_ context: Context) throws -> Booking.ForStaff {
    let found = try Booking.findForStaff(context)
    guard found.booking.status.isOpen else { throw Refusal.conflict("cancel.over") }
    return found
  }

  static func start(_ found: Booking.ForStaff, _ context: Context) throws -> StaffReschedule {
    let booking = found.booking
    guard let placement = try DoctorPlacement.find(booking.doctor, in: context) else {
      throw Refusal.notFound
    }
    guard context.request.method == .post || booking.status.isOpen else {
      throw Refusal.conflict("cancel.over")
    }
    var reschedule = StaffReschedule(time: BookingRequest(placement, nil))
    reschedule.time.chooseTime(RequestedTime.fields(context))
    return reschedule
  }

  /// Returns the text above the form. Uses a write transaction, because showing the patient's name
  /// adds an entry to their access log.
  static func about(_ found: Booking.ForStaff, _ context: Context) throws -> HTML? {
    let (booking, staff) = found
    return try context.write { context in
      let patient = try BookedPatient.find(of: booking, for: staff, context)
      let summary = try RequestedTime.summaryForStaff(besides: booking, context)
      return """
        \(patient?.heading)\(ReschedulePages.before(booking, context))\(summary)\
        \(patient?.notice("reception.move.told", context))\
        <input type="hidden" name="sequence" value="\(booking.sequence)">
        """
    }
  }

  /// Returns the alternatives: the same time in spite of another booking of the patient, or another
  /// time.
  static func alternatives(_ found: Booking.ForStaff, _ context: Context) throws -> [Choice] {
    let booking = found.booking
    guard booking.status.isOpen else { return [] }
    return try AlternativeTimes.choices(besides: booking, context) {
      try Booking.overlapping($0.span, of: booking.patient, besides: booking.id, in: context) != nil
    }
  }

  static func reschedule(
    _ reschedule: StaffReschedule, _ found: Booking.ForStaff, _ context: Context
  ) throws -> Path {
    let (booking, staff) = found
    try booking.checkUnchanged(context)
    let placement = try reschedule.time.placement(in: context)
    guard placement.doctor.id == booking.doctor else {
      throw Refusal.invalid("doctor", "booking.error.foreign-doctor")
    }
    let time = try RequestedTime.time(reschedule.time, at: placement, context)
    guard booking.status.isOpen else { throw Refusal.conflict("reception.changed") }
    if time.span == booking.span { throw Refusal.invalid("time", "move.same") }
    try BookingForPatient.checkOverlap(at: time, of: booking.patient, besides: booking.id, context)
    let rescheduled = try ClaimedTime.orConflict(context) {
      try booking.reschedule(to: time, by: staff, reason: reschedule.reason, context)
    }
    return rescheduled.changedDay(for: staff.reason)
  }
}
