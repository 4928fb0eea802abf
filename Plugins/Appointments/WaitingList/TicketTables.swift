import PolyclinicCore

extension Ticket {
  /// The tables of waiting list sessions and tickets. They store events only:
  /// ``WaitingListSchedule`` computes the current patient, the next one and the times from them and
  /// the clock.
  static let schema: [SQL] = [
    """
    CREATE TABLE appointments_sessions (
      id_session \(.identity),
      doctor \(.integer) NOT NULL REFERENCES appointments_doctors (id_doctor),
      opened_at \(.integer) NOT NULL,
      closed_at \(.integer),
      slot_minutes \(.integer) NOT NULL,
      free_at \(.integer) NOT NULL,
      settled_at \(.integer) NOT NULL,
      last_number \(.integer) NOT NULL DEFAULT 0
    ) \(.strict)
    """,
    """
    CREATE UNIQUE INDEX appointments_sessions_open ON appointments_sessions (doctor)
    WHERE closed_at IS NULL
    """,
    "CREATE INDEX appointments_sessions_doctor ON appointments_sessions (doctor, id_session)",
    """
    CREATE TABLE appointments_tickets (
      id_ticket \(.identity),
      session \(.integer) NOT NULL REFERENCES appointments_sessions (id_session),
      person \(.person),
      number \(.integer) NOT NULL,
      joined_at \(.integer) NOT NULL,
      called_at \(.integer), ends_at \(.integer), declined_at \(.integer),
      over_at \(.integer), outcome TEXT,
      told_at \(.integer),
      UNIQUE (session, number),
      CHECK ((called_at IS NULL) = (ends_at IS NULL)),
      CHECK (declined_at IS NULL OR called_at IS NOT NULL),
      CHECK ((over_at IS NULL) = (outcome IS NULL))
    ) \(.strict)
    """,
    // A patient has at most one active ticket in a session.
    """
    CREATE UNIQUE INDEX appointments_tickets_active ON appointments_tickets (session, person)
    WHERE over_at IS NULL
    """,
    "CREATE INDEX appointments_tickets_person ON appointments_tickets (person)",
    """
    CREATE INDEX appointments_tickets_ends ON appointments_tickets (ends_at)
    WHERE over_at IS NULL AND ends_at IS NOT NULL
    """,
    """
    CREATE INDEX appointments_tickets_untold ON appointments_tickets (session)
    WHERE told_at IS NULL
    """,
  ]
}
