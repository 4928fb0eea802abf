import PolyclinicCore

/// Changes to bookings. Each reads the stored state in its own transaction, so that one of two
/// concurrent changes wins, and each adds an entry to the history.
extension Booking {
  /// Books a time. The first transaction to claim its time units wins. Throws ``ClaimedTime/Taken``
  /// in all others, which must be rolled back.
  ///
  /// The caller adds the booking to the history with ``record(by:reason:sealedBy:in:)``, which
  /// needs the patient's keys. The reception may get these keys only because of an appointment, so
  /// the row must exist first, and gets its details by ``write(purpose:in:)``.
  static func claim(
    _ time: Slot, of doctor: ID<Doctor>, for patient: ID<Person>,
    details: (keys: Keys, values: Details)? = nil, in work: Work
  ) throws -> Booking {
    try WaitingList.settle(doctor, in: work)
    var sealed: Sealed?
    let id = try work.insert(numberedIn: "appointments") { (id: ID<Appointment>) in
      sealed = try details.flatMap { try seal($0.values, of: id, by: $0.keys) }
      return """
        INSERT INTO appointments (id_appointment, person, created_at, doctor, status, starts_at,
          ends_at, time_zone, changed_at, sealed)
        VALUES (\(id), \(patient), \(work.now), \(doctor), 'booked', \(time.span.lowerBound),
          \(time.span.upperBound), \(time.zone.identifier), \(work.now), \(sealed))
        """
    }
    try ClaimedTime.claim(time.span, of: doctor, for: .appointment(id), in: work)
    return Booking(id, of: patient, with: doctor, at: time, sealed)
  }

  /// Reschedules the booking to another time, of the same doctor or of another, and returns the
  /// rescheduled booking. Throws ``ClaimedTime/Taken`` if that time is taken.
  @discardableResult
  func reschedule(
    to time: Slot, of doctor: ID<Doctor>? = nil, by actor: HistoryEntry.Actor,
    reason: String = "", sealedBy keys: Keys, in work: Work
  ) throws -> Booking {
    let doctor = doctor ?? self.doctor
    for one in Set([self.doctor, doctor]) { try WaitingList.settle(one, in: work) }
    try ClaimedTime.release(.appointment(id), in: work)
    try ClaimedTime.claim(time.span, of: doctor, for: .appointment(id), in: work)
    try work.run(
      """
      UPDATE appointments SET doctor = \(doctor), status = 'booked',
        starts_at = \(time.span.lowerBound), ends_at = \(time.span.upperBound),
        time_zone = \(time.zone.identifier), sequence = sequence + 1, changed_at = \(work.now),
        reminded = 0, called_at = NULL, declined_at = NULL
      WHERE id_appointment = \(id)
      """)
    return try recordAnew(by: actor, reason: reason, sealedBy: keys, in: work)
  }

  /// Sets another status and returns the changed booking. The caller has checked that the status
  /// may follow.
  ///
  /// - An appointment that is cancelled or missed releases the rest of its time. One whose patient
  ///   was seen keeps it, so that nobody is called by itself and the status can be undone, until
  ///   the doctor calls the next patient.
  /// - One that is open again, because it is booked again or the patient arrived late, claims its
  ///   time again. Throws ``ClaimedTime/Taken`` if that time is taken.
  @discardableResult
  func setStatus(
    _ status: Appointment.Status, by actor: HistoryEntry.Actor, reason: String = "",
    sealedBy keys: Keys, in work: Work
  ) throws -> Booking {
    try WaitingList.settle(doctor, in: work)
    switch status {
    case .booked, .arrived:
      try ClaimedTime.release(.appointment(id), in: work)
      try ClaimedTime.claim(span, of: doctor, for: .appointment(id), in: work)
    case .fulfilled: break
    case .cancelled, .noshow:
      try ClaimedTime.release(.appointment(id), from: work.now, in: work)
    }
    // A completed visit that is taken back goes on.
    let keepsCall = status == .fulfilled || status == .arrived && self.status == .fulfilled
    try work.run(
      """
      UPDATE appointments SET status = \(status.rawValue), sequence = sequence + 1,
        changed_at = \(work.now),
        called_at = \(keepsCall ? "called_at" : "NULL" as SQL), declined_at = NULL
      WHERE id_appointment = \(id)
      """)
    return try recordAnew(by: actor, reason: reason, sealedBy: keys, in: work)
  }

  private func recordAnew(
    by actor: HistoryEntry.Actor, reason: String, sealedBy keys: Keys, in work: Work
  ) throws -> Booking {
    guard let changed = try Booking.find(id, in: work) else { throw Refusal.notFound }
    try changed.record(by: actor, reason: reason, sealedBy: keys, in: work)
    return changed
  }
}

/// Changes by the patient.
extension Booking {
  /// False if the booking has changed since the page was shown from which the request comes.
  func isAsShown(_ context: Context) -> Bool {
    let shown = context.request.fields["sequence"]
    return shown.isEmpty || shown == String(sequence)
  }

  /// Throws ``Refusal/conflict(_:)`` if the booking has changed since the page was shown.
  func checkUnchanged(_ context: Context) throws {
    guard isAsShown(context) else { throw Refusal.conflict("move.changed") }
  }

  /// Returns the visitor's own booking with the ID `{id}`. Throws ``Refusal/notFound`` if there is
  /// none.
  static func own(_ context: Context) throws -> Booking {
    let booking = try find(context.id(), of: context.keys.person, in: context)
    guard let booking else { throw Refusal.notFound }
    return booking
  }

  /// Returns the reason why the patient cannot change the booking any more; nil if the patient
  /// still can.
  func reasonAgainstChange(_ context: Context) throws -> Text? {
    if isCalled { return "cancel.called" }
    guard status == .booked, span.lowerBound > context.now else {
      return status == .cancelled ? "cancel.done-before" : "cancel.over"
    }
    if try canChange(context) { return nil }
    let hours = try context.portal.settings.integer("cancel_until_hours")
    return BookingText.tooLate(
      by: hours, try DoctorPlacement.find(doctor, in: context)?.clinic)
  }

  /// Returns true if the patient can still move and cancel the booking.
  func canChange(_ context: Context) throws -> Bool {
    if isCalled || status != .booked || span.lowerBound <= context.now { return false }
    let hours = try context.portal.settings.integer("cancel_until_hours")
    return context.now + .hours(hours) <= span.lowerBound
  }

  /// Returns the page that says why the patient cannot change the booking any more; nil if the
  /// patient still can.
  func refusal(_ title: Text, _ context: Context) throws -> Response? {
    try reasonAgainstChange(context).map {
      .page(Page(title, context.notice(.problem, $0), back: path), status: 409)
    }
  }

  /// Cancels the patient's own booking, and notifies the patients who wait for an earlier time.
  /// Throws ``Refusal/conflict(_:)`` if the patient cannot cancel it, or if it has changed since
  /// the page was shown.
  func cancelOwn(reason: String = "", _ context: Context) throws {
    if let reason = try reasonAgainstChange(context) { throw Refusal.conflict(reason) }
    try checkUnchanged(context)
    let cancelled = try setStatus(
      .cancelled, by: .own(context), reason: reason, sealedBy: context.keys, in: context)
    try cancelled.confirm(.cancelled, from: context)
    try tellWaiting(context.portal, in: context)
  }
}

extension ClaimedTime.Holder {
  /// Returns the holder of an appointment's time.
  static func appointment(_ id: ID<Appointment>) -> Self { Self(appointment: Int(id.rawValue)) }
}
