import PolyclinicCore

/// A doctor's time, in grains of five minutes that one holder at most has each.
///
/// Whoever wants a doctor's time, to book it or to call somebody in from the waiting list, claims its
/// grains in its own transaction: the primary key has one winner.
enum DoctorTime {
  /// The length of a grain; slot lengths are multiples of it.
  static let grain = Seconds.minutes(5)

  static let migration = Migration(
    "0004-grains",
    """
    CREATE TABLE appointments_grains (
      doctor \(.integer) NOT NULL REFERENCES appointments_doctors (id_doctor),
      grain \(.integer) NOT NULL,
      appointment \(.integer) REFERENCES appointments (id_appointment) ON DELETE CASCADE,
      ticket \(.integer) REFERENCES appointments_tickets (id_ticket) ON DELETE CASCADE,
      PRIMARY KEY (doctor, grain),
      CHECK ((appointment IS NULL) <> (ticket IS NULL))
    ) \(.strict)
    """,
    """
    CREATE INDEX appointments_grains_appointment ON appointments_grains (appointment)
    WHERE appointment IS NOT NULL
    """,
    """
    CREATE INDEX appointments_grains_ticket ON appointments_grains (ticket)
    WHERE ticket IS NOT NULL
    """)

  /// What a grain is claimed for.
  enum Holder: Sendable, Hashable {
    case appointment(ID<Appointment>)
    case ticket(ID<Ticket>)

    var appointment: ID<Appointment>? { if case .appointment(let id) = self { id } else { nil } }
    var ticket: ID<Ticket>? { if case .ticket(let id) = self { id } else { nil } }
  }

  /// A part of the time was claimed before.
  struct Taken: Error {}

  /// The numbers of the grains that a span touches, however little of them.
  static func grains(of span: Range<Instant>) -> Range<Int64> {
    let first = floored(span.lowerBound.seconds, by: grain.count)
    let end = -floored(-span.upperBound.seconds, by: grain.count)
    return first..<max(first, end)
  }

  /// Claims all grains of a span; throws ``Taken`` when one of them is not free, and then the caller's
  /// transaction is to be undone or the claim released.
  static func claim(
    _ span: Range<Instant>, of doctor: ID<Doctor>, for holder: Holder, on connection: Connection
  ) throws {
    for grain in grains(of: span) {
      let claimed = try connection.run(
        """
        INSERT INTO appointments_grains (doctor, grain, appointment, ticket)
        VALUES (\(doctor), \(grain), \(holder.appointment), \(holder.ticket))
        ON CONFLICT (doctor, grain) DO NOTHING
        """)
      guard claimed == 1 else { throw Taken() }
    }
  }

  /// Gives back what the holder has from a moment on; what lies before stays claimed.
  static func release(
    _ holder: Holder, from moment: Instant = Instant(.min), on connection: Connection
  ) throws {
    let first = floored(moment.seconds, by: grain.count)
    try connection.run(
      """
      DELETE FROM appointments_grains
      WHERE (appointment = \(holder.appointment) OR ticket = \(holder.ticket))
        AND grain >= \(first)
      """)
  }

  private static func floored(_ value: Int64, by divisor: Int64) -> Int64 {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
