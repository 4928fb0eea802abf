import PolyclinicCore

extension Booking {
  /// Returns the patient's open bookings that are not over, with one doctor or with all, earliest first; at most 20.
  static func ahead(
    of patient: ID<Person>, with doctor: ID<Doctor>? = nil, at now: Instant,
    on connection: Connection
  ) throws -> [Booking] {
    let condition: SQL = doctor.map { "doctor = \($0)" } ?? "doctor IS NOT NULL"
    return try connection.rows(
      """
      SELECT \(columns) FROM appointments
      WHERE appointments.person = \(patient) AND ends_at > \(now) AND \(Appointment.Status.open)
        AND \(condition)
      ORDER BY starts_at LIMIT 20
      """, Booking.init)
  }

  /// Returns a sentence about the appointments to come that the patient's erasure deletes; nil if there are none.
  @Sendable
  static func erasureLoss(
    of patient: ID<Person>, at now: Instant, on connection: Connection
  ) throws -> Text? {
    let ahead = try ahead(of: patient, at: now, on: connection)
    return ahead.first.map {
      Text(
        "erasure.ahead", values: ["first": .dateTime($0.span.lowerBound, $0.zone)],
        count: ahead.count)
    }
  }
}
