import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// Links and redirects after a cancelled step, a refusal and a sign-in.
@Suite struct BackLinkTests {
  private let town: Town
  private let anna: TestVisitor

  init() throws {
    town = try Town()
    anna = try town.portal.register()
  }

  @Test func `each page of a booking links back to the page before`() throws {
    let path = town.confirmation("2026-05-05", "09:00")
    let day = "/appointments/book?doctor=\(town.doctor)&date=2026-05-05"
    #expect(anna.get(path).backLink == day)
    let doctors = "/appointments/new?specialization=cardiology"
    #expect(anna.get(day).backLink == doctors)
    #expect(anna.get(doctors).hasRow("Dr. House"))
    #expect(try anna.submit(path, ["cancel": "yes"]).location == day)
    let asked = try anna.submit(path, ["cancel": "yes", "purpose": "Chest pain"])
    #expect(asked.status == 200 && asked.heading == "Discard changes?")
  }

  @Test(arguments: [("date", "2026-05-03"), ("time", "09:05"), ("date", "2026-05-09")])
  func `a refused booking links to the doctor's free times`(
    name: String, value: String
  ) throws {
    let form = anna.get(town.confirmation("2026-05-05", "09:00")).hidden(of: "/appointments/book")
    let pairs = form.map { $0.0 == name ? (name, value) : $0 }
    let answer = anna.post("/appointments/book", pairs: pairs)
    #expect(answer.status == 422)
    #expect(
      answer.link(to: "/appointments/book?doctor=\(town.doctor)") == "All free times")
  }

  @Test func `cancelling an unchanged reschedule leads back to the appointment`() throws {
    let path = try town.book(anna, "2026-05-05", "09:00", purpose: "Cough")
    let last = "\(path)/edit?date=2026-05-06&time=10:00"
    let answer = try anna.submit(last, ["purpose": "Cough", "cancel": "yes"])
    #expect(answer.location == path)
  }

  @Test func `a refused reschedule links to the doctor's free times`() throws {
    let path = try town.book(anna, "2026-05-05", "09:00")
    let form = anna.get("\(path)/edit?date=2026-05-06&time=10:00").hidden(of: "\(path)/edit")
    let answer = anna.post(
      "\(path)/edit", pairs: form.map { $0.0 == "time" ? ("time", "10:05") : $0 })
    #expect(answer.status == 422)
    #expect(answer.link(to: "\(path)/edit?doctor=\(town.doctor)") == "All free times")
    #expect(anna.get("\(path)/edit?doctor=\(town.doctor)").hasLink(with: "date=2026-05-06"))
  }

  @Test func `registration leads back to the time that a guest has chosen`() throws {
    let guest = town.portal.visitor()
    let chosen = town.confirmation("2026-05-05", "09:00")
    let registration = guest.press("/appointments/book/hold", on: chosen).location
    #expect(registration.hasPrefix("/register?next="))
    let back = try #require(guest.get(registration).backLink)
    #expect(guest.get(back).heading == "Confirm the appointment")
    #expect(guest.get(back).text.contains("09:00"))
    #expect(try guest.submit(registration, ["cancel": "yes"]).location == back)
  }

  @Test func `a time chosen by a guest is still chosen after the sign-in`() throws {
    let guest = town.portal.visitor()
    let path = town.confirmation("2026-05-05", "09:00")
    let way =
      "/login?next="
      + path.replacing("/", with: "%2F").replacing("?", with: "%3F")
      .replacing("=", with: "%3D").replacing("&", with: "%26").replacing(":", with: "%253A")
    #expect(guest.get(path).hasLink(to: way))
    let page = guest.get(way)
    let hidden = try #require(page.hidden(of: "/login").first { $0.0 == "next" }).1
    let next = hidden.replacing("&amp;", with: "&")
    #expect(next.contains("date=2026-05-05") && next.contains("time=09%3A00"))
    let login = try town.portal.register(login: "guest").login
    let answer = try guest.submit(
      way, ["login": login, "password": TestVisitor.password, "next": next])
    #expect(answer.status == 303 && answer.location.hasPrefix("/appointments/book?doctor="))
    #expect(guest.get(answer.location).heading == "Confirm the appointment")
  }

  /// Sends a form in an expired session, signs in again and follows the redirect.
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

  @Test func `a booking sent in an expired session is filled in again after the sign-in`() throws {
    let path = "/appointments/book"
    let form = anna.get(town.confirmation("2026-05-05", "09:00")).hidden(of: path)
    let page = try carry(form + [("purpose", "Chest pain")], to: path)
    #expect(page.heading == "Confirm the appointment" && page.value(of: "purpose") == "Chest pain")
    let answer = anna.post(path, pairs: page.hidden(of: path) + [("purpose", "Chest pain")])
    #expect(anna.get(answer.location).fact("When") == "Tuesday, 5 May 2026, 09:00–09:10")
  }

  @Test func `the sign-in address keeps a reschedule and omits a personal appointment`() throws {
    let path = try town.book(anna, "2026-05-05", "09:00") + "/edit"
    let form = anna.get("\(path)?date=2026-05-06&time=10:00").hidden(of: path)
    #expect(try carry(form, to: path).hasButton("Change to this time"))
    let own = anna.get("/appointments/new").hidden(of: "/appointments/new")
    town.portal.now = town.portal.now + .hours(2)
    let ended = anna.post(
      "/appointments/new",
      pairs: own + [("date", "2026-05-10"), ("time", "11:30"), ("location", "Dentist")])
    #expect(ended.hidden(of: "/login").contains { $0 == ("next", "/appointments/new") })
  }

  @Test func `the sign-in address keeps only the listed query parameters`() {
    let guest = town.portal.visitor()
    let way = guest.get("/appointments/1/edit?doctor=1&q=secret&purpose=secret&month=2026-06")
    #expect(way.location == "/login?next=%2Fappointments%2F1%2Fedit%3Fdoctor%3D1")
    #expect(guest.get("/appointments?q=secret").location == "/login?next=%2Fappointments")
  }

  @Test func `the cancel and edit pages of a cancelled appointment link back to it`() throws {
    let path = try town.book(anna, "2026-05-05", "09:00")
    #expect(try anna.submit("\(path)/cancel", [:]).status == 303)
    for page in ["cancel", "edit"] {
      let late = anna.get("\(path)/\(page)")
      #expect(late.status == 409)
      #expect(late.link(to: "\(path)") == "Back: Appointment")
    }
  }

  @Test func `no Russian sentence ends with a date, which already has a full stop`() throws {
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
      #expect(shown.status == 200 && shown.hasNotice(.warning, "1970"), "\(page)")
      #expect(!shown.contains("г.."), "\(page)")
      #expect(!shown.contains("г. З"), "\(page)")
    }
    let privacy = olga.get("/privacy")
    #expect(privacy.contains("г. вы согласились с этой версией.") && !privacy.contains("г.."))
  }
}
