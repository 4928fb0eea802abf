import PolyclinicCore

/// The call of a patient with an appointment, whom the doctor sees before the patients of the waiting list.
extension Booking {
  /// Stores the call, which the display shows, and notifies the patient. The waiting list calls nobody for the length of
  /// the appointment.
  ///
  /// Throws ``Refusal/conflict(_:)`` if the patient has not arrived, or if another patient is being seen.
  func call(_ context: Context, on connection: Connection) throws {
    let now = context.now
    guard status == .arrived, try Booking.called(of: doctor, at: now, on: connection) == nil else {
      throw Refusal.conflict("queue.call.other")
    }
    try WaitingList.pauseCalls(
      of: doctor, for: span.upperBound - span.lowerBound, at: now, on: connection)
    try connection.run(
      "UPDATE appointments SET called_at = \(now) WHERE id_appointment = \(id)")
    guard let placement = try DoctorPlacement.find(doctor, on: connection) else { return }
    let values = ["doctor": try placement.doctor.name.value(by: context.portal.keys)]
    try context.portal.notify(
      patient,
      Notice(
        .waitingList, Text("notice.called.booked", values: values), leadingTo: "\(id)",
        once: "called-\(id)-\(now.seconds)",
        mail: Notice.Mail(subject: "notice.called.subject", body: "notice.called.booked.body"),
        expires: now + .hours(1)),
      on: connection)
  }

  /// Stores that the called patient cannot come, and tells the doctor.
  ///
  /// Throws ``Refusal/conflict(_:)`` if the patient is not called any more, or has declined already.
  func decline(_ context: Context, on connection: Connection) throws {
    try requireCallToDecline(at: context.now, on: connection)
    try connection.run(
      "UPDATE appointments SET declined_at = \(context.now) WHERE id_appointment = \(id)")
    guard let person = try Doctor.find(doctor, on: connection)?.person else { return }
    let time = Text.Value.moment(span.lowerBound, in: zone, context.portal)
    let notice = Notice(
      .waitingList, Text("notice.declined.booked", values: ["time": time]), leadingTo: "queue",
      once: "declined-\(id)-\(sequence)", expires: context.now + .hours(1))
    try context.portal.notify(person, notice, on: connection)
  }

  /// Throws ``Refusal/conflict(_:)`` if there is no call that the patient can decline.
  func requireCallToDecline(at now: Instant, on connection: Connection) throws {
    guard try Booking.called(of: doctor, at: now, on: connection)?.id == id else {
      throw Refusal.conflict("decline.over")
    }
    if isDeclined { throw Refusal.conflict("decline.done-before") }
  }

  /// Cancels the booking of a called patient who cannot come, and calls the next patient of the waiting list if there is
  /// time for a whole treatment. Throws ``Refusal/conflict(_:)`` if the patient has not declined the present call.
  func endDeclined(by staff: Staff, _ context: Context, on connection: Connection) throws {
    guard isDeclined, try Booking.called(of: doctor, at: context.now, on: connection)?.id == id
    else { throw Refusal.conflict("queue.call.other") }
    try setStatus(.cancelled, by: staff, context, on: connection)
    try EarlierTimeAlert.send(forReleaseOf: self, context.portal, on: connection)
    try WaitingList.callNext(of: doctor, at: context.now, on: connection)
  }

  /// Returns the booked patient whom the doctor has called today and not finished with; nil if there is none, or if a
  /// patient of the waiting list was called after them.
  static func called(
    of doctor: ID<Doctor>, at now: Instant, on connection: Connection
  ) throws -> Booking? {
    let isOther =
      try WaitingList.schedule(of: doctor, at: now, on: connection).treated(at: now) != nil
    if isOther { return nil }
    return try connection.row(
      """
      SELECT \(columns) FROM appointments
      WHERE doctor = \(doctor) AND status = 'arrived' AND starts_at > \(now - .days(1))
        AND starts_at < \(now + .days(1)) AND appointments.called_at > \(now - .hours(12))
        AND NOT EXISTS (
          SELECT 1 FROM appointments_tickets JOIN appointments_sessions AS sessions ON id_session = session
          WHERE sessions.doctor = appointments.doctor
            AND appointments_tickets.called_at > appointments.called_at)
      ORDER BY appointments.called_at DESC LIMIT 1
      """, Booking.init)
  }
}
