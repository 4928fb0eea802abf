import PolyclinicCore

/// Changes of bookings. Each looks at what is stored in its own transaction, so that of two changes at
/// once one wins, and each adds a line to the history.
extension Booking {
  /// Books a time. Whoever claims its grains first has it: throws ``DoctorTime/Taken`` for all others,
  /// whose transaction is to be undone.
  ///
  /// It is not in the history yet, so that the desk, which may see a patient only because of an
  /// appointment, can ask for the keys that ``record(by:reason:sealedBy:at:on:)`` needs.
  static func claim(
    _ time: BookableTime, of doctor: ID<Doctor>, for patient: ID<Person>, at now: Instant,
    on connection: Connection
  ) throws -> Booking {
    try WaitingList.settle(doctor, at: now, on: connection)
    let id: ID<Appointment> = try connection.insert(
      """
      INSERT INTO appointments
        (person, created_at, doctor, status, starts_at, ends_at, time_zone, changed_at)
      VALUES (\(patient), \(now), \(doctor), 'booked', \(time.span.lowerBound),
        \(time.span.upperBound), \(time.zone.identifier), \(now))
      """)
    try DoctorTime.claim(time.span, of: doctor, for: .appointment(id), on: connection)
    return Booking(id, of: patient, with: doctor, at: time)
  }

  /// Moves it to another time of the same doctor, or of another, and returns the moved booking;
  /// throws ``DoctorTime/Taken`` when somebody has that.
  @discardableResult
  func move(
    to time: BookableTime, of doctor: ID<Doctor>? = nil, by actor: AppointmentEvent.Actor,
    reason: String = "", sealedBy keys: Keys, at now: Instant, on connection: Connection
  ) throws -> Booking {
    let doctor = doctor ?? self.doctor
    for one in Set([self.doctor, doctor]) { try WaitingList.settle(one, at: now, on: connection) }
    try DoctorTime.release(.appointment(id), on: connection)
    try DoctorTime.claim(time.span, of: doctor, for: .appointment(id), on: connection)
    try connection.run(
      """
      UPDATE appointments SET doctor = \(doctor), status = 'booked',
        starts_at = \(time.span.lowerBound), ends_at = \(time.span.upperBound),
        time_zone = \(time.zone.identifier), sequence = sequence + 1, changed_at = \(now),
        reminded = 0
      WHERE id_appointment = \(id)
      """)
    return try recordAnew(by: actor, reason: reason, sealedBy: keys, at: now, on: connection)
  }

  /// Gives it another state, and returns what it is then. What is over gives the rest of its time back,
  /// and what is not over after all, whether booked again or arrived late, takes it again; throws
  /// ``DoctorTime/Taken`` when somebody has that.
  /// The caller has seen to it that the state may follow.
  @discardableResult
  func become(
    _ status: Appointment.Status, by actor: AppointmentEvent.Actor, reason: String = "",
    sealedBy keys: Keys, at now: Instant, on connection: Connection
  ) throws -> Booking {
    try WaitingList.settle(doctor, at: now, on: connection)
    switch status {
    case .booked, .arrived:
      try DoctorTime.release(.appointment(id), on: connection)
      try DoctorTime.claim(span, of: doctor, for: .appointment(id), on: connection)
    case .fulfilled, .cancelled, .noshow:
      try DoctorTime.release(.appointment(id), from: now, on: connection)
    }
    try connection.run(
      """
      UPDATE appointments SET status = \(status.rawValue), sequence = sequence + 1,
        changed_at = \(now)
      WHERE id_appointment = \(id)
      """)
    return try recordAnew(by: actor, reason: reason, sealedBy: keys, at: now, on: connection)
  }

  /// Writes what it has become into its history.
  func record(
    by actor: AppointmentEvent.Actor, reason: String = "", sealedBy keys: Keys, at now: Instant,
    on connection: Connection
  ) throws {
    try AppointmentEvent.record(
      self, by: actor, reason: reason, sealedBy: keys, at: now, on: connection)
  }

  private func recordAnew(
    by actor: AppointmentEvent.Actor, reason: String, sealedBy keys: Keys, at now: Instant,
    on connection: Connection
  ) throws -> Booking {
    guard let changed = try Booking.find(id, on: connection) else { throw Refusal.notFound }
    try changed.record(by: actor, reason: reason, sealedBy: keys, at: now, on: connection)
    return changed
  }
}
