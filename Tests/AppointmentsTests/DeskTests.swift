import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// What is done for patients by those who work for them.
@Suite struct DeskTests {
  @Test func `the desk sees names and times of the day, and the patient reads of it`() throws {
    let town = try Town()
    let desk = try town.atDesk()
    let anna = try town.portal.register()
    try town.book(anna, "2026-05-05", "09:00", purpose: "Chest pain")
    let page = desk.get("/appointments/desk?date=2026-05-05")
    #expect(page.status == 200 && page.contains("Anna Petrova") && page.contains("09:00"))
    #expect(!page.contains("Chest pain"))
    #expect(desk.get("/appointments/desk").contains("Nobody is booked"))
    #expect(anna.get("/account/access-log").contains("Receptionist"))
    #expect(anna.get("/appointments/desk").status == 403)
  }

  @Test func `who comes is marked, step by step, by the desk`() throws {
    let town = try Town()
    let desk = try town.atDesk()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-04", "15:00")
    let day = "/appointments/desk?date=2026-05-04"
    #expect(desk.press(path + "/noshow", on: day, evenIfAbsent: true).status == 409)
    #expect(desk.press(path + "/arrived", on: day).location == day)
    #expect(desk.get(day).contains("badge waiting"))
    #expect(desk.press(path + "/fulfilled", on: day).status == 303)
    #expect(desk.push(path + "/arrived").status == 409)
    let page = anna.get(path)
    #expect(page.contains("Took place") && page.contains("receptionist"))
    #expect(anna.get("/account/access-log").contains("4 May 2026 at 15:00"))
    #expect(anna.get("/appointments?show=completed").contains("Took place"))
  }

  @Test func `a mark that was set by mistake is taken back on the same day`() throws {
    let town = try Town()
    let desk = try town.atDesk()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-04", "15:00")
    let day = "/appointments/desk?date=2026-05-04"
    #expect(!desk.get(day).contains(path + "/booked"))
    for mark in ["/arrived", "/fulfilled"] {
      #expect(desk.press(path + mark, on: day).status == 303)
      #expect(desk.press(path + "/booked", on: day).location == day)
    }
    let page = anna.get(path)
    #expect(page.contains("The note was taken back") && !page.contains("Moved to"))
    #expect(anna.get("/account/access-log").contains("Took back a note about the appointment"))
    #expect(desk.press(path + "/arrived", on: day).status == 303)
    town.portal.now = town.portal.now + .days(1)
    _ = try desk.signIn(desk.login)
    #expect(!desk.get(day).contains(path + "/booked"))
    let late = desk.push(path + "/booked")
    #expect(late.status == 409 && late.contains("what was noted then stands"))
  }

  @Test
  func `who was not absent after all is booked as before, and a mark that was not seen stands`()
    throws
  {
    let town = try Town()
    let desk = try town.atDesk()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-04", "12:10")
    let day = "/appointments/desk?date=2026-05-04"
    town.portal.now = town.portal.now + .minutes(15)
    #expect(desk.press(path + "/noshow", on: day).status == 303)
    #expect(desk.press(path + "/booked", on: day).status == 303)
    #expect(desk.press(path + "/arrived", on: day).status == 303)
    let shown = desk.get(day).hidden(of: path + "/booked")
    #expect(town.doctorVisitor.push(path + "/fulfilled").status == 303)
    let late = desk.post(path + "/booked", pairs: shown)
    #expect(late.status == 409 && anna.get(path).contains("Took place"))
  }

  @Test func `a mark is not taken back when somebody else has the time`() throws {
    let town = try Town()
    let desk = try town.atDesk()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-04", "15:00")
    let day = "/appointments/desk?date=2026-05-04"
    #expect(desk.press(path + "/fulfilled", on: day).status == 303)
    let boris = try town.portal.register()
    try town.book(boris, "2026-05-04", "15:00")
    let refused = desk.press(path + "/booked", on: day)
    #expect(refused.status == 409 && refused.contains("given to somebody else"))
    #expect(anna.get(path).contains("Took place"))
    #expect(boris.get("/appointments").contains("Dr. House"))
  }

