import PolyclinicCore

/// The pages on which doctors run their own waiting lists.
enum DoctorQueuePages {
  /// Shows the doctor's own waiting list. Needs a write transaction, because showing names adds entries to the
  /// patients' access logs.
  static func show(_ context: Context) throws -> Response {
    try context.database.write { connection in
      guard let doctor = try SignedInDoctor.find(context, on: connection),
        let placement = try DoctorPlacement.find(doctor.id, on: connection)
      else { return .page(SignedInDoctor.notEntered("queue.title", context)) }
      let now = context.now
      let waitingList = try WaitingList.schedule(of: doctor.id, at: now, on: connection)
      let booked = try booked(placement, at: now, on: connection)
      let called = try Booking.called(of: doctor.id, at: now, on: connection)
      let patients = try ListedPatient.find(
        waitingList.people(at: now) + booked.map(\.patient), for: .care, context, on: connection
      )
      let queue = DoctorQueuePage(
        placement: placement, waitingList: waitingList, booked: booked, called: called,
        patients: patients,
        untold: try BookedPatient.untold(
          waitingList.waiting(at: now).map(\.ticket.person), for: .care, context, on: connection),
        details: try details(
          of: waitingList.treated(at: now)?.ticket.person ?? called?.patient, besides: called?.id,
          placement, context, on: connection),
        purpose: try called.flatMap { try purpose(of: $0, context, on: connection) } ?? "",
        joining: try JoiningHours.find(at: placement, at: now, on: connection),
        context: context)
      return AutoRefresh.keeping(.page(try queue.page), context)
    }
  }

  /// Returns the details of the patient who is treated; nil if none is, or if the doctor may not open them.
  private static func details(
    of person: ID<Person>?, besides booking: ID<Appointment>?, _ placement: DoctorPlacement,
    _ context: Context, on connection: Connection
  ) throws -> PatientDetails? {
    guard let person else { return nil }
    let keys = try context.keys(of: [person], for: .care, on: connection)
    return try keys[person].map {
      try PatientDetails.find(
        by: $0, visiting: placement.doctor.id, besides: booking, context, on: connection)
    }
  }

  /// Returns the patient's reason for the visit; nil if the doctor may not open it.
  private static func purpose(
    of booking: Booking, _ context: Context, on connection: Connection
  ) throws -> String? {
    try context.keys(of: [booking.patient], for: .care, on: connection)[booking.patient]
      .map { try booking.details(by: $0).purpose }
  }

  static func open(_ context: Context, _ connection: Connection) throws -> Path {
    try change(context, connection) { doctor in
      guard try DoctorPlacement.find(doctor.id, on: connection)?.isOpen == true else {
        throw Refusal.conflict("queue.disabled")
      }
      try WaitingList.open(
        doctor, slotMinutes: context.portal.settings.integer("slot_minutes"), at: context.now,
        on: connection)
    }
  }

  /// Calls the patient whose ticket is in the field `call`, which the page shows while nobody is treated. Otherwise ends
  /// the treatment of the ticket shown, and calls the next patient.
  static func callNext(_ context: Context, _ connection: Connection) throws -> Path {
    try change(context, connection) { doctor in
      if let ticket = ID<Ticket>(context.request.fields["call"]) {
        guard try Booking.called(of: doctor.id, at: context.now, on: connection) == nil else {
          throw Refusal.conflict("queue.call.other")
        }
        return try WaitingList.call(ticket, of: doctor.id, at: context.now, on: connection)
      }
      try WaitingList.finishAndCall(
        doctor.id, expecting: ID(context.request.fields["ticket"]), at: context.now, on: connection)
    }
  }

  static func finish(_ context: Context, _ connection: Connection) throws -> Path {
    try change(context, connection) { doctor in
      try WaitingList.finish(
        doctor.id, expecting: ID(context.request.fields["ticket"]), at: context.now, on: connection)
    }
  }

