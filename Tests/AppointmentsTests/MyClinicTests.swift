import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

@Suite struct MyClinicTests {
  private let clinics: Clinics
  private var portal: TestPortal { clinics.portal }

  init() throws { clinics = try Clinics() }

  private func page(of clinic: ID<Clinic>) -> String { "/appointments/clinics/\(clinic)" }

  @Test func `a clinic is chosen on its page, and stands on the dashboard`() throws {
    let anna = try portal.register()
    #expect(anna.get("/").contains("You have not chosen a clinic yet."))
    let here = page(of: clinics.town.clinic)
    #expect(anna.press("\(here)/choose", on: here).location == here)
    #expect(anna.get(here).contains("My clinic"))
    #expect(!anna.get(here).contains("Choose as my clinic"))
    let home = anna.get("/")
    #expect(home.contains("First Clinic"))
    #expect(home.contains("Cardiology"))
    #expect(home.contains("href=\"tel:+37517000\""))
    let there = page(of: clinics.children)
    #expect(anna.press("\(there)/choose", on: there).location == there)
    #expect(anna.get("/").contains("Children’s House"))
    #expect(!anna.get("/").contains("First Clinic"))
  }

  @Test func `a clinic is chosen at registration, changed and left in the profile`() throws {
    let anna = try portal.register(["clinic": "\(clinics.children)"])
    #expect(anna.get("/").contains("Children’s House"))
    var profile = [
      "login": anna.login, "email": "\(anna.login)@example.org", "name": "Anna",
      "surname": "Petrova",
      "street": "Long Street", "house_number": "1", "city": "Minsk", "country": "BY",
      "clinic": "\(clinics.hospital)",
    ]
    #expect(try anna.submit("/account/edit", profile).status == 303)
    #expect(anna.get("/").contains("River Hospital"))
    profile["clinic"] = ""
    #expect(try anna.submit("/account/edit", profile).status == 303)
    #expect(anna.get("/").contains("You have not chosen a clinic yet."))
  }

  @Test func `a clinic that is not there or closed cannot be chosen`() throws {
    let anna = try portal.register()
    let here = page(of: clinics.town.clinic)
    let hidden = anna.get(here).hidden(of: "\(here)/choose")
    try clinics.close(clinics.town.clinic)
    #expect(anna.post("\(here)/choose", pairs: hidden).status == 409)
    #expect(anna.post("/appointments/clinics/999/choose", pairs: hidden).status == 404)
    #expect(portal.visitor().post("\(here)/choose", pairs: []).status == 401)
    for clinic in ["\(clinics.town.clinic)", "999", "x", "1 OR 1=1"] {
      let fields = TestVisitor.registration(login: "boris").merging(["clinic": clinic]) { $1 }
      let answer = try portal.visitor().submit("/register", fields)
      #expect(answer.status == 422, "\(clinic)")
      #expect(answer.contains("id=\"clinic-error\""), "\(clinic)")
    }
  }

  @Test
  func `who goes to a clinic that has closed since is told, and keeps it until choosing anew`()
    throws
  {
    let anna = try portal.register(["clinic": "\(clinics.hospital)"])
    try clinics.close(clinics.hospital)
    let home = anna.get("/")
    #expect(home.contains("This clinic is closed."))
    #expect(!home.contains("Book an appointment"))
    #expect(anna.get("/account/edit").contains("River Hospital, Brest (closed)"))
  }

  @Test func `the choice is in the copy of one's data, and goes with the person`() throws {
    let anna = try portal.register(["clinic": "\(clinics.hospital)"])
    let copy = try portal.export(of: anna, from: "appointments")
    #expect(String(decoding: copy.encoded, as: UTF8.self).contains("River Hospital"))
    try portal.erase(anna)
    #expect(try portal.rowCounts()["appointments_chosen_clinics"] == 0)
  }
}
