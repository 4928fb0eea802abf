import PolyclinicCore

/// An appointment of today whose time is not over yet.
struct BookedToday: Sendable {
  let person: ID<Person>
  let span: Range<Instant>
  let status: Appointment.Status

  /// Those of a doctor, by time; what was cancelled or has taken place is left out.
  static func all(
    of practice: Practice, at now: Instant, on connection: Connection
  ) throws -> [BookedToday] {
    let today = LocalDateTime(now, in: practice.clinic.zone).date
    let open = [Appointment.Status.booked, .arrived].map(\.rawValue)
    let booked = try connection.rows(
      """
      SELECT person, starts_at, ends_at, status FROM appointments
      WHERE doctor = \(practice.doctor.id) AND starts_at > \(now - .days(1))
        AND starts_at < \(now + .days(1)) AND ends_at > \(now) AND status IN \(list: open)
      ORDER BY starts_at
      """
    ) { row in
      BookedToday(
        person: row.id(0), span: row.instant(1)..<row.instant(2),
        status: Appointment.Status(rawValue: row.string(3)) ?? .booked)
    }
    return booked.filter {
      LocalDateTime($0.span.lowerBound, in: practice.clinic.zone).date == today
    }
  }
}
