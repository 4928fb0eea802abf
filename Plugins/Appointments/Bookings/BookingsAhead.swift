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
}
