import PolyclinicCore

/// The module's first steps: the data without which nobody can book, and a patient's first booking.
extension AppointmentsModule {
  public var firstSteps: [Link.FirstStep] {
    [
      Link.FirstStep("first-steps.clinic", to: "admin/clinics/new") {
        try Self.exists("SELECT 1 FROM appointments_clinics LIMIT 1", $0)
      },
      Link.FirstStep("first-steps.department", to: "admin/clinics") {
        try Self.exists("SELECT 1 FROM appointments_departments LIMIT 1", $0)
      },
      Link.FirstStep("first-steps.doctor", to: "admin/clinics") {
        try Self.exists("SELECT 1 FROM appointments_doctors LIMIT 1", $0)
      },
      Link.FirstStep("first-steps.hours", to: "admin/clinics") {
        try Self.exists("SELECT 1 FROM appointments_hours LIMIT 1", $0)
      },
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

  private static func exists(_ query: SQL, _ context: Context) throws -> Bool {
    try context.database.read { try $0.integer(query) != nil }
  }
}
