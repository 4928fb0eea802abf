import PolyclinicCore

/// Changes to bookings. Each reads the stored state in its own transaction, so that one of two
/// concurrent changes wins, and each adds an entry to the history.
extension Booking {
  /// Books a time. The first transaction to claim its time units wins. Throws ``ClaimedTime/Taken``
  /// in all others, which must be rolled back.
  ///
  /// The caller adds the booking to the history with ``record(by:reason:sealedBy:in:)``, which
  /// needs the patient's keys. The reception may get these keys only because of an appointment, so
  /// the row must exist first.
  static func claim(
    _ time: Slot, of doctor: ID<Doctor>, for patient: ID<Person>, in work: Work
  ) throws -> Booking {
    try WaitingList.settle(doctor, in: work)
    let id: ID<Appointment> = try work.insert(
      """
      INSERT INTO appointments
        (person, created_at, doctor, status, starts_at, ends_at, time_zone, changed_at)
      VALUES (\(patient), \(work.now), \(doctor), 'booked', \(time.span.lowerBound),
        \(time.span.upperBound), \(time.zone.identifier), \(work.now))
      """)
    try ClaimedTime.claim(time.span, of: doctor, for: .appointment(id), in: work)
    return Booking(id, of: patient, with: doctor, at: time)
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
        called_at = CASE WHEN \(keepsCall) THEN called_at END, declined_at = NULL
      WHERE id_appointment = \(id)
      """)
    return try recordAnew(by: actor, reason: reason, sealedBy: keys, in: work)
  }

  /// Adds the booking's present state to its history.
  func record(by actor: HistoryEntry.Actor, reason: String = "", sealedBy keys: Keys, in work: Work)
    throws
  {
    try HistoryEntry.record(self, by: actor, reason: reason, sealedBy: keys, in: work)
  }

  private func recordAnew(
    by actor: HistoryEntry.Actor, reason: String, sealedBy keys: Keys, in work: Work
  ) throws -> Booking {
    guard let changed = try Booking.find(id, in: work) else { throw Refusal.notFound }
    try changed.record(by: actor, reason: reason, sealedBy: keys, in: work)
    return changed
  }
}

extension ClaimedTime.Holder {
  /// Returns the holder of an appointment's time.
  static func appointment(_ id: ID<Appointment>) -> Self { Self(appointment: Int(id.rawValue)) }
}
