import PolyclinicCore

/// A booking by staff for a patient: the checks and the change, for new bookings and follow-ups.
enum BookingForPatient {
  /// Returns the requested doctor and time if this member of staff may book them. Doctors may book
  /// with themselves, receptionists with any doctor of a clinic at whose reception they work.
  /// Throws ``Refusal/invalid(_:_:)`` otherwise.
  static func find(
    _ request: BookingRequest, by staff: Booking.Staff, _ context: Context
  ) throws -> (DoctorPlacement, Slot) {
    let placement = try request.placement(in: context)
    guard try staff.canBook(with: placement.doctor.id, in: context) else {
      throw Refusal.invalid("doctor", "reception.foreign-doctor")
    }
    return (placement, try RequestedTime.time(request, at: placement, context))
  }

  /// Books for a patient, who gets a notice and can read of it in the access log. If the patient
  /// has this time already, as after a second press, leads to the appointment. Throws
  /// ``Refusal/conflict(_:)`` if the patient has another booking then and the form has not pointed
  /// it out yet.
  static func book(
    _ request: BookingRequest, _ time: Slot, with doctor: ID<Doctor>,
    for patient: ID<Person>, by staff: Booking.Staff, _ context: Context
  ) throws -> Path {
    if let own = try Booking.at(time, of: patient, with: doctor, in: context) {
      return "\(own.id)"
    }
    try checkOverlap(at: time, of: patient, context)
    let booking = try ClaimedTime.orConflict(context) {
      try Booking.claim(time, of: doctor, for: patient, in: context)
    }
    // The appointment gives the reception access to the patient's data, so it is inserted first.
    try context.recordChange(
      booking.logText("log.booked", context.portal), of: [patient], for: staff.reason)
    let works = try context.of([patient], for: staff.reason)
    guard let work = works[patient] else { throw Refusal.notFound }
    try finish(booking, request, by: staff, sealedBy: work.keys, context)
    try booking.notifyPatient("notice.booked", from: context)
    return booking.changedDay(for: staff.reason)
  }

  /// Returns a notice that the patient has an appointment with the requested doctor on the
  /// requested day already; nil if they have none. Booking stays possible, because some visits need
  /// two times.
  static func sameDay(
    of patient: ID<Person>, as staff: Booking.Staff, _ context: Context
  ) throws -> HTML? {
    guard let (placement, time) = try RequestedTime.find(context),
      try staff.canBook(with: placement.doctor.id, in: context)
    else { return nil }
    let zone = placement.clinic.zone
    let date = placement.local(time.span.lowerBound).date
    let (start, end) = (zone.start(of: date), zone.start(of: date.adding(days: 1)))
    guard start < end else { return nil }
    let times = try Booking.ahead(of: patient, with: placement.doctor.id, in: context.at(start))
      .filter { $0.span.lowerBound < end && !$0.span.overlaps(time.span) }
      .map { BookingText.time(Slot(span: $0.span, zone: $0.zone), context) }
    if times.isEmpty { return nil }
    let values = ["times": times.joined(separator: ", ")]
    return .notice(
      .remark, "<p>\(context.text("reception.same-day", values))</p>", as: .warning)
  }

  /// Throws ``Refusal/conflict(_:)`` if staff books for a patient who has another booking at that
  /// time, and the form has not pointed it out yet.
  static func checkOverlap(
    at time: Slot, of patient: ID<Person>, besides id: ID<Appointment>? = nil,
    _ context: Context
  ) throws {
    if Overlap.isAcknowledged(at: time, context.request.fields) { return }
    if try Booking.overlapping(time.span, of: patient, besides: id, in: context) != nil {
      throw Refusal.conflict("reception.overlap")
    }
  }

  /// Stores the purpose and the first entry of the history.
  static func finish(
    _ booking: Booking, _ request: BookingRequest, by staff: Booking.Staff, sealedBy keys: Keys,
    _ context: Context
  ) throws {
    if !request.purpose.isEmpty {
      try Booking.write(
        Booking.Details(purpose: request.purpose), to: booking.id, in: context.with(keys))
    }
    try booking.record(by: staff.actor, sealedBy: keys, in: context)
  }
}
