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
          SELECT 1 FROM appointments_tickets JOIN appointments_desks AS desks ON id_desk = desk
          WHERE desks.doctor = appointments.doctor
            AND appointments_tickets.called_at > appointments.called_at)
      ORDER BY appointments.called_at DESC LIMIT 1
      """, Booking.init)
  }
}
