import PolyclinicCore

/// The module's first steps: the data without which nobody can book, and a patient's first booking.
extension AppointmentsModule {
  public var firstSteps: [Link.FirstStep] {
    [
      Link.FirstStep(
        "first-steps.clinic", to: NewClinic.path,
        isDone: Self.has("SELECT 1 FROM appointments_clinics LIMIT 1")),
      Link.FirstStep(
        "first-steps.department", at: Self.only(Self.openClinics, NewDepartment.path),
        isDone: Self.has("SELECT 1 FROM appointments_departments LIMIT 1")),
      Link.FirstStep(
        "first-steps.account", about: "first-steps.account.about", to: "/admin/people",
        isDone: Self.hasDoctors),
      Link.FirstStep(
        "first-steps.doctor",
        at: Self.only(
          "SELECT id_department FROM appointments_departments WHERE closed_at IS NULL LIMIT 2",
          NewDoctor.path),
        for: .doctor, isDone: Self.has("SELECT 1 FROM appointments_doctors LIMIT 1")),
      Link.FirstStep(
        "first-steps.hours",
        at: Self.only(
          "SELECT id_doctor FROM appointments_doctors WHERE disabled_at IS NULL LIMIT 2",
          EditHours.path),
        isDone: Self.has("SELECT 1 FROM appointments_hours LIMIT 1")),
      Link.FirstStep(
        "first-steps.reception", about: "first-steps.reception.about",
        at: Self.only(Self.openClinics, NewReceptionist.path), isOptional: true, for: .receptionist,
        isDone: Self.has("SELECT 1 FROM appointments_receptionists LIMIT 1")),
      Link.FirstStep(
        "first-steps.book", about: "first-steps.book.about", to: NewAppointment.withDoctor,
        access: .signedIn
      ) { context in
        let person = try context.signedIn().person
        return try Self.exists(
          "SELECT 1 FROM appointments WHERE person = \(person) AND doctor IS NOT NULL LIMIT 1",
          context)
      },
    ]
  }

  /// Returns true if a doctor was added or could be. Added doctors are counted first, because that
  /// reads no accounts.
  private static func hasDoctors(_ context: Context) throws -> Bool {
    if try exists("SELECT 1 FROM appointments_doctors LIMIT 1", context) { return true }
    return try context.portal.people.hasMembers(having: .doctor, in: context)
  }

  private static let openClinics: SQL =
    "SELECT id_clinic FROM appointments_clinics WHERE closed_at IS NULL LIMIT 2"

  /// Returns the page of the only record that the query finds, on which a step is done; the list of
  /// clinics if there are none or several.
  private static func only<Record>(
    _ query: SQL, _ page: @escaping @Sendable (ID<Record>) -> Path
  ) -> @Sendable (Context) throws -> Path? {
    { context in
      let ids: [ID<Record>] = try context.rows(query) { $0.id(0) }
      return ids.count == 1 ? ids.first.map(page) : ClinicList.path
    }
  }

  private static func has(_ query: SQL) -> @Sendable (Context) throws -> Bool {
    { try exists(query, $0) }
  }

  private static func exists(_ query: SQL, _ context: Context) throws -> Bool {
    try context.integer(query) != nil
  }
}
