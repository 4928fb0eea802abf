import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// The reception's day, its bookings for patients, and its notices.
@Suite struct ReceptionTests {
  @Test func `a printed day has its date, and no links to other days`() throws {
    let town = try Town()
    let page = try town.atReception().get("/appointments/desk?date=2026-05-05")
    let day = try #require(page.main.first { $0.hasClass("days") })
    #expect(day.all("strong").map(\.text) == ["Tuesday, 5 May 2026"])
    #expect(day.all("a").allSatisfy { $0.hasClass("button") })
  }

  @Test func `a receptionist sees the day's names, and the access log records it`() throws {
    let town = try Town()
    let desk = try town.atReception()
    let anna = try town.portal.register()
    try town.book(anna, "2026-05-05", "09:00", purpose: "Chest pain")
    let page = desk.get("/appointments/desk?date=2026-05-05")
    #expect(page.status == 200 && page.hasRow("Anna Petrova") && page.hasRow("09:00"))
    #expect(!page.contains("Chest pain"))
    #expect(desk.get("/appointments/desk").contains("No appointments"))
    #expect(anna.get("/account/access-log").hasBadge("Receptionist"))
    #expect(anna.get("/appointments/desk").status == 403)
  }

  @Test func `the reception's day shows each doctor's free times, which lead to the patient`()
    throws
  {
    let town = try Town()
    let desk = try town.atReception()
    let path = try town.book(try town.portal.register(), "2026-05-05", "09:00")
    let day = desk.get("/appointments/desk?date=2026-05-05")
    let times = "/appointments/desk/book?doctor=\(town.doctor)&date=2026-05-05"
    #expect(day.link(to: times) == "41 free times Dr. House")
    let hours = day.main.first { $0.hasClass("free-times") }?.all("a").map(\.text) ?? []
    #expect(
      hours.map { $0.prefix(5) } == [
        "09:10", "10:00", "11:00", "12:00", "14:00", "15:00", "16:00",
      ])
    #expect(hours[0].contains("+4") && hours[0].contains("4 more times"))
    let search = desk.get("\(times)&time=09%3A10&search=1")
    #expect(day.hasLink(to: "\(times)&time=09%3A10&search=1"))
    #expect(search.hasField("q") && search.hasButton("Book for a new patient"))
    #expect(day.hasLink(to: path + "/reschedule") && day.hasLink(to: path + "/withdraw"))
    #expect(!day.hasBadge("Booked"))
    let weekend = desk.get("/appointments/desk?date=2026-05-09")
    #expect(weekend.isEmptyList("No appointments") && !weekend.text.contains("free time"))
  }

  @Test func `a fully booked hour differs from one in which the doctor does not work`() throws {
    let town = try Town(slotMinutes: 30)
    let desk = try town.atReception()
    for time in ["10:00", "10:30", "11:00"] {
      try town.book(town.portal.register(), "2026-05-05", time)
    }
    let day = desk.get("/appointments/desk?date=2026-05-05")
    let hours = try #require(day.main.first { $0.hasClass("free-times") })
    #expect(hours.all("s").map(\.text) == ["10:00"])
    let cells = hours.all("li").map(\.text)
    #expect(cells.count == 8 && cells[1].contains("Fully booked"))
    #expect(cells[2] == "11:30" && cells[4].isEmpty && cells[7].contains("+1"))
    #expect(day.contains("Crossed out: fully booked"))
  }

  @Test func `only times to come are free, and another day leads back to today`() throws {
    let town = try Town()
    let desk = try town.atReception()
    let today = desk.get("/appointments/desk")
    #expect(today.hasLink(with: "time=12%3A10") && !today.hasLink(with: "time=11%3A00"))
    #expect(!today.hasButton("Today"))
    let past = desk.get("/appointments/desk?date=2026-05-01")
    #expect(past.hasButton("Today") && !past.hasLink(with: "time="))
    #expect(!past.text.contains("free time"))
  }

  @Test(
    arguments: [
      "UPDATE appointments_doctors SET disabled_at = 1",
      "UPDATE appointments_departments SET closed_at = 1",
    ] as [SQL])
  func `a doctor who cannot be booked any more is listed with the day's bookings`(_ change: SQL)
    throws
  {
    let town = try Town()
    let desk = try town.atReception()
    try town.book(town.portal.register(), "2026-05-05", "09:00")
    try town.portal.write { _ = try $0.run(change) }
    let day = desk.get("/appointments/desk?date=2026-05-05")
    #expect(day.contains("Dr. House") && day.hasRow("Anna Petrova"))
    #expect(!day.text.contains("free times"))
    #expect(!desk.get("/appointments/desk?date=2026-05-06").contains("Dr. House"))
  }

  @Test func `patients are offered alerts for earlier times, receptionists are not`() throws {
    let town = try Town()
    let desk = try town.atReception()
    let month = desk.get("/appointments/desk/book?doctor=\(town.doctor)")
    #expect(month.status == 200 && !month.contains("/appointments/wishes"))
    let anna = try town.portal.register()
    let own = anna.get("/appointments/book?doctor=\(town.doctor)")
    #expect(own.contains("/appointments/wishes") && !own.contains("<p class=\"actions\"><form"))
  }

  @Test func `another doctor and a receptionist without a clinic get 404`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-04", "12:10")
    let stranger = try town.portal.receptionist()
    #expect(
      stranger.get("/appointments/desk").hasSection("You are not assigned to a reception yet"))
    #expect(stranger.push(path + "/arrived").status == 404)
    let doctor = try town.portal.doctor()
    #expect(doctor.push(path + "/fulfilled").status == 404)
    #expect(doctor.get(path).status == 404)
  }

  @Test func `a receptionist books for a patient found by full login or e-mail address`() throws {
    let town = try Town()
    let desk = try town.atReception()
    let anna = try town.portal.register(login: "anna")
    let last = "/appointments/desk/book/login?doctor=\(town.doctor)&date=2026-05-05&time=09:00"
    #expect(desk.get("/appointments/desk/book").hasRow("Dr. House"))
    #expect(desk.get(last).hasButton("The patient has no account"))
    #expect(try desk.submit(last, ["patient": "ann"]).status == 422)
    let answer = try desk.submit(last, ["patient": "anna@example.org"])
    #expect(answer.location == "/appointments/desk?date=2026-05-05&changed=1#changed")
    #expect(
      desk.get(answer.location).hasNotice(
        .success, "Anna Petrova · Dr. House · Tuesday, 5 May 2026"))
    #expect(anna.get("/appointments").hasRow("Dr. House"))
    #expect(anna.get("/account/access-log").hasRow("5 May 2026 at 09:00"))
    #expect(town.portal.notified(anna, "was booked for you"))
    let again = try desk.submit(last, ["patient": "anna"])
    #expect(again.status == 303 && again.location == "/appointments/1")
  }

  @Test func `a receptionist books for a patient without an account`() throws {
    let town = try Town()
    let desk = try town.atReception()
    let last = "/appointments/desk/new?doctor=\(town.doctor)&date=2026-05-05&time=09:00"
    #expect(try desk.submit(last, ["name": " ", "surname": "Novak"]).status == 422)
    let answer = try desk.submit(
      last, ["name": "Eva", "surname": "Novak", "phone": "+375 29 1234567"])
    #expect(answer.location == "/appointments/desk?date=2026-05-05&changed=1#changed")
    #expect(desk.get(answer.location).hasNotice(.success, "Eva Novak"))
  }

  @Test func `a receptionist of another clinic cannot book with the doctor`() throws {
    let town = try Town()
    let desk = try town.portal.receptionist()
    let last = "/appointments/desk/new?doctor=\(town.doctor)&date=2026-05-05&time=09:00"
    let answer = try desk.submit(last, ["name": "Eva"])
    #expect(answer.status == 422 && answer.hasError("does not work at your clinic"))
  }

  @Test func `a receptionist's cancellation notifies patient and alert subscribers`() throws {
    let town = try Town()
    let desk = try town.atReception()
    let anna = try town.portal.register()
    let boris = try town.portal.register()
    let path = try town.book(anna, "2026-05-05", "09:00")
    let page = "/appointments/book?doctor=\(town.doctor)"
    _ = boris.press("/appointments/wishes/\(town.doctor)", on: page)
    #expect(try desk.submit(path + "/withdraw", [:]).status == 303)
    #expect(town.portal.notified(anna, "was cancelled"))
    #expect(town.portal.notified(boris, "has a free time"))
    #expect(try desk.submit(path + "/withdraw", [:]).status == 409)
  }

  @Test func `a receptionist's booking and its cancellation each notify the patient`() throws {
    let town = try Town()
    let desk = try town.atReception()
    let anna = try town.portal.register(login: "anna")
    let path = try town.book("anna", "2026-05-05", "09:00", by: desk)
    #expect(try desk.submit(path + "/withdraw", [:]).status == 303)
    let inbox = anna.get("/notifications")
    #expect(inbox.hasRow("was booked for you") && inbox.hasRow("was cancelled"))
  }

  @Test func `erased staff stay in the patients' history by name and role`() throws {
    let town = try Town()
    let desk = try town.atReception()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-04", "12:10")
    _ = desk.press(path + "/arrived", on: "/appointments/desk?date=2026-05-04")
    try town.portal.erase(desk)
    let page = anna.get(path)
    #expect(page.hasRow("Olga Desk, receptionist"))
    town.portal.now = .start(10)
    #expect(town.doctorVisitor.push(path + "/fulfilled").status == 303)
    let before = anna.get(path).body
    try town.portal.erase(town.doctorVisitor)
    let shown = anna.get(path)
    #expect(shown.hasFact("Dr. House") && shown.hasRow("Petrova, doctor"))
    let history = { (page: String) in
      page.split(separator: "<ol class=\"rows\">").last?.split(separator: "</ol>").first
    }
    #expect(history(anna.get(path).body) == history(before))
    #expect(anna.get("/appointments/book?doctor=\(town.doctor)").status == 409)
  }

  @Test func `the reception says why an arrival cannot be marked yet, and that a doctor is off`()
    throws
  {
    let town = try Town()
    let desk = try town.atReception()
    let form = ["exception": "off", "first_day": "2026-05-06"]
    #expect(try town.doctorVisitor.submit("/appointments/hours/new", form).status == 303)
    let early = "from two hours before the appointment"
    #expect(!desk.get("/appointments/desk").contains(early))
    try town.book(town.portal.register(), "2026-05-04", "15:00")
    #expect(desk.get("/appointments/desk").contains(early))
    town.portal.now = .start(61)
    _ = try desk.signIn(desk.login)
    let later = desk.get("/appointments/desk")
    #expect(later.hasForm(for: "/appointments/1/arrived") && !later.contains(early))
    try town.book(town.portal.register(), "2026-05-05", "15:00")
    #expect(!desk.get("/appointments/desk?date=2026-05-05").contains(early))
    let day = desk.get("/appointments/desk?date=2026-05-06")
    #expect(day.contains("Off on this day") && !day.contains("No appointments"))
  }

  @Test func `a reception without a doctor who sees patients says so`() throws {
    let town = try Town()
    let desk = try town.atReception()
    try town.portal.write {
      try Doctor.disable(town.doctor, in: $0)
    }
    #expect(desk.get("/appointments/desk/new").isEmptyList())
    #expect(!desk.get("/appointments/desk/book").hasSection("Or choose the doctor first"))
  }
}
