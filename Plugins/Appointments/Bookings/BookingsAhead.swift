import PolyclinicCore

extension Booking {
  /// Returns the patient's open bookings that are not over, with one doctor or with all, earliest first; at most 20.
  static func ahead(
    of patient: ID<Person>, with doctor: ID<Doctor>? = nil, at now: Instant,
    on connection: Connection
  ) throws -> [Booking] {
    try connection.rows(
      """
      SELECT \(columns) FROM appointments WHERE \(isAhead(of: patient, with: doctor, at: now))
      ORDER BY starts_at LIMIT 20
      """, Booking.init)
  }

  private static func isAhead(
    of patient: ID<Person>, with doctor: ID<Doctor>?, at now: Instant
  ) -> SQL {
    let condition: SQL = doctor.map { "doctor = \($0)" } ?? "doctor IS NOT NULL"
    return """
      appointments.person = \(patient) AND ends_at > \(now) AND \(Appointment.Status.open)
      AND \(condition)
      """
  }

  /// Returns a sentence about the appointments to come that the patient's erasure deletes; nil if there are none.
  @Sendable
  static func erasureLoss(
    of patient: ID<Person>, at now: Instant, on connection: Connection
  ) throws -> Text? {
    guard let first = try ahead(of: patient, at: now, on: connection).first,
      let count = try connection.integer(
        "SELECT count(*) FROM appointments WHERE \(isAhead(of: patient, with: nil, at: now))")
    else { return nil }
    return Text(
      "erasure.ahead", values: ["first": .dateTime(first.span.lowerBound, first.zone)],
      count: count)
  }
}