  /// Takes back the call of the ticket shown.
  static func undoCall(_ context: Context, _ connection: Connection) throws -> Path {
    try change(context, connection) { doctor in
      guard let ticket = ID<Ticket>(context.request.fields["ticket"]) else {
        throw Refusal.malformed
      }
      try WaitingList.undoCall(ticket, of: doctor.id, at: context.now, on: connection)
    }
  }

  /// Returns the ticket `{id}` and its doctor. Throws ``Refusal/notFound`` unless the doctor is the visitor.
  static func ownTicket(
    _ context: Context, on connection: Connection
  ) throws -> (ticket: Ticket, doctor: ID<Doctor>) {
    guard let own = try Ticket.find(context.id(), on: connection),
      try SignedInDoctor.find(context, on: connection)?.id == own.doctor
    else { throw Refusal.notFound }
    return own
  }

  /// Returns the question whether the patient with the ticket `{id}` did not come.
  static func unseenQuestion(_ context: Context) throws -> HTML {
    let ticket = try context.database.read { try ownTicket(context, on: $0).ticket }
    let number = context.formats.number(ticket.number)
    return "<p>\(context.text("queue.noshow.question", ["number": number]))</p>"
  }

  /// Ends the call of the ticket `{id}`, whose patient did not come.
  static func endUnseen(_ context: Context, _ connection: Connection) throws -> Path {
    try change(context, connection) { doctor in
      try WaitingList.finish(
        doctor.id, expecting: context.id(), as: .noshow, at: context.now, on: connection)
    }
  }

  /// Ends the call that the patient of the field `ticket` or `appointment` has declined, and calls the next patient.
  static func endDeclined(_ context: Context, _ connection: Connection) throws -> Path {
    try change(context, connection) { doctor in
      if let id = ID<Ticket>(context.request.fields["ticket"]) {
        guard try Ticket.find(id, on: connection)?.ticket.isDeclined == true else {
          throw Refusal.conflict("queue.call.other")
        }
        return try WaitingList.finishAndCall(
          doctor.id, expecting: id, as: .left, at: context.now, on: connection)
      }
      try booking(of: doctor, context, on: connection)
        .endDeclined(by: .doctor(context), context, on: connection)
    }
  }

  /// Returns the doctor's booking whose ID is in the field `appointment`.
  private static func booking(
    of doctor: Doctor, _ context: Context, on connection: Connection
  ) throws -> Booking {
    guard let id = ID<Appointment>(context.request.fields["appointment"]),
      let booking = try Booking.find(id, on: connection), booking.doctor == doctor.id
    else { throw Refusal.notFound }
    return booking
  }

  /// Calls the booked patient whose appointment is in the field `appointment`, while nobody is seen.
  static func callBooked(_ context: Context, _ connection: Connection) throws -> Path {
    try change(context, connection) { doctor in
      try booking(of: doctor, context, on: connection).call(context, on: connection)
    }
  }

  static func change(
    _ context: Context, _ connection: Connection, _ body: (Doctor) throws -> Void
  ) throws -> Path {
    guard let doctor = try SignedInDoctor.find(context, on: connection) else {
      throw Refusal.conflict("queue.none")
    }
    try body(doctor)
    try WaitingList.sendPendingNotices(by: context.portal, on: connection)
    return "queue"
  }

  /// Returns today's appointments whose patients have arrived and wait for a call.
  static func arrived(
    _ placement: DoctorPlacement, at now: Instant, on connection: Connection
  ) throws -> [Booking] {
    let called = try Booking.called(of: placement.doctor.id, at: now, on: connection)
    return try booked(placement, at: now, on: connection)
      .filter { $0.status == .arrived && $0.id != called?.id }
  }

  /// Returns today's appointments that are not over, without the cancelled and completed ones. A patient who has arrived
  /// is still there after the booked time.
  static func booked(
    _ placement: DoctorPlacement, at now: Instant, on connection: Connection
  ) throws -> [Booking] {
    let around = now - .days(1)..<now + .days(1)
    return try Booking.open(of: placement.doctor.id, within: around, on: connection).filter {
      placement.local($0.span.lowerBound).date == placement.local(now).date
        && ($0.span.upperBound > now || $0.status == .arrived)
    }
  }
}
