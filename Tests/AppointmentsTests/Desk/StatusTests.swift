import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// The status of an appointment: arrived, fulfilled, no-show, and the reset.
@Suite struct StatusTests {
  @Test func `a receptionist records that a patient arrived and that a visit took place`() throws {
    let town = try Town()
    let desk = try town.atReception()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-04", "12:10")
    let day = "/appointments/desk?date=2026-05-04"
    #expect(desk.press(path + "/noshow", on: day, evenIfAbsent: true).status == 409)
    let arrived = desk.press(path + "/arrived", on: day).location
    #expect(arrived == day + "&changed=1#changed")
    #expect(desk.get(arrived).hasNotice(.success, "Anna Petrova"))
    #expect(desk.get(day).contains("badge waiting") && !desk.get(day).hasNotice(.success))
    #expect(!desk.get(day).contains(path + "/fulfilled"))
    #expect(desk.push(path + "/fulfilled").status == 409)
    town.portal.now = .start(10)
    #expect(desk.press(path + "/fulfilled", on: day).status == 303)
    #expect(desk.push(path + "/arrived").status == 409)
    let page = anna.get(path)
    #expect(page.fact("Status") == "Completed" && page.hasRow("receptionist"))
    #expect(anna.get("/account/access-log").hasRow("4 May 2026 at 12:10"))
    #expect(anna.get("/appointments?show=completed").hasBadge("Completed"))
  }

  @Test func `a receptionist can reset a status on the same day and not later`() throws {
    let town = try Town()
    let desk = try town.atReception()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-04", "12:10")
    let day = "/appointments/desk?date=2026-05-04"
    #expect(!desk.get(day).contains(path + "/booked"))
    town.portal.now = .start(10)
    for mark in ["/arrived", "/fulfilled"] {
      #expect(desk.press(path + mark, on: day).status == 303)
      let undone = desk.press(path + "/booked", on: day).location
      #expect(undone == day + "&changed=1&undone=1#changed")
      #expect(desk.get(undone).hasNotice(.success, "undone"))
    }
    let page = anna.get(path)
    #expect(page.hasRow("Status was undone") && !page.contains("Moved to"))
    #expect(anna.get("/account/access-log").hasRow("Undid the status of the appointment"))
    #expect(desk.press(path + "/arrived", on: day).status == 303)
    town.portal.now = town.portal.now + .days(1)
    _ = try desk.signIn(desk.login)
    #expect(!desk.get(day).contains(path + "/booked"))
    let late = desk.push(path + "/booked")
    #expect(late.status == 409 && late.contains("its status can no longer change"))
  }

  @Test func `a no-show can be reset, and a status changed meanwhile is not overwritten`() throws {
    let town = try Town()
    let desk = try town.atReception()
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
    #expect(late.status == 409 && anna.get(path).fact("Status") == "Completed")
  }

  @Test func `a status is not reset when another patient has booked the time`() throws {
    let town = try Town()
    let desk = try town.atReception()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-04", "12:10")
    let day = "/appointments/desk?date=2026-05-04"
    town.portal.now = .start(11)
    #expect(desk.press(path + "/noshow", on: day).status == 303)
    let boris = try town.portal.register()
    let person = try town.portal.person(of: boris)
    try town.book(person, .start(10)..<Instant.start(20), at: .start(11))
    let refused = desk.press(path + "/booked", on: day)
    #expect(refused.status == 409 && refused.contains("Someone else has been given this time"))
    #expect(anna.get(path).fact("Status") == "Missed")
    #expect(boris.get("/appointments").hasRow("Dr. House"))
  }

  @Test
  func `a patient marked as seen keeps the time, so that nobody is called and it can be undone`()
    throws
  {
    let town = try Town(slotMinutes: 30)
    let desk = try town.atReception()
    let path = try town.book(try town.portal.register(), "2026-05-04", "12:30")
    let day = "/appointments/desk?date=2026-05-04"
    _ = town.pressQueue("open")
    town.portal.now = .start(25)
    _ = town.pressJoin(try town.portal.register())
    town.portal.now = .start(31)
    #expect(desk.press(path + "/arrived", on: day).status == 303)
    #expect(desk.press(path + "/fulfilled", on: day).status == 303)
    try town.portal.runJobs()
    #expect(try town.stored().map(\.calledAt) == [nil])
    #expect(desk.press(path + "/booked", on: day).status == 303)
    #expect(desk.press(path + "/fulfilled", on: day).status == 303)
    #expect(town.doctorVisitor.get("/appointments/queue").hasButton("Call number 1"))
    #expect(town.pressQueue("next").status == 303)
    #expect(try town.stored().map(\.calledAt) == [.start(31)])
    #expect(desk.press(path + "/booked", on: day).status == 409)
  }

