import PolyclinicCore

/// Grants doctors and receptionists access to the data of their patients.
///
/// - `care`: a doctor's patients with an appointment, or with a waiting list ticket that is active
///   or was treated. A patient who has left the list or did not come was not treated, not even if
///   the call came before.
/// - `reception`: the patients of all doctors of the receptionist's clinic. Cancelled appointments
///   count here too, because the reception's day list shows them.
/// - `administration`: no patients.
struct PatientRelations: CareRelations {
  /// The time after a visit during which the doctor may still open the patient's data.
  static let shownToDoctorAfter = Seconds.days(30)
  /// The time after a visit during which the reception may still see its patient.
  static let shownAtReceptionAfter = Seconds.days(7)

  func allowed(
    _ people: Set<ID<Person>>, for reason: AccessReason, in work: Work
  ) throws -> Set<ID<Person>> {
    let visitor = try work.signedIn()
    let people = people.sorted()
    let doctors: SQL
    let since: Instant
    switch reason {
    case .care:
      since = work.now - Self.shownToDoctorAfter
      doctors = "SELECT id_doctor FROM appointments_doctors WHERE person = \(visitor.person)"
    case .reception:
      since = work.now - Self.shownAtReceptionAfter
      doctors = """
        SELECT id_doctor FROM appointments_doctors
          JOIN appointments_departments ON id_department = department
          JOIN appointments_receptionists AS receptionists ON receptionists.clinic = appointments_departments.clinic
        WHERE receptionists.person = \(visitor.person)
        """
    case .administration: return []
    }
    return Set(
      try work.rows(
        """
        SELECT person FROM appointments
        WHERE person IN \(list: people) AND doctor IN (\(doctors))
          AND (status <> 'cancelled' OR \(reason == .reception)) AND ends_at > \(since)
        UNION
        SELECT person FROM appointments_tickets JOIN appointments_sessions ON id_session = session
        WHERE person IN \(list: people) AND doctor IN (\(doctors))
          AND (over_at IS NULL OR called_at IS NOT NULL AND
            outcome NOT IN (\(Ticket.Outcome.left.rawValue), \(Ticket.Outcome.noshow.rawValue)))
          AND joined_at > \(since)
        """
      ) { $0.id(0) })
  }
}

extension Booking {
  /// True if the booking still claims its time, and that time is not over.
  func isAhead(at now: Instant) -> Bool { status.isOpen && span.upperBound > now }

  /// True if staff may still see this booking for the reason, within the limits of
  /// ``PatientRelations``.
  func isVisible(for reason: AccessReason, at now: Instant) -> Bool {
    switch reason {
    case .care:
      status != .cancelled && span.upperBound > now - PatientRelations.shownToDoctorAfter
    case .reception: span.upperBound > now - PatientRelations.shownAtReceptionAfter
    case .administration: false
    }
  }
}
