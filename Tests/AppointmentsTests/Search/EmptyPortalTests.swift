import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// A portal without clinics.
@Suite struct EmptyPortalTests {
  @Test(
    arguments: [
      (Language.english, "No clinics yet", "No doctors yet"),
      (.russian, "Клиник пока нет", "Врачей пока нет"),
      (.hebrew, "אין עדיין מרפאות", "אין עדיין רופאים"),
    ])
  func `pages without clinics or doctors say so and show no search form`(
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

  @Test func `a search for free doctors without a result says that no doctor matches`() throws {
    let visitor = try TestPortal(AppointmentsModule()).visitor()
    #expect(visitor.get("/appointments/doctors?available=1").isEmptyList())
  }
}
