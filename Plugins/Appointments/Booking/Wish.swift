import PolyclinicCore

/// That somebody wants to be told when a doctor has something earlier.
enum Wish {
  /// Puts the person at the end of the doctor's list; who stands there already stays where they are.
  static func join(
    _ doctor: ID<Doctor>, _ person: ID<Person>, at now: Instant, on connection: Connection
  ) throws {
    try connection.run(
      """
      INSERT INTO appointments_wishes (person, doctor, created_at)
      VALUES (\(person), \(doctor), \(now)) ON CONFLICT (doctor, person) DO NOTHING
      """)
  }

  /// Takes the person off the doctor's list.
  static func leave(
    _ doctor: ID<Doctor>, _ person: ID<Person>, on connection: Connection
  ) throws {
    try connection.run(
      "DELETE FROM appointments_wishes WHERE doctor = \(doctor) AND person = \(person)")
  }

  /// Whether the person stands on the doctor's list.
  static func exists(
    of person: ID<Person>, for doctor: ID<Doctor>, on connection: Connection
  ) throws -> Bool {
    try connection.integer(
      "SELECT 1 FROM appointments_wishes WHERE doctor = \(doctor) AND person = \(person)") != nil
  }

  /// The changes to bookings by one patient in a day of which others are told: more serve nobody but who
  /// wants to keep others busy with notices.
  static let mostChanges = 5

  /// The number of times that the patient has moved or cancelled bookings.
  static func changes(
    by patient: ID<Person>, since: Instant, on connection: Connection
  ) throws -> Int {
    try connection.integer(
      """
      SELECT count(*) FROM appointments_history
      WHERE actor = \(patient) AND sequence > 0 AND at > \(since)
      """) ?? 0
  }

  /// Those who wait for something earlier, in the order in which they joined: all but the one whose
  /// time it was, and those who see the doctor before.
  static func waiting(
    forReleaseOf booking: Booking, at now: Instant, on connection: Connection
  ) throws -> [ID<Person>] {
    try connection.rows(
      """
      SELECT person FROM appointments_wishes AS wishes
      WHERE doctor = \(booking.doctor) AND person <> \(booking.patient)
        AND NOT EXISTS (
          SELECT 1 FROM appointments
          WHERE appointments.person = wishes.person AND appointments.doctor = wishes.doctor
            AND status = 'booked' AND starts_at > \(now)
            AND starts_at <= \(booking.span.lowerBound))
      ORDER BY id_wish
      """
    ) { $0.id(0) }
  }
}
