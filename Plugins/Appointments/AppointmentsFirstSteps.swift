import PolyclinicCore

/// The module's first steps: the data without which nobody can book, and a patient's first booking.
extension AppointmentsModule {
  public var firstSteps: [Link.FirstStep] {
    [
      Link.FirstStep(
        "first-steps.clinic", to: "admin/clinics/new",
        isDone: Self.has("SELECT 1 FROM appointments_clinics LIMIT 1")),
      Link.FirstStep(
        "first-steps.department", at: Self.page(of: .clinic),
        isDone: Self.has("SELECT 1 FROM appointments_departments LIMIT 1")),
      Link.FirstStep(
        "first-steps.account", about: "first-steps.account.about", to: "/admin/people",
        isDone: Self.hasDoctors),
      Link.FirstStep(
        "first-steps.doctor", at: Self.page(of: .department), for: .doctor,
        isDone: Self.has("SELECT 1 FROM appointments_doctors LIMIT 1")),
      Link.FirstStep(
        "first-steps.hours", at: Self.page(of: .doctor),
        isDone: Self.has("SELECT 1 FROM appointments_hours LIMIT 1")),
      Link.FirstStep(
        "first-steps.reception", about: "first-steps.reception.about",
        at: Self.page(of: .reception), isOptional: true, for: .receptionist,
        isDone: Self.has("SELECT 1 FROM appointments_receptionists LIMIT 1")),
      Link.FirstStep(
        "first-steps.book", about: "first-steps.book.about", to: "new?with=doctor",
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

  /// A place of the administration in which a step is done.
  private enum Place { case clinic, department, doctor, reception }

  /// Returns the page on which a step is done if there is one place for it, or else the list of
  /// clinics.
  private static func page(of place: Place) -> @Sendable (Context) throws -> Path? {
    { try page(of: place, $0) }
  }

  private static func page(of place: Place, _ context: Context) throws -> Path {
    let ids: SQL =
      switch place {
      case .clinic, .reception:
        "SELECT id_clinic FROM appointments_clinics WHERE closed_at IS NULL LIMIT 2"
      case .department:
        "SELECT id_department FROM appointments_departments WHERE closed_at IS NULL LIMIT 2"
      case .doctor:
        "SELECT id_doctor FROM appointments_doctors WHERE disabled_at IS NULL LIMIT 2"
      }
    let found = try context.rows(ids) { $0.int(0) }
    guard let only = found.first, found.count == 1 else { return "admin/clinics" }
    return switch place {
    case .clinic: "admin/clinics/\(only)/departments/new"
    case .department: "admin/departments/\(only)/doctors/new"
    case .doctor: "admin/doctors/\(only)/hours"
    case .reception: "admin/clinics/\(only)/desk/new"
    }
  }

  private static func has(_ query: SQL) -> @Sendable (Context) throws -> Bool {
    { try exists(query, $0) }
  }

  private static func exists(_ query: SQL, _ context: Context) throws -> Bool {
    try context.integer(query) != nil
  }
}