  @Test func `who comes late has the rest of the time again, unless somebody has it`() throws {
    let town = try Town()
    let desk = try town.atDesk()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-04", "12:10")
    let held = "SELECT count(*) FROM appointments_grains WHERE appointment IS NOT NULL" as SQL
    let day = "/appointments/desk?date=2026-05-04"
    town.portal.now = .start(11)
    #expect(desk.press(path + "/noshow", on: day).status == 303)
    #expect(try town.count(held) == 0)
    #expect(desk.press(path + "/arrived", on: day).status == 303)
    #expect(try town.count(held) == 2)
    #expect(desk.press(path + "/noshow", on: day).status == 303)
    try town.open(at: .start(12))
    try town.join(try #require(town.people(1).first), at: .start(12))
    town.portal.now = .start(13)
    let refused = desk.press(path + "/arrived", on: day, evenIfAbsent: true)
    #expect(refused.status == 409 && refused.contains("given to somebody else"))
    #expect(anna.get(path).contains("Did not come"))
    #expect(try town.count(held) == 0)
    #expect(try town.line(at: .start(13)).treated(at: .start(13)) != nil)
  }

  @Test func `nobody arrives for a time that somebody else has booked meanwhile`() throws {
    let town = try Town(slotMinutes: 60)
    let desk = try town.atDesk()
    let anna = try town.portal.register()
    let boris = try town.portal.register()
    let path = try town.book(anna, "2026-05-04", "15:00")
    let day = "/appointments/desk?date=2026-05-04"
    town.portal.now = .start(3 * 60 + 1)
    _ = try desk.signIn(desk.login)
    #expect(desk.press(path + "/noshow", on: day).status == 303)
    let span = Instant.start(3 * 60 + 30)..<Instant.start(4 * 60)
    try town.book(try town.portal.person(of: boris), span, at: .start(3 * 60 + 2))
    let refused = desk.press(path + "/arrived", on: day)
    #expect(refused.status == 409 && refused.contains("given to somebody else"))
  }

  @Test func `what would be too early is not offered`() throws {
    let town = try Town()
    let desk = try town.atDesk()
    let anna = try town.portal.register()
    let today = try town.book(anna, "2026-05-04", "15:00")
    let later = try town.book(anna, "2026-05-05", "09:00")
    let day = { (date: String) in desk.get("/appointments/desk?date=\(date)") }
    #expect(day("2026-05-04").contains(today + "/arrived"))
    #expect(!day("2026-05-04").contains(today + "/noshow"))
    #expect(!day("2026-05-05").contains(later + "/arrived"))
    #expect(day("2026-05-05").contains(later + "/withdraw"))
    #expect(desk.push(later + "/arrived").status == 409)
    town.portal.now = town.portal.now + .hours(3)
    _ = try desk.signIn(desk.login)
    #expect(day("2026-05-04").contains(today + "/noshow"))
  }

  @Test func `the desk is not asked whether it wants something earlier`() throws {
    let town = try Town()
    let desk = try town.atDesk()
    let month = desk.get("/appointments/desk/book?doctor=\(town.doctor)")
    #expect(month.status == 200 && !month.contains("/appointments/wishes"))
    let anna = try town.portal.register()
    let own = anna.get("/appointments/new?doctor=\(town.doctor)")
    #expect(own.contains("/appointments/wishes") && !own.contains("<p class=\"actions\"><form"))
  }

  @Test func `a desk of another clinic finds nothing, nor does another doctor`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-04", "15:00")
    let stranger = try town.portal.receptionist()
    #expect(stranger.get("/appointments/desk").contains("You work at no desk yet"))
    #expect(stranger.push(path + "/arrived").status == 404)
    let doctor = try town.portal.doctor()
    #expect(doctor.push(path + "/fulfilled").status == 404)
    #expect(doctor.get(path).status == 404)
  }

