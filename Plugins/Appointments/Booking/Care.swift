import PolyclinicCore

/// Who cares for whom, by the appointments and the waiting lists of doctors.
struct Care: CareRelations {
  /// How long after an appointment a doctor may still open what belongs to the patient.
  static let caredAfter = Seconds.days(30)
  /// How long after an appointment the desk may still see whose it was.
  static let seenAtDeskAfter = Seconds.days(7)

  func allowed(
    _ people: Set<ID<Person>>, to visitor: Visitor, for reason: AccessReason, at now: Instant,
    on connection: Connection
  ) throws -> Set<ID<Person>> {
    switch reason {
    case .care: try patients(people, of: visitor, at: now, on: connection)
    case .desk: try visitors(people, to: visitor, at: now, on: connection)
    case .administration: []
    }
  }

  private func patients(
    _ people: Set<ID<Person>>, of visitor: Visitor, at now: Instant, on connection: Connection
  ) throws -> Set<ID<Person>> {
    guard let doctor = try Doctor.of(visitor.person, on: connection) else { return [] }
    let since = now - Self.caredAfter
    let ids = Array(people)
    return Set(
      try connection.rows(
        """
        SELECT person FROM appointments
        WHERE doctor = \(doctor.id) AND ends_at > \(since) AND status <> 'cancelled'
          AND person IN \(list: ids)
        UNION
        SELECT person FROM appointments_tickets JOIN appointments_desks ON id_desk = desk
        WHERE doctor = \(doctor.id) AND joined_at > \(since) AND person IN \(list: ids)
        """
      ) { $0.id(0) })
  }

  private func visitors(
    _ people: Set<ID<Person>>, to visitor: Visitor, at now: Instant, on connection: Connection
  ) throws -> Set<ID<Person>> {
    Set(
      try connection.rows(
        """
        SELECT DISTINCT appointments.person FROM appointments_receptionists AS receptionists
        JOIN appointments_departments AS departments ON departments.clinic = receptionists.clinic
        JOIN appointments_doctors ON department = id_department
        JOIN appointments ON appointments.doctor = id_doctor
        WHERE receptionists.person = \(visitor.person)
          AND ends_at > \(now - Self.seenAtDeskAfter)
          AND appointments.person IN \(list: Array(people))
        """
      ) { $0.id(0) })
  }
}
