import PolyclinicCore

/// What was stored of a waiting list while the clock was ahead: nothing would happen in it until the clock
/// gets there.
extension Desk {
  /// More than a request waits between its look at the clock and its turn to write.
  private static let queueing = Seconds.minutes(1)

  /// Whether it was written while the clock was ahead.
  func isFromTheFuture(at now: Instant) -> Bool { settledAt > now + Self.queueing }

  /// Moves what is stored as later than now to now, and returns the desk as it is then.
  ///
  /// Who was called and seen by that clock has been, since people come and go by what is shown to them; the
  /// last, who was called and not seen to the end, has the whole time from now on.
  func rewind(
    to now: Instant, of doctor: ID<Doctor>, on connection: Connection
  ) throws -> Desk? {
    let desks: SQL = "SELECT id_desk FROM appointments_desks WHERE doctor = \(doctor)"
    try connection.run(
      """
      UPDATE appointments_desks SET opened_at = \(now)
      WHERE id_desk = \(id) AND opened_at > \(now)
      """)
    for column in ["joined_at", "over_at"] as [SQL] {
      try connection.run(
        """
        UPDATE appointments_tickets SET \(column) = \(now)
        WHERE desk IN (\(desks)) AND \(column) > \(now)
        """)
    }
    try connection.run(
      """
      UPDATE appointments_tickets SET called_at = \(now),
        ends_at = \(now) + CASE WHEN over_at IS NULL THEN ends_at - called_at ELSE 0 END
      WHERE desk IN (\(desks)) AND called_at > \(now)
      """)
    try settled(at: now, freeAt: claimAnew(of: doctor, at: now, on: connection), on: connection)
    return try Desk.latest(of: doctor, on: connection)
  }

  /// Claims what is left of the treatments, and nothing else of the time to come; when they are over.
  private func claimAnew(
    of doctor: ID<Doctor>, at now: Instant, on connection: Connection
  ) throws -> Instant {
    try connection.run(
      """
      DELETE FROM appointments_grains
      WHERE doctor = \(doctor) AND ticket IS NOT NULL
        AND grain >= \(DoctorTime.grains(of: now..<now).lowerBound)
      """)
    var end = now
    for ticket in try Ticket.active(of: doctor, on: connection) {
      guard let treatment = ticket.treatment, treatment.upperBound > now else { continue }
      end = max(end, treatment.upperBound)
      let rest = max(now, treatment.lowerBound)..<treatment.upperBound
      // Who is treated stays so in a time that is booked; the booking has it.
      if try DoctorTime.booked(of: doctor, within: rest, on: connection).isEmpty {
        try DoctorTime.claimTreatment(rest, of: doctor, for: ticket.id, on: connection)
      }
    }
    return end
  }
}