  @Test func `an arrival after a no-show gets the rest of the time unless it is taken`() throws {
    let town = try Town()
    let desk = try town.atReception()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-04", "12:10")
    let held =
      "SELECT count(*) FROM appointments_claimed_units WHERE appointment IS NOT NULL" as SQL
    let day = "/appointments/desk?date=2026-05-04"
    town.portal.now = .start(11)
    #expect(desk.press(path + "/noshow", on: day).status == 303)
    #expect(try town.count(held) == 0)
    #expect(desk.press(path + "/arrived", on: day).status == 303)
    #expect(try town.count(held) == 2)
    #expect(desk.press(path + "/noshow", on: day, evenIfAbsent: true).status == 303)
    try town.open(at: .start(12))
    try town.join(try #require(town.people(1).first), at: .start(12))
    town.portal.now = .start(13)
    let refused = desk.press(path + "/arrived", on: day, evenIfAbsent: true)
    #expect(refused.status == 409 && refused.contains("Someone else has been given this time"))
    #expect(anna.get(path).fact("Status") == "Missed")
    #expect(try town.count(held) == 0)
    #expect(try town.waitingList(at: .start(13)).treated(at: .start(13)) != nil)
  }

  @Test func `an arrival after a no-show is refused if another patient has the time`() throws {
    let town = try Town(slotMinutes: 60)
    let desk = try town.atReception()
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
    #expect(refused.status == 409 && refused.contains("Someone else has been given this time"))
  }

  @Test func `reception offers arrival from two hours before the start, and no-show after it`()
    throws
  {
    let town = try Town()
    let desk = try town.atReception()
    let anna = try town.portal.register()
    let today = try town.book(anna, "2026-05-04", "14:00")
    let evening = try town.book(anna, "2026-05-04", "16:00")
    let later = try town.book(anna, "2026-05-05", "09:00")
    let day = { (date: String) in desk.get("/appointments/desk?date=\(date)") }
    #expect(day("2026-05-04").contains(today + "/arrived"))
    #expect(!day("2026-05-04").contains(today + "/noshow"))
    #expect(!day("2026-05-04").contains(today + "/fulfilled"))
    for mark in ["/arrived", "/fulfilled"] {
      #expect(!day("2026-05-04").contains(evening + mark))
      #expect(desk.push(evening + mark).status == 409)
    }
    #expect(!day("2026-05-05").contains(later + "/arrived"))
    #expect(day("2026-05-05").contains(later + "/withdraw"))
    #expect(desk.push(later + "/arrived").status == 409)
    town.portal.now = town.portal.now + .hours(3)
    _ = try desk.signIn(desk.login)
    #expect(day("2026-05-04").contains(today + "/noshow"))
  }

  @Test func `a no-show is not offered for a patient who has arrived`() throws {
    let town = try Town()
    let desk = try town.atReception()
    let path = try town.book(try town.portal.register(), "2026-05-04", "12:10")
    let day = "/appointments/desk?date=2026-05-04"
    town.portal.now = .start(15)
    #expect(desk.get(day).contains(path + "/noshow"))
    #expect(desk.press(path + "/arrived", on: day).status == 303)
    for page in [day, path] { #expect(!desk.get(page).contains(path + "/noshow"), "\(page)") }
  }

  @Test func `a doctor records a no-show and a visit of their own patient`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-04", "12:10")
    let doctor = town.doctorVisitor
    #expect(doctor.push(path + "/noshow").status == 409)
    town.portal.now = town.portal.now + .minutes(15)
    #expect(doctor.push(path + "/noshow").status == 303)
    #expect(doctor.push(path + "/fulfilled").status == 303)
    #expect(anna.get(path).hasRow("doctor"))
    #expect(try town.count("SELECT count(*) FROM appointments_history") == 3)
  }
}
