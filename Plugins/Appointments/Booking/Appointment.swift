import PolyclinicCore

/// An appointment of a patient with a doctor, or one elsewhere that the patient enters here.
struct Appointment: Sendable {
  /// The page of an appointment, for its patient and for staff.
  static let page: Address<ID<Appointment>> = "/appointments/{id}"

  /// The status, in the terms of FHIR R4 (Appointment.status).
  enum Status: String, CaseIterable, Sendable {
    case booked, arrived, fulfilled, cancelled, noshow

    var title: Text { Text("status.\(rawValue)") }

    /// True if the appointment still claims the doctor's time.
    var isOpen: Bool { self == .booked || self == .arrived }

    /// The same condition on a row's `status`. Not for an appointment elsewhere, which has no
    /// status.
    static let open: SQL = "status IN ('booked', 'arrived')"

    /// The statuses that may follow. A patient marked as a no-show may still come, and any status
    /// may have been set by mistake.
    var next: Set<Status> {
      switch self {
      case .booked: [.arrived, .fulfilled, .cancelled, .noshow]
      case .arrived: [.booked, .fulfilled, .cancelled, .noshow]
      case .noshow: [.booked, .arrived, .fulfilled]
      case .fulfilled: [.booked]
      case .cancelled: []
      }
    }
  }
}

extension Appointment {
  /// A booking with one of the portal's doctors stores the doctor and its times in plain text. A
  /// personal appointment elsewhere has neither, because all of it is encrypted.
  ///
  /// A booking has the times at which the doctor called the patient, and at which the patient
  /// declined the call.
  static let schema: [SQL] = [
    """
    CREATE TABLE appointments (
      id_appointment \(.scatteredIdentity),
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
