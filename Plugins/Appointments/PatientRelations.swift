import PolyclinicCore

/// Whose patients people are: who stands in a doctor's line or is booked with the doctor, and whom the
/// desk of a clinic sees for one of its doctors.
struct PatientRelations: CareRelations {
  /// How long a visit is looked back upon: what is left to be written is written within two weeks.
  private static let afterwards = Seconds.days(14)

  func allowed(
    _ people: Set<ID<Person>>, to visitor: Visitor, for reason: AccessReason, at now: Instant,
    on connection: Connection
  ) throws -> Set<ID<Person>> {
    let people = people.sorted()
    let doctors: SQL
    switch reason {
    case .care:
      doctors = "SELECT id_doctor FROM appointments_doctors WHERE person = \(visitor.person)"
    case .desk:
      doctors = """
        SELECT id_doctor FROM appointments_doctors
          JOIN appointments_departments ON id_department = department
          JOIN appointments_receptionists AS desks ON desks.clinic = appointments_departments.clinic
        WHERE desks.person = \(visitor.person)
        """
    case .administration: return []
    }
    return Set(
      try connection.rows(
        """
        SELECT person FROM appointments
        WHERE person IN \(list: people) AND doctor IN (\(doctors))
          AND status <> \(Appointment.Status.cancelled.rawValue)
          AND ends_at > \(now - Self.afterwards)
        UNION
        SELECT person FROM appointments_tickets JOIN appointments_desks ON id_desk = desk
        WHERE person IN \(list: people) AND doctor IN (\(doctors))
          AND (called_at IS NOT NULL OR over_at IS NULL) AND joined_at > \(now - Self.afterwards)
        """
      ) { $0.id(0) })
  }
}
