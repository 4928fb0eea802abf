import PolyclinicCore

/// Somebody's place in a doctor's waiting list.
struct Ticket: Sendable {
  let id: ID<Ticket>
}

extension Ticket {
  /// A desk is open from the moment the doctor opened it; a ticket's events are stored, and where it
  /// stands follows from them and the clock.
  static let migration = Migration(
    "0003-waiting-list",
    """
    CREATE TABLE appointments_desks (
      id_desk \(.identity),
      doctor \(.integer) NOT NULL REFERENCES appointments_doctors (id_doctor),
      opened_at \(.integer) NOT NULL,
      closed_at \(.integer)
    ) \(.strict)
    """,
    """
    CREATE UNIQUE INDEX appointments_desks_open ON appointments_desks (doctor)
    WHERE closed_at IS NULL
    """,
    """
    CREATE TABLE appointments_tickets (
      id_ticket \(.identity),
      desk \(.integer) NOT NULL REFERENCES appointments_desks (id_desk),
      person \(.person),
      number \(.integer) NOT NULL,
      joined_at \(.integer) NOT NULL,
      called_at \(.integer), ends_at \(.integer),
      finished_at \(.integer), left_at \(.integer),
      told_at \(.integer),
      UNIQUE (desk, number)
    ) \(.strict)
    """,
    // Nobody stands twice in one line; the same index finds a person's tickets.
    """
    CREATE UNIQUE INDEX appointments_tickets_waiting ON appointments_tickets (person, desk)
    WHERE left_at IS NULL AND finished_at IS NULL
    """,
    "CREATE INDEX appointments_tickets_person ON appointments_tickets (person)")
}