  @Test func `the doctor marks the own patients`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-04", "12:10")
    let doctor = town.doctorVisitor
    #expect(doctor.push(path + "/noshow").status == 409)
    town.portal.now = town.portal.now + .minutes(15)
    #expect(doctor.push(path + "/noshow").status == 303)
    #expect(doctor.push(path + "/fulfilled").status == 303)
    #expect(anna.get(path).contains("doctor"))
    #expect(try town.count("SELECT count(*) FROM appointments_history") == 3)
  }

  @Test func `the desk books for a patient whom it finds by the whole login or e-mail`() throws {
    let town = try Town()
    let desk = try town.atDesk()
    let anna = try town.portal.register(login: "anna")
    let last = "/appointments/desk/book?doctor=\(town.doctor)&date=2026-05-05&time=09:00"
    #expect(desk.get("/appointments/desk/book").contains("Dr. House"))
    #expect(desk.get(last).contains("The patient has no account"))
    #expect(try desk.submit(last, ["patient": "ann"]).status == 422)
    let answer = try desk.submit(last, ["patient": "anna@example.org"])
    #expect(answer.location == "/appointments/desk?date=2026-05-05&changed=1")
    #expect(desk.get(answer.location).contains("Anna Petrova"))
    #expect(anna.get("/appointments").contains("Dr. House"))
    #expect(anna.get("/account/access-log").contains("5 May 2026 at 09:00"))
    #expect(anna.get("/notifications").contains("was booked for you"))
    let again = try desk.submit(last, ["patient": "anna"])
    #expect(again.status == 409 && again.contains("09:10"))
  }

  @Test func `the desk books for somebody without an account`() throws {
    let town = try Town()
    let desk = try town.atDesk()
    let last = "/appointments/desk/new?doctor=\(town.doctor)&date=2026-05-05&time=09:00"
    #expect(try desk.submit(last, ["name": " ", "surname": "Novak"]).status == 422)
    let answer = try desk.submit(last, ["name": "Eva", "surname": "Novak", "phone": "+375 29 1"])
    #expect(answer.location == "/appointments/desk?date=2026-05-05&changed=1")
    #expect(desk.get(answer.location).contains("Eva Novak"))
  }

  @Test func `the desk of another clinic cannot book with the doctor`() throws {
    let town = try Town()
    let desk = try town.portal.receptionist()
    let last = "/appointments/desk/new?doctor=\(town.doctor)&date=2026-05-05&time=09:00"
    let answer = try desk.submit(last, ["name": "Eva"])
    #expect(answer.status == 422 && answer.contains("does not work at your clinic"))
  }

  @Test func `what the desk cancels is told to the patient and to who waits`() throws {
    let town = try Town()
    let desk = try town.atDesk()
    let anna = try town.portal.register()
    let boris = try town.portal.register()
    let path = try town.book(anna, "2026-05-05", "09:00")
    let page = "/appointments/new?doctor=\(town.doctor)"
    _ = boris.press("/appointments/wishes/\(town.doctor)", on: page)
    #expect(try desk.submit(path + "/withdraw", [:]).status == 303)
    #expect(anna.get("/notifications").contains("was cancelled"))
    #expect(boris.get("/notifications").contains("has a free time"))
    #expect(try desk.submit(path + "/withdraw", [:]).status == 409)
  }

  @Test func `what the desk books and then cancels is told twice`() throws {
    let town = try Town()
    let desk = try town.atDesk()
    let anna = try town.portal.register(login: "anna")
    let path = try town.book("anna", "2026-05-05", "09:00", by: desk)
    #expect(try desk.submit(path + "/withdraw", [:]).status == 303)
    let inbox = anna.get("/notifications")
    #expect(inbox.contains("was booked for you") && inbox.contains("was cancelled"))
  }

  @Test func `who is erased stays in the patients' history by name and role`() throws {
    let town = try Town()
    let desk = try town.atDesk()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-04", "15:00")
    _ = desk.press(path + "/arrived", on: "/appointments/desk?date=2026-05-04")
    try town.portal.erase(desk)
    let page = anna.get(path)
    #expect(page.contains("Olga Desk</bdi>, receptionist"))
    #expect(town.doctorVisitor.push(path + "/fulfilled").status == 303)
    let before = anna.get(path).body
    try town.portal.erase(town.doctorVisitor)
    let told = anna.get(path)
    #expect(told.contains("Dr. House") && told.contains("Petrova</bdi>, doctor"))
    let history = { (page: String) in
      page.split(separator: "<ol class=\"rows\">").last?.split(separator: "</ol>").first
    }
    #expect(history(anna.get(path).body) == history(before))
    #expect(anna.get("/appointments/new?doctor=\(town.doctor)").status == 409)
  }
}

extension Town {
  /// A receptionist of the clinic.
  func atDesk() throws -> TestVisitor {
    let visitor = try portal.receptionist(["name": "Olga", "surname": "Desk"])
    let person = try portal.person(of: visitor)
    try portal.database.write { connection in
      try connection.run(
        """
        INSERT INTO appointments_receptionists (person, clinic) VALUES (\(person), \(clinic))
        """)
    }
    return visitor
  }

  /// The desk books for somebody with an account; where the appointment stands.
  func book(
    _ patient: String, _ date: String, _ time: String, by desk: TestVisitor
  ) throws -> String {
    let last = "/appointments/desk/book?doctor=\(doctor)&date=\(date)&time=\(time)"
    return try booked(desk.submit(last, ["patient": patient]))
  }

  /// The desk books for somebody without an account; where the appointment stands.
  func bookNewcomer(
    _ date: String, _ time: String, phone: String = "+375 29 1234567", by desk: TestVisitor
  ) throws -> String {
    let last = "/appointments/desk/new?doctor=\(doctor)&date=\(date)&time=\(time)"
    return try booked(
      desk.submit(last, ["name": "Eva", "surname": "Novak", "phone": phone]))
  }

  private func booked(_ answer: TestPage) throws -> String {
    guard answer.status == 303 else { throw Refused(status: answer.status, body: answer.body) }
    return "/appointments/\(try count("SELECT max(id_appointment) FROM appointments"))"
  }
}
