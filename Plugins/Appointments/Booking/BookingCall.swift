import PolyclinicCore

/// The call of a patient with an appointment, whom the doctor sees before the patients of the
/// waiting list.
extension Booking {
  /// Stores the call, which the display shows, and notifies the patient. The waiting list calls
  /// nobody for the length of the appointment.
  ///
  /// Throws ``Refusal/conflict(_:)`` if the patient has not arrived, or if another patient is being
  /// seen.
  func call(_ context: Context) throws {
    let now = context.now
    guard status == .arrived, try Booking.called(of: doctor, in: context) == nil else {
      throw Refusal.conflict("queue.call.other")
    }
    try WaitingList.pauseCalls(of: doctor, for: span.upperBound - span.lowerBound, in: context)
    try context.run(
      "UPDATE appointments SET called_at = \(now) WHERE id_appointment = \(id)")
    guard let placement = try DoctorPlacement.find(doctor, in: context) else { return }
    let values = ["doctor": try placement.doctor.name.value(by: context.portal.keys)]
    try context.portal.notify(
      patient,
      Notice(
        .waitingList, Text("notice.called.booked", values: values), leadingTo: path,
        subject: "\(id)", once: "called-\(id)-\(now.seconds)",
        mail: Notice.Mail(subject: "notice.called.subject", body: "notice.called.booked.body"),
        expires: now + .hours(1)),
      in: context)
  }

  /// Stores that the called patient cannot come, and tells the doctor. The caller has checked in
  /// the same transaction that there is a call to decline.
  func decline(_ context: Context) throws {
    try context.run(
      "UPDATE appointments SET declined_at = \(context.now) WHERE id_appointment = \(id)")
    guard let person = try Doctor.find(doctor, in: context)?.person else { return }
    let time = Text.Value.moment(span.lowerBound, in: zone, context.portal)
    let notice = Notice(
      .waitingList, Text("notice.declined.booked", values: ["time": time]),
      leadingTo: DoctorQueuePage.path,
      once: "declined-\(id)-\(sequence)", expires: context.now + .hours(1))
    try context.portal.notify(person, notice, in: context)
  }

  /// Throws ``Refusal/conflict(_:)`` if the patient is not called any more, or has declined
  /// already.
  func requireCallToDecline(in work: Work) throws {
    guard try Booking.called(of: doctor, in: work)?.id == id else {
      throw Refusal.conflict("decline.over")
    }
    if isDeclined { throw Refusal.conflict("decline.done-before") }
  }

  /// Cancels the booking of a called patient who cannot come, and calls the next patient of the
  /// waiting list if there is time for a whole treatment. Throws ``Refusal/conflict(_:)`` if the
  /// patient has not declined the present call.
  func endDeclined(by staff: Staff, _ context: Context) throws {
    guard isDeclined, try Booking.called(of: doctor, in: context)?.id == id
    else { throw Refusal.conflict("queue.call.other") }
    try setStatus(.cancelled, by: staff, context)
    try tellWaiting(context.portal, in: context)
    try WaitingList.callNext(of: doctor, in: context)
  }

  /// Returns the booked patient whom the doctor has called today and not finished with; nil if
  /// there is none, or if a patient of the waiting list was called after them.
  static func called(of doctor: ID<Doctor>, in work: Work) throws -> Booking? {
    try called(of: [doctor], in: work)[doctor]
  }

  /// Returns the called patients of several doctors. Runs at most four statements for all of them.
  static func called(of doctors: [ID<Doctor>], in work: Work) throws -> [ID<Doctor>: Booking] {
    var called: [ID<Doctor>: Booking] = [:]
    try work.forEach(
      """
      SELECT \(columns) FROM appointments
      WHERE doctor IN \(list: doctors) AND status = 'arrived'
        AND starts_at > \(work.now - .days(1)) AND starts_at < \(work.now + .days(1))
        AND appointments.called_at > \(work.now - .hours(12))
        AND NOT EXISTS (
          SELECT 1 FROM appointments_tickets JOIN appointments_sessions AS sessions ON id_session = session
          WHERE sessions.doctor = appointments.doctor
            AND appointments_tickets.called_at > appointments.called_at)
      ORDER BY appointments.called_at, id_appointment
      """
    ) {
      let booking = try Booking($0)
      called[booking.doctor] = booking
    }
    if called.isEmpty { return [:] }
    let schedules = try WaitingList.schedules(ofDoctors: called.keys.sorted(), in: work)
    return called.filter { schedules[$0.key]?.treated(at: work.now) == nil }
  }
}
