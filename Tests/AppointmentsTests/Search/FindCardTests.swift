import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// The card with which visitors find doctors and clinics.
@Suite struct FindCardTests {
  /// A module that shows the card alone, as the welcome page shows it among others.
  private struct Welcome: Module {
    let id: ModuleID = "welcome"
    var title: Text { "find.card" }
    var catalog: Catalog { AppointmentsModule().catalog }
    var personalData: PersonalData { .none }
    var routes: [Route] {
      [
        .get("", access: .everyone) { context in
          let card = AppointmentsModule().cards.first { $0.access == .everyone }
          var due: [HTML] = []
          return .page("find.card", try card?.content(context, &due) ?? "none")
        }
      ]
    }
  }

  private let portal: TestPortal
  private let administrator: TestVisitor

  init() throws {
    portal = try TestPortal(AppointmentsModule(), Welcome())
    administrator = try portal.administrator()
  }

  @Test func `a portal without clinics has no card`() {
    #expect(portal.visitor().get("/welcome").text.contains("none"))
  }

  @Test func `the only clinic is shown with its telephone number and the search`() throws {
    _ = try administrator.enterClinic()
    let page = portal.visitor().get("/welcome")
    #expect(page.hasField("q") && page.contains("action=\"/appointments/doctors\""))
    #expect(page.hasLink(to: "/appointments/doctors"))
    #expect(page.hasLink(to: "/appointments/clinics/nearest"))
    // No example names a day, on which nobody may be free.
    #expect(page.hasLink("dentist") && page.hasLink("children’s doctor"))
    #expect(page.hasLink(to: "tel:+37517123") && page.hasLink("River Clinic"))
  }

  @Test func `the card lists the first three of several clinics`() throws {
    for name in ["D", "B", "A", "C"] {
      _ = try administrator.enterClinic(["name_en": "Clinic \(name)"])
    }
    let page = portal.visitor().get("/welcome")
    let rows = page.rows
    #expect(rows.count == 3 && page.hasLink("Show all 4 clinics"))
    #expect(zip(rows, ["A", "B", "C"]).allSatisfy { $0.contains("Clinic \($1)") })
  }

  @Test func `the list of several clinics does not say that they are near`() throws {
    for name in ["A", "B", "C"] { _ = try administrator.enterClinic(["name_en": "Clinic \(name)"]) }
    let page = portal.visitor().get("/welcome")
    #expect(page.main.all("h3").map(\.text) == ["Clinics"])
    let links = page.main.all("a").compactMap { $0.attributes["href"] }
    #expect(!page.text.contains("near you") && !links.contains("/appointments/clinics"))
  }

  @Test func `visitors who have signed in do not get the card`() throws {
    _ = try administrator.enterClinic()
    #expect(administrator.get("/welcome").text.contains("none"))
  }
}
