import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// A portal into which nobody has entered a clinic yet.
@Suite struct EmptyPortalTests {
  @Test(
    arguments: [
      (Language.english, "No clinics yet", "No doctors yet"),
      (.russian, "Клиник пока нет", "Врачей пока нет"),
      (.hebrew, "אין עדיין מרפאות", "אין עדיין רופאים"),
    ])
  func `where nothing was entered yet, nobody is told to search otherwise`(
    language: Language, clinics: String, doctors: String
  ) throws {
    let visitor = try TestPortal(AppointmentsModule()).visitor(language: language)
    for path in ["/appointments/clinics", "/appointments/clinics/map"] {
      let page = visitor.get(path)
      #expect(page.contains(clinics))
      #expect(!page.contains("role=\"search\""))
    }
    let page = visitor.get("/appointments/doctors")
    #expect(page.contains(doctors))
    #expect(!page.contains("role=\"search\""))
  }

  @Test func `who asks for doctors that are free now can ask for others`() throws {
    let visitor = try TestPortal(AppointmentsModule()).visitor()
    #expect(visitor.get("/appointments/doctors?available=1").contains("No doctor matches"))
  }
}
