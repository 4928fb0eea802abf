import PolyclinicCore

/// The pages on which doctors run their own waiting lists.
enum DoctorQueuePages {
  /// Shows the doctor's own waiting list. Needs a write transaction, because showing names adds
  /// entries to the patients' access logs.
  static func show(_ context: Context) throws -> Response {
    try context.write { context in
      guard let placement = try SignedInDoctor.placementIfEntered(context)
      else { return .page(SignedInDoctor.notEntered("queue.title", context)) }
      let doctor = placement.doctor
      let now = context.now
      let waitingList = try WaitingList.schedule(of: doctor.id, in: context)
      let booked = try booked(placement, in: context)
      let called = try Booking.called(of: doctor.id, in: context)
      let patients = try Portal.ListedPerson.patients(
        waitingList.people(at: now) + booked.map(\.patient), for: .care, context)
      let queue = DoctorQueuePage(
        placement: placement, waitingList: waitingList, booked: booked, called: called,
        patients: patients,
        untold: try BookedPatient.untold(
          waitingList.waiting(at: now).map(\.ticket.person), for: .care, context),
        details: try details(
          of: waitingList.treated(at: now)?.ticket.person ?? called?.patient, besides: called?.id,
          placement, context),
        purpose: try called.flatMap { try purpose(of: $0, context) } ?? "",
        joining: try JoiningHours.find(at: placement, in: context),
        context: context)
      return AutoRefresh.keeping(.page(try queue.page), context)
    }
  }

  /// Returns the details of the patient who is treated; nil if none is, or if the doctor may not
  /// open them.
  private static func details(
    of person: ID<Person>?, besides booking: ID<Appointment>?, _ placement: DoctorPlacement,
    _ context: Context
  ) throws -> PatientDetails? {
    guard let person else { return nil }
    return try context.of([person], for: .care)[person].map {
      try PatientDetails.find(visiting: placement.doctor.id, besides: booking, context, in: $0)
    }
  }

  /// Returns the patient's reason for the visit; nil if the doctor may not open it.
  private static func purpose(
    of booking: Booking, _ context: Context
  ) throws -> String? {
    try context.of([booking.patient], for: .care)[booking.patient]
      .map { try booking.details(by: $0.keys).purpose }
  }

  static func open(_ context: Context) throws -> Path {
    try change(context) { doctor in
      guard try DoctorPlacement.find(doctor.id, in: context)?.isOpen == true else {
        throw Refusal.conflict("queue.disabled")
      }
      try WaitingList.open(
        doctor, slotMinutes: context.portal.settings.integer("slot_minutes"), in: context)
    }
  }

  /// Calls the patient whose ticket is in the field `call`, which the page shows while nobody is
  /// treated. Otherwise ends the treatment of the ticket shown, and calls the next patient.
  static func callNext(_ context: Context) throws -> Path {
    try change(context) { doctor in
      if let ticket = ID<Ticket>(context.request.fields["call"]) {
        guard try Booking.called(of: doctor.id, in: context) == nil else {
          throw Refusal.conflict("queue.call.other")
        }
        return try WaitingList.call(ticket, of: doctor.id, in: context)
      }
      try WaitingList.finishAndCall(
        doctor.id, expecting: ID(context.request.fields["ticket"]), in: context)
    }
  }

  static func finish(_ context: Context) throws -> Path {
    try change(context) { doctor in
      try WaitingList.finish(
        doctor.id, expecting: ID(context.request.fields["ticket"]), in: context)
    }
  }

  /// Takes back the call of the ticket shown.
  static func undoCall(_ context: Context) throws -> Path {
    try change(context) { doctor in
      guard let ticket = ID<Ticket>(context.request.fields["ticket"]) else {
        throw Refusal.malformed
      }
      try WaitingList.undoCall(ticket, of: doctor.id, in: context)
    }
  }

  /// Returns the question whether the patient with the ticket `{id}` did not come.
  static func unseenQuestion(_ context: Context) throws -> HTML {
    let ticket = try Ticket.ofDoctor(context).ticket
    let number = context.formats.number(ticket.number)
    return "<p>\(context.text("queue.noshow.question", ["number": number]))</p>"
  }

  /// Ends the call of the ticket `{id}`, whose patient did not come.
  static func endUnseen(_ context: Context) throws -> Path {
    try change(context) { doctor in
      try WaitingList.finish(doctor.id, expecting: context.id(), as: .noshow, in: context)
    }
  }

  /// Ends the call that the patient of the field `ticket` or `appointment` has declined, and calls
  /// the next patient.
  static func endDeclined(_ context: Context) throws -> Path {
    try change(context) { doctor in
      if let id = ID<Ticket>(context.request.fields["ticket"]) {
        guard try Ticket.find(id, in: context)?.ticket.isDeclined == true else {
          throw Refusal.conflict("queue.call.other")
        }
        return try WaitingList.finishAndCall(doctor.id, expecting: id, as: .left, in: context)
      }
      try booking(of: doctor, context)
        .endDeclined(by: .doctor(context), context)
    }
  }

  /// Returns the doctor's booking whose ID is in the field `appointment`.
  private static func booking(
    of doctor: Doctor, _ context: Context
  ) throws -> Booking {
    guard let id = ID<Appointment>(context.request.fields["appointment"]),
      let booking = try Booking.find(id, in: context), booking.doctor == doctor.id
    else { throw Refusal.notFound }
    return booking
  }

  /// Calls the booked patient whose appointment is in the field `appointment`, while nobody is
  /// seen.
  static func callBooked(_ context: Context) throws -> Path {
    try change(context) { doctor in
      try booking(of: doctor, context).call(context)
    }
  }

  static func change(
    _ context: Context, _ body: (Doctor) throws -> Void
  ) throws -> Path {
    guard let doctor = try SignedInDoctor.find(context) else {
      throw Refusal.conflict("queue.none")
    }
    try body(doctor)
    try WaitingList.sendPendingNotices(by: context.portal, in: context)
    return "queue"
  }

  /// Returns today's appointments whose patients have arrived and wait for a call.
  static func arrived(
    _ placement: DoctorPlacement, in work: Work
  ) throws -> [Booking] {
    let called = try Booking.called(of: placement.doctor.id, in: work)
    return try booked(placement, in: work)
      .filter { $0.status == .arrived && $0.id != called?.id }
  }

  /// Returns today's appointments that are not over, without the cancelled and completed ones. A
  /// patient who has arrived is still there after the booked time.
  static func booked(
    _ placement: DoctorPlacement, in work: Work
  ) throws -> [Booking] {
    let around = work.now - .days(1)..<work.now + .days(1)
    return try Booking.open(of: placement.doctor.id, within: around, in: work).filter {
      placement.local($0.span.lowerBound).date == placement.local(work.now).date
        && ($0.span.upperBound > work.now || $0.status == .arrived)
    }
  }
}
