import PolyclinicCore

/// A doctor's time in units of five minutes, each of which has at most one holder.
///
/// A transaction that books a time, or calls a patient from the waiting list, claims its units. The
/// primary key lets only one of two concurrent transactions win.
enum DoctorTime {
  /// The length of a unit. Slot lengths are multiples of it.
  static let unit = Seconds.minutes(5)

  static let schema: [SQL] = [
    """
    CREATE TABLE appointments_claimed_units (
      doctor \(.integer) NOT NULL REFERENCES appointments_doctors (id_doctor),
      unit \(.integer) NOT NULL,
      appointment \(.integer) REFERENCES appointments (id_appointment) ON DELETE CASCADE,
      ticket \(.integer) REFERENCES appointments_tickets (id_ticket) ON DELETE CASCADE,
      PRIMARY KEY (doctor, unit),
      CHECK ((appointment IS NULL) <> (ticket IS NULL))
    ) \(.strict)
    """,
    """
    CREATE INDEX appointments_claimed_units_appointment ON appointments_claimed_units (appointment)
    WHERE appointment IS NOT NULL
    """,
    """
    CREATE INDEX appointments_claimed_units_ticket ON appointments_claimed_units (ticket)
    WHERE ticket IS NOT NULL
    """,
  ]

  /// The appointment or ticket that claims a unit.
  ///
  /// It holds a plain row ID, one of the two, because bookings and waiting lists are built on this
  /// type.
  struct Holder: Sendable, Hashable {
    var appointment: Int?
    var ticket: Int?
  }

  /// The error for a time of which a part is already claimed.
  struct Taken: Error {}

  /// Returns the numbers of the units that a span touches, even partly.
  static func units(of span: Range<Instant>) -> Range<Int64> {
    let first = floored(span.lowerBound.seconds, by: unit.count)
    let end = -floored(-span.upperBound.seconds, by: unit.count)
    return first..<max(first, end)
  }

  /// Claims all units of a span. Throws ``Taken`` if one of them is not free. The caller must then
  /// roll back its transaction or release the claim.
  static func claim(
    _ span: Range<Instant>, of doctor: ID<Doctor>, for holder: Holder, in work: Work
  ) throws {
    for unit in units(of: span) {
      let claimed = try work.run(
        """
        INSERT INTO appointments_claimed_units (doctor, unit, appointment, ticket)
        VALUES (\(doctor), \(unit), \(holder.appointment), \(holder.ticket))
        ON CONFLICT (doctor, unit) DO NOTHING
        """)
      guard claimed == 1 else { throw Taken() }
    }
  }

  /// Releases the holder's units from a moment on. Earlier ones stay claimed.
  static func release(
    _ holder: Holder, from moment: Instant = Instant(.min), in work: Work
  ) throws {
    let first = floored(moment.seconds, by: unit.count)
    try work.run(
      """
      DELETE FROM appointments_claimed_units
      WHERE (appointment = \(holder.appointment) OR ticket = \(holder.ticket))
        AND unit >= \(first)
      """)
  }

  private static func floored(_ value: Int64, by divisor: Int64) -> Int64 {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
