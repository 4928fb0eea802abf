import PolyclinicCore

extension ClaimedTime {
  /// Returns the booked and the held time within `span`, in order; adjacent spans are merged.
  static func booked(
    of doctor: ID<Doctor>, within span: Range<Instant>, in work: Work
  ) throws -> [Range<Instant>] {
    try booked(of: [doctor], within: span, in: work)[doctor] ?? []
  }

  /// Returns the booked and the held time of several doctors within `span`, in order; adjacent spans
  /// are merged.
  ///
  /// Held time counts until it is released, even if it is overdue, because two calls at different
  /// times must agree about the past.
  static func booked(
    of doctors: [ID<Doctor>], within span: Range<Instant>, in work: Work
  ) throws -> [ID<Doctor>: [Range<Instant>]] {
    let units = units(of: span)
    var booked: [ID<Doctor>: [Range<Instant>]] = [:]
    try work.forEach(
      """
      SELECT doctor, unit FROM appointments_claimed_units
      WHERE doctor IN \(list: doctors) AND ticket IS NULL
        AND unit >= \(units.lowerBound) AND unit < \(units.upperBound)
      ORDER BY doctor, unit
      """
    ) { row in
      let (doctor, start) = (row.id(0) as ID<Doctor>, Instant(Int64(row.int(1)) * unit.count))
      var spans = booked[doctor] ?? []
      if let last = spans.last, last.upperBound == start {
        spans[spans.count - 1] = last.lowerBound..<start + unit
      } else {
        spans.append(start..<start + unit)
      }
      booked[doctor] = spans
    }
    return booked
  }

  /// Releases the rest of the time of appointments whose patients have been seen, some of them
  /// early, because the doctor calls the next patient into it.
  static func releaseSeen(of doctor: ID<Doctor>, in work: Work) throws {
    let units = units(of: work.now..<work.now + .days(1))
    try work.run(
      """
      DELETE FROM appointments_claimed_units
      WHERE doctor = \(doctor) AND unit >= \(units.lowerBound) AND unit < \(units.upperBound)
        AND appointment IN (
          SELECT id_appointment FROM appointments
          WHERE doctor = \(doctor) AND status = 'fulfilled'
            AND starts_at > \(work.now - .days(1)) AND starts_at <= \(work.now + .days(1)))
      """)
  }

  /// Claims the time of a treatment, so that it cannot be booked.
  ///
  /// Treatments begin at any minute, one at the end of the other, so two may touch the same
  /// five-minute unit. The earlier one keeps it. Throws ``Taken`` if a part of the time is
  /// booked or held.
  static func claimTreatment(
    _ span: Range<Instant>, of doctor: ID<Doctor>, for ticket: ID<Ticket>, in work: Work
  ) throws {
    guard try booked(of: doctor, within: span, in: work).isEmpty else { throw Taken() }
    for unit in units(of: span) {
      try work.run(
        """
        INSERT INTO appointments_claimed_units (doctor, unit, ticket)
        VALUES (\(doctor), \(unit), \(ticket)) ON CONFLICT (doctor, unit) DO NOTHING
        """)
    }
  }
}

extension ClaimedTime.Holder {
  /// Returns the holder of a treatment's time.
  static func ticket(_ id: ID<Ticket>) -> Self { Self(ticket: Int(id.rawValue)) }
}

extension HeldTime {
  /// The interval between two searches for overdue ones.
  private static let pause = Seconds.minutes(1)

  /// Frees all times that were held for too long, after it has stored the calls that are due until
  /// now. Returns the time of the next run.
  static func keepUp(_ portal: Portal) throws -> Instant {
    let doctors = try portal.read { work in
      try work.rows(
        "SELECT DISTINCT doctor FROM appointments_held_times WHERE expires_at <= \(work.now)"
      ) { $0.id(0) as ID<Doctor> }
    }
    for doctor in doctors {
      try portal.write { work in
        try WaitingList.settle(doctor, in: work)
        try endOverdue(of: doctor, in: work)
      }
    }
    return portal.now + pause
  }
}
