import PolyclinicCore

extension Ticket {
  /// Writes the person's tickets into the export of all data; times are UTC (RFC 3339).
  @Sendable
  static func export(_ work: Work, _ copy: JSON.Writer) throws {
    try copy.writeArray("tickets") { tickets in
      try work.forEach(
        """
        SELECT \(DoctorName.columns), number, joined_at, called_at, declined_at, over_at,
          outcome
        FROM appointments_tickets JOIN appointments_sessions ON id_session = session
          JOIN appointments_doctors ON id_doctor = doctor
        WHERE appointments_tickets.person = \(work.keys.person) ORDER BY id_ticket
        """
      ) { try tickets.append(json($0, by: work.keys)) }
    }
  }

  private static func json(_ row: Row, by keys: Keys) throws -> JSON {
    let doctor = try DoctorName(row).opened(by: keys)
    let ticket = row.from(DoctorName.columnCount)
    return [
      "doctor": .string(doctor), "number": .integer(Int64(ticket.int(0))),
      "joined_at": .string(ticket.instant(1).timestamp),
      "called_at": ticket.optional(2, Row.instant).map { .string($0.timestamp) } ?? nil,
      "declined_at": ticket.optional(3, Row.instant).map { .string($0.timestamp) } ?? nil,
      "over_at": ticket.optional(4, Row.instant).map { .string($0.timestamp) } ?? nil,
      "outcome": ticket.optional(5, Row.string).map(JSON.string) ?? nil,
    ]
  }
}
