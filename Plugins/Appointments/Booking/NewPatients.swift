import PolyclinicCore

/// Doctors who accept no new patients.
///
/// Such a doctor can be booked only by patients who were seen by the doctor, or who have a booking
/// with the doctor that was neither cancelled nor missed: they must be able to move it. Visits to
/// other doctors of the clinic do not count, because each doctor answers for themselves. Staff can
/// book for anyone, because a doctor may make an exception.
extension Doctor {
  /// Returns the doctors who know a patient.
  static func knowing(_ patient: ID<Person>, in work: Work) throws -> Set<ID<Doctor>> {
    Set(
      try work.rows(
        """
        SELECT doctor FROM appointments
        WHERE person = \(patient) AND status IN ('booked', 'arrived', 'fulfilled')
        UNION
        SELECT doctor FROM appointments_tickets JOIN appointments_sessions ON id_session = session
        WHERE person = \(patient) AND \(Ticket.visited)
        """
      ) { $0.id(0) })
  }

  /// Returns true if the doctor accepts no new patients and does not know this one.
  func refuses(_ patient: ID<Person>, in context: Context) throws -> Bool {
    try name.profile(by: context.portal.keys).refusesNewPatients
      && !Self.knowing(patient, in: context).contains(id)
  }
}

extension DoctorPlacement {
  /// The sentence with which forms and programs are refused. The clinic's telephone number may help.
  var refusalOfNewPatients: Text {
    clinic.phone.isEmpty
      ? "booking.new-patient.no-phone" : Text("booking.new-patient", ["phone": clinic.phone])
  }

  /// Returns the reason why a new patient sees no free times, with the ways on: the sign-in for a
  /// visitor whom the doctor may know, and the other doctors of the specialization.
  func refusal(_ context: Context) -> HTML {
    let isGuest = context.visitor == nil
    let signIn = Path("/login").query(["next": DoctorPage.path(doctor.id).description])
    return """
      <p>\(context.text(isGuest ? "doctor.new-patients.guest" : "doctor.new-patients.only"))</p>\
      \(actions:
        isGuest
          ? context.button("doctor.new-patients.sign-in", to: signIn, style: [.secondary, .small])
          : nil, otherDoctors(context))
      """
  }

  /// Returns the link to the other doctors of the specialization.
  func otherDoctors(_ context: Context) -> HTML {
    context.button(
      "doctor.new-patients.others", to: NewAppointment.doctors(of: department.specialization),
      style: [.secondary, .small])
  }
}

extension Context {
  /// Returns those of the doctors who accept no new patients and do not know the visitor. A visitor
  /// who has not signed in is known to nobody. There are none for staff, who find times for patients
  /// on the public pages.
  func doctorsRefusingVisitor(
    among doctors: some Sequence<(id: ID<Doctor>, profile: DoctorProfile)>
  ) throws -> Set<ID<Doctor>> {
    let refusing = doctors.filter { $0.profile.refusesNewPatients }.map(\.id)
    guard !refusing.isEmpty, let visitor else { return Set(refusing) }
    if visitor.worksForPatients { return [] }
    return Set(refusing).subtracting(try Doctor.knowing(keys.person, in: self))
  }
}
