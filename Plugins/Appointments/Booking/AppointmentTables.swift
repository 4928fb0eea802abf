import PolyclinicCore

extension Appointment {
  /// A booking with one of the portal's doctors stores the doctor and its times in plain text. A
  /// personal appointment elsewhere has neither, because all of it is encrypted.
  ///
  /// A booking has the times at which the doctor called the patient, and at which the patient
  /// declined the call.
  static let schema: [SQL] = [
    """
    CREATE TABLE appointments (
      id_appointment \(.identity),
      person \(.person),
      created_at \(.integer) NOT NULL,
      deleted_at \(.integer),
      doctor \(.integer) REFERENCES appointments_doctors (id_doctor),
      status TEXT,
      starts_at \(.integer), ends_at \(.integer), time_zone TEXT,
      sequence \(.integer) NOT NULL DEFAULT 0,
      changed_at \(.integer),
      reminded \(.integer) NOT NULL DEFAULT 0,
      called_at \(.integer), declined_at \(.integer),
      sealed \(.bytes)
    ) \(.strict)
    """,
    "CREATE INDEX appointments_person ON appointments (person, starts_at)",
    "CREATE INDEX appointments_doctor ON appointments (doctor, starts_at) WHERE doctor IS NOT NULL",
    "CREATE INDEX appointments_due ON appointments (starts_at) WHERE status = 'booked'",
    """
    CREATE INDEX appointments_deleted_of_person ON appointments (person, deleted_at)
    WHERE deleted_at IS NOT NULL
    """,
    "CREATE INDEX appointments_deleted_at ON appointments (deleted_at) WHERE deleted_at IS NOT NULL",
    PersonalAppointment.index.schema,
    // After the actor of a change is erased, the patient can still read the actor's name.
    """
    CREATE TABLE appointments_history (
      appointment \(.integer) NOT NULL REFERENCES appointments (id_appointment) ON DELETE CASCADE,
      sequence \(.integer) NOT NULL,
      status TEXT NOT NULL, starts_at \(.integer) NOT NULL, at \(.integer) NOT NULL,
      actor \(.actor), actor_role TEXT NOT NULL, sealed \(.bytes),
      PRIMARY KEY (appointment, sequence)
    ) \(.strict)
    """,
    "CREATE INDEX appointments_history_actor ON appointments_history (actor)",
    """
    CREATE TABLE appointments_earlier_time_alerts (
      id_alert \(.identity),
      person \(.person),
      doctor \(.integer) NOT NULL REFERENCES appointments_doctors (id_doctor) ON DELETE CASCADE,
      created_at \(.integer) NOT NULL,
      UNIQUE (doctor, person)
    ) \(.strict)
    """,
    "CREATE INDEX appointments_earlier_time_alerts_person ON appointments_earlier_time_alerts (person)",
  ]
}
