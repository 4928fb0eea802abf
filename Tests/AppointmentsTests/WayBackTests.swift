import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// Where one gets to who does not go on, is refused, or has to sign in first.
@Suite struct WayBackTests {
  private let town: Town
  private let anna: TestVisitor

  init() throws {
    town = try Town()
    anna = try town.portal.register()
  }

  private func back(on page: TestPage) -> String {
    let link = page.body.range(of: "<a class=\"back\" href=\"")
    let path = link.map { String(page.body[$0.upperBound...].prefix { $0 != "\"" }) }
    return path?.replacing("&amp;", with: "&") ?? ""
  }

  @Test func `the last page leads back to the day, the day to the month, the month to the doctors`()
    throws
  {
    let path = town.confirmation("2026-05-05", "09:00")
    let day = "/appointments/new?doctor=\(town.doctor)&date=2026-05-05"
    #expect(back(on: anna.get(path)) == day)
    let month = "/appointments/new?doctor=\(town.doctor)&month=2026-05"
    #expect(back(on: anna.get(day)) == month)
    let doctors = "/appointments/new?specialization=cardiology"
    #expect(back(on: anna.get(month)) == doctors)
    #expect(anna.get(doctors).contains("Dr. House"))
    #expect(try anna.submit(path, ["cancel": "yes"]).location == day)
    let asked = try anna.submit(path, ["cancel": "yes", "purpose": "Chest pain"])
    #expect(asked.status == 200 && asked.contains("Discard changes?"))
  }

