import PolyclinicCore

/// Repairs a waiting list that was stored while the clock was ahead. Otherwise no patient would be
/// called until the clock reaches the stored time.
extension WaitingListSession {
  /// The longest time that a request may wait between reading the clock and its write transaction.
  private static let queueing = Seconds.minutes(1)

  /// True if the session was stored while the clock was ahead.
  func isAheadOfClock(at now: Instant) -> Bool { settledAt > now + Self.queueing }

  /// Moves all stored times later than now to now. Returns the session as it is then.
  ///
  /// - Patients called or finished by the wrong clock stay called or finished, because people act
  ///   on what they see.
  /// - The last patient, called and not finished, gets the full treatment time from now on.
  func moveBack(in work: Work) throws -> WaitingListSession? {
    let now = work.now
    let sessions: SQL = "SELECT id_session FROM appointments_sessions WHERE doctor = \(doctor)"
    try work.run(
      """
      UPDATE appointments_sessions SET opened_at = \(now)
      WHERE id_session = \(id) AND opened_at > \(now)
      """)
    for column in ["joined_at", "over_at"] as [SQL] {
      try work.run(
        """
        UPDATE appointments_tickets SET \(column) = \(now)
        WHERE session IN (\(sessions)) AND \(column) > \(now)
        """)
    }
    try work.run(
      """
      UPDATE appointments_tickets SET called_at = \(now),
        declined_at = CASE WHEN declined_at > \(now) THEN \(now) ELSE declined_at END,
        ends_at = \(now) + CASE WHEN over_at IS NULL THEN ends_at - called_at ELSE 0 END
      WHERE session IN (\(sessions)) AND called_at > \(now)
      """)
    try storeSettled(at: now, freeAt: claimAnew(in: work), in: work)
    return try WaitingListSession.latest(of: doctor, in: work)
  }

  /// Releases the time claimed after `now`, claims the rest of the treatments, and returns the end
  /// of the last one.
  private func claimAnew(in work: Work) throws -> Instant {
    try work.run(
      """
      DELETE FROM appointments_claimed_units
      WHERE doctor = \(doctor) AND ticket IS NOT NULL
        AND unit >= \(ClaimedTime.units(of: work.now..<work.now).lowerBound)
      """)
    var end = work.now
    for ticket in try Ticket.active(of: [doctor], in: work)[doctor] ?? [] {
      guard let treatment = ticket.treatment, treatment.upperBound > work.now else { continue }
      end = max(end, treatment.upperBound)
      let rest = max(work.now, treatment.lowerBound)..<treatment.upperBound
      // The treatment also continues during booked time, which the booking keeps.
      if try ClaimedTime.booked(of: doctor, within: rest, in: work).isEmpty {
        try ClaimedTime.claimTreatment(rest, of: doctor, for: ticket.id, in: work)
      }
    }
    return end
  }
}
