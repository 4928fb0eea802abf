import PolyclinicCore

/// Whose patients people are: who stands in a doctor's line or is booked with the doctor, and whom the
/// desk of a clinic sees for one of its doctors. What was cancelled stands on the desk's day alone.
struct PatientRelations: CareRelations {
  /// How long after a visit a doctor may still open what belongs to the patient.
  static let caredAfter = Seconds.days(30)
  /// How long after a visit the desk may still see whose it was.
  static let seenAtDeskAfter = Seconds.days(7)

  func allowed(
    _ people: Set<ID<Person>>, to visitor: Visitor, for reason: AccessReason, at now: Instant,
    on connection: Connection
  ) throws -> Set<ID<Person>> {
    let people = people.sorted()
    let doctors: SQL
    let since: Instant
    switch reason {
    case .care:
      since = now - Self.caredAfter
      doctors = "SELECT id_doctor FROM appointments_doctors WHERE person = \(visitor.person)"
    case .desk:
      since = now - Self.seenAtDeskAfter
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
          AND (status <> 'cancelled' OR \(reason == .desk)) AND ends_at > \(since)
        UNION
        SELECT person FROM appointments_tickets JOIN appointments_desks ON id_desk = desk
        WHERE person IN \(list: people) AND doctor IN (\(doctors))
          AND (called_at IS NOT NULL OR over_at IS NULL) AND joined_at > \(since)
        """
      ) { $0.id(0) })
  }
}

extension Booking {
  /// Whether those who work for this reason may still look at it, as ``PatientRelations`` says.
  func concerns(_ reason: AccessReason, at now: Instant) -> Bool {
    switch reason {
    case .care:
      status != .cancelled && span.upperBound > now - PatientRelations.caredAfter
    case .desk: span.upperBound > now - PatientRelations.seenAtDeskAfter
    case .administration: false
    }
  }
}