  @Test(arguments: [("date", "2026-05-03"), ("time", "09:05"), ("date", "2026-05-09")])
  func `what cannot be booked has the way to the doctor's free times`(
    name: String, value: String
  ) throws {
    let form = anna.get(town.confirmation("2026-05-05", "09:00")).hidden(of: "/appointments/new")
    let pairs = form.map { $0.0 == name ? (name, value) : $0 }
    let answer = anna.post("/appointments/new", pairs: pairs)
    #expect(answer.status == 422)
    #expect(
      answer.contains("href=\"/appointments/new?doctor=\(town.doctor)\">All free times</a>"))
  }

  @Test func `who moves an appointment gets back from it at once where nothing was typed`() throws {
    let path = try town.book(anna, "2026-05-05", "09:00", purpose: "Cough")
    let last = "\(path)/edit?date=2026-05-06&time=10:00"
    let answer = try anna.submit(last, ["purpose": "Cough", "cancel": "yes"])
    #expect(answer.location == path)
  }

  @Test func `who moves an appointment has the way to the free times too`() throws {
    let path = try town.book(anna, "2026-05-05", "09:00")
    let form = anna.get("\(path)/edit?date=2026-05-06&time=10:00").hidden(of: "\(path)/edit")
    let answer = anna.post(
      "\(path)/edit", pairs: form.map { $0.0 == "time" ? ("time", "10:05") : $0 })
    #expect(answer.status == 422)
    #expect(answer.contains("href=\"\(path)/edit?doctor=\(town.doctor)\">All free times</a>"))
    #expect(anna.get("\(path)/edit?doctor=\(town.doctor)").contains("date=2026-05-06"))
  }

  @Test func `the time that a guest has chosen is still chosen after signing in`() throws {
    let guest = town.portal.visitor()
    let path = town.confirmation("2026-05-05", "09:00")
    let way = guest.get(path)
    #expect(way.status == 303)
    let page = guest.get(way.location)
    let hidden = try #require(page.hidden(of: "/login").first { $0.0 == "next" }).1
    let next = hidden.replacing("&amp;", with: "&")
    #expect(next.contains("date=2026-05-05") && next.contains("time=09%3A00"))
    let login = try town.portal.register(login: "guest").login
    let answer = try guest.submit(
      way.location, ["login": login, "password": TestVisitor.password, "next": next])
    #expect(answer.status == 303 && answer.location.hasPrefix("/appointments/new?doctor="))
    #expect(guest.get(answer.location).contains("Confirm the appointment"))
  }

  /// Sends a form whose session has ended, signs in again, and follows the way back.
  private func carry(_ form: [(String, String)], to path: String) throws -> TestPage {
    town.portal.now = town.portal.now + .hours(2)
    let ended = anna.post(path, pairs: form)
    #expect(ended.status == 401)
    let hidden = ended.hidden(of: "/login").filter { $0.0 != "next" }
    let answer = anna.post(
      "/login", pairs: hidden + [("login", anna.login), ("password", TestVisitor.password)])
    #expect(answer.status == 303)
    return anna.get(answer.location)
  }

  @Test func `a booking that was sent too late is filled in again after signing in`() throws {
    let path = "/appointments/new"
    let form = anna.get(town.confirmation("2026-05-05", "09:00")).hidden(of: path)
    let page = try carry(form + [("purpose", "Chest pain")], to: path)
    #expect(page.contains("Confirm the appointment") && page.contains("Chest pain"))
    let answer = anna.post(path, pairs: page.hidden(of: path) + [("purpose", "Chest pain")])
    #expect(anna.get(answer.location).contains("Tuesday, 5 May 2026, 09:00–09:10"))
  }

  @Test func `so is a move, and nothing of an appointment elsewhere gets into an address`() throws {
    let path = try town.book(anna, "2026-05-05", "09:00") + "/edit"
    let form = anna.get("\(path)?date=2026-05-06&time=10:00").hidden(of: path)
    #expect(try carry(form, to: path).contains("Move it to this time"))
    let own = anna.get("/appointments/new").hidden(of: "/appointments/new")
    town.portal.now = town.portal.now + .hours(2)
    let ended = anna.post(
      "/appointments/new",
      pairs: own + [("date", "2026-05-10"), ("time", "11:30"), ("location", "Dentist")])
    #expect(ended.hidden(of: "/login").contains { $0 == ("next", "/appointments/new") })
  }

  @Test func `nothing else of an address is kept while somebody signs in`() {
    let guest = town.portal.visitor()
    let way = guest.get("/appointments/new?doctor=1&q=secret&purpose=secret&month=2026-06")
    #expect(way.location == "/login?next=%2Fappointments%2Fnew%3Fdoctor%3D1")
    #expect(guest.get("/appointments?q=secret").location == "/login?next=%2Fappointments")
  }

  @Test func `a page that comes too late leads to the appointment`() throws {
    let path = try town.book(anna, "2026-05-05", "09:00")
    #expect(try anna.submit("\(path)/cancel", [:]).status == 303)
    for page in ["cancel", "edit"] {
      let late = anna.get("\(path)/\(page)")
      #expect(late.status == 409)
      #expect(late.contains("<a class=\"button\" href=\"\(path)\">Back</a>"))
    }
  }

  @Test func `no Russian sentence ends right behind a date, which has a full stop`() throws {
    try town.portal.database.write { connection in
      try connection.run("UPDATE appointments_clinics SET closed_at = 1")
      try connection.run("UPDATE appointments_departments SET closed_at = 1")
      try connection.run("UPDATE appointments_doctors SET disabled_at = 1")
    }
    let olga = try town.portal.register(language: .russian)
    try town.portal.grant(.administrator, to: olga.login)
    for page in [
      "clinics/\(town.clinic)", "admin/clinics/\(town.clinic)",
      "admin/departments/\(town.department)", "admin/doctors/\(town.doctor)",
    ] {
      let shown = olga.get("/appointments/\(page)")
      #expect(shown.status == 200 && shown.contains("1970"), "\(page)")
      #expect(!shown.contains("г.."), "\(page)")
      #expect(!shown.contains("г. З"), "\(page)")
    }
    let privacy = olga.get("/privacy")
    #expect(privacy.contains("г. вы согласились с этой версией.") && !privacy.contains("г.."))
  }
}
