import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

@Suite struct MyClinicTests {
  private let clinics: Clinics
  private var portal: TestPortal { clinics.portal }

  init() throws { clinics = try Clinics() }

  @Test func `a portal that requires a clinic asks for it at registration and in the profile`()
    throws
  {
    // The doctor has registered before there was a clinic.
    let town = try Town(clinicRule: "required")
    let (clinic, portal) = (town.clinic, town.portal)
    let page = portal.visitor().get("/register")
    #expect(page.choices(of: "clinic") == ["", "\(clinic)"])
    #expect(page.body.contains("id=\"clinic\" name=\"clinic\" required"))
    #expect(page.offers("First Clinic", in: "clinic"))
    let fields = TestVisitor.registration(login: "anna").merging(["name": ""]) { $1 }
    let refused = try portal.visitor().submit("/register", fields)
    #expect(refused.refuses("clinic") && refused.refuses("name"))
    let unknown = try portal.visitor().submit(
      "/register", TestVisitor.registration(login: "anna").merging(["clinic": "99"]) { $1 })
    #expect(unknown.refuses("clinic"))
    let anna = try portal.register(["clinic": "\(clinic)"])
    #expect(anna.get("/account").fact("Clinic")?.contains("First Clinic") == true)
    var profile = TestVisitor.registration(login: anna.login)
    #expect(try anna.submit("/account/edit", profile).refuses("clinic"))
    profile["clinic"] = "\(clinic)"
    #expect(try anna.submit("/account/edit", profile).status == 303)
  }

  @Test(arguments: [Language.english, .russian, .hebrew])
  func `a required clinic keeps nobody out while no clinic is open`(_ language: Language) throws {
    let town = try Town(clinicRule: "required")
    try town.portal.database.write {
      _ = try $0.run("UPDATE appointments_clinics SET closed_at = 1")
    }
    #expect(!town.portal.visitor(language: language).get("/register").hasField("clinic"))
    let anna = try town.portal.register(language: language)
    #expect(!anna.get("/account/edit").hasField("clinic"))
    #expect(
      try anna.submit("/account/edit", TestVisitor.registration(login: anna.login)).status == 303)
  }

  private func page(of clinic: ID<Clinic>) -> String { "/appointments/clinics/\(clinic)" }

  @Test func `the clinic of the next appointment is shown until another one is chosen`() throws {
    let town = clinics.town
    let anna = try portal.register()
    let path = try town.book(anna, "2026-05-05", "09:00")
    let home = anna.get("/")
    #expect(!home.contains("You have not chosen a clinic yet."))
    #expect(home.hasLink(to: "/appointments/new?clinic=\(town.clinic)"))
    #expect(home.contains("Clinic of your next visit") && !home.contains("My clinic"))
    town.portal.now = town.portal.now + .days(30)
    #expect(try anna.signIn(anna.login).status == 303)
    let later = anna.get("/")
    #expect(!later.contains("You have not chosen a clinic yet."))
    #expect(later.contains("Clinic of your last visit") && !later.contains("My clinic"))
    let here = page(of: town.clinic)
    #expect(anna.press("\(here)/choose", on: here).location == here)
    #expect(anna.get("/").contains("My clinic"))
    #expect(!anna.get("/").contains("Clinic of your last visit"))
    let boris = try portal.register()
    let cancelled = try town.book(boris, "2026-06-10", "09:00")
    #expect(try boris.submit(cancelled + "/cancel", [:]).status == 303 && cancelled != path)
    #expect(boris.get("/").contains("You have not chosen a clinic yet."))
  }

  @Test func `a clinic chosen on its page is shown on the dashboard`() throws {
    let anna = try portal.register()
    #expect(anna.get("/").contains("You have not chosen a clinic yet."))
    let here = page(of: clinics.town.clinic)
    #expect(anna.press("\(here)/choose", on: here).location == here)
    #expect(anna.get(here).hasBadge("My clinic"))
    #expect(!anna.get(here).contains("Choose as my clinic"))
    let home = anna.get("/")
    #expect(home.hasLink("First Clinic"))
    #expect(home.contains("Cardiology"))
    #expect(home.hasLink(to: "/appointments/new?clinic=\(clinics.town.clinic)"))
    #expect(home.hasLink(to: "tel:+37517000"))
    let there = page(of: clinics.children)
    #expect(anna.press("\(there)/choose", on: there).location == there)
    #expect(anna.get("/").hasLink("Children’s House"))
    #expect(!anna.get("/").contains("First Clinic"))
  }

  @Test func `a clinic is chosen at registration, and changed and removed in the profile`() throws {
    let anna = try portal.register(["clinic": "\(clinics.children)"])
    #expect(anna.get("/").hasLink("Children’s House"))
    var profile = [
      "login": anna.login, "email": "\(anna.login)@example.org", "name": "Anna",
      "surname": "Petrova",
      "street": "Long Street", "house_number": "1", "city": "Minsk", "country": "BY",
      "clinic": "\(clinics.hospital)",
    ]
    #expect(try anna.submit("/account/edit", profile).status == 303)
    #expect(anna.get("/").hasLink("River Hospital"))
    profile["clinic"] = ""
    #expect(try anna.submit("/account/edit", profile).status == 303)
    #expect(anna.get("/").contains("You have not chosen a clinic yet."))
  }

  @Test func `an unknown or closed clinic cannot be chosen`() throws {
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
      #expect(answer.hasError(of: "clinic"), "\(clinic)")
    }
  }

  @Test func `a chosen clinic that has closed stays selected and is shown as closed`() throws {
    let anna = try portal.register(["clinic": "\(clinics.hospital)"])
    try clinics.close(clinics.hospital)
    let home = anna.get("/")
    #expect(home.contains("This clinic is closed."))
    #expect(!home.hasLink(with: "/appointments/new?clinic="))
    #expect(anna.get("/account/edit").offers("River Hospital, Brest (closed)", in: "clinic"))
  }

  @Test func `the chosen clinic is exported and is deleted on erasure`() throws {
    let anna = try portal.register(["clinic": "\(clinics.hospital)"])
    let copy = try portal.export(of: anna, from: "appointments")
    #expect(String(decoding: copy.encoded, as: UTF8.self).contains("River Hospital"))
    try portal.erase(anna)
    #expect(try portal.rowCounts()["appointments_chosen_clinics"] == 0)
  }
}
