import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// Erasure of doctors and patients with appointments.
@Suite struct ErasureTests {
  private let town: Town
  private let administrator: TestVisitor
  private let anna: TestVisitor
  private let page: String

  init() throws {
    (town, administrator, anna, page) = try Town.withOffice()
  }

  @Test func `erasing a doctor with bookings is refused with 409 and the next steps`() throws {
    try town.book(anna, "2026-05-05", "09:00")
    try town.book(anna, "2026-05-06", "15:10")
    let question = administrator.get(page + "/erase")
    #expect(question.status == 200 && !question.contains("Delete everything</button>"))
    let answer = administrator.press(page + "/erase", on: page + "/erase", evenIfAbsent: true)
    #expect(answer.status == 409)
    #expect(answer.hasNotice(.warning, "2 appointments are booked with this doctor"))
    #expect(answer.hasNotice(.warning, "the last on 6 May 2026"))
    #expect(answer.hasNotice(.warning, "add days off"))
    #expect(town.doctorVisitor.get("/appointments/queue").status == 200)
    for language in [Language.russian, .hebrew] {
      let chief = town.portal.visitor(language: language)
      _ = try chief.signIn(administrator.login)
      #expect(!chief.get(page + "/erase").contains("⟦"))
    }
  }

  @Test func `a doctor can be erased after the bookings of a day off are cancelled`() throws {
    let path = try town.book(anna, "2026-05-05", "09:00")
    let outsideHours = try town.takeOff("2026-05-05", administrator)
    let cancelled = try administrator.submit(
      outsideHours + "/cancel", ["cancellation_reason": "The doctor leaves us."])
    #expect(cancelled.status == 303)
    let answer = administrator.press(page + "/erase", on: page + "/erase", ["confirm": "1"])
    #expect(answer.location == "/admin/people?done=erased")
    #expect(administrator.get(answer.location).hasNotice(.success, "The person is deleted."))
    #expect(administrator.get(page).status == 404)
    let history = anna.get(path)
    #expect(history.hasFact("Dr. House") && history.hasRow("The doctor leaves us."))
  }

  @Test func `before a patient is erased, both pages name the appointments that are cancelled`()
    throws
  {
    let own = "/admin/people/\(try town.portal.person(of: anna))"
    let pages = [(administrator, own + "/erase"), (anna, "/account/delete")]
    for (visitor, path) in pages { #expect(!visitor.get(path).contains("still to come")) }
    try town.book(anna, "2026-05-05", "09:00")
    for (visitor, path) in pages {
      #expect(visitor.get(path).hasNotice(.warning, "1 appointment still to come is cancelled"))
      #expect(visitor.get(path).hasNotice(.warning, "5 May 2026"))
    }
    try town.book(anna, "2026-05-06", "09:00")
    for (visitor, path) in pages {
      #expect(visitor.get(path).hasNotice(.warning, "2 appointments still to come are cancelled"))
      #expect(!visitor.get(path).contains("House"))
    }
    for day in 7..<30 { try town.book(anna, at: town.portal.now + .days(day)) }
    for (visitor, path) in pages {
      #expect(visitor.get(path).hasNotice(.warning, "25 appointments still to come are cancelled"))
    }
  }

  @Test func `before a doctor is erased, the page says that the waiting list is open`() throws {
    #expect(!administrator.get(page + "/erase").contains("waiting list"))
    try town.open()
    #expect(
      administrator.get(page + "/erase").hasNotice(.warning, "The doctor’s waiting list is open."))
    // The first one is called at once.
    for person in try [town.portal.person(of: anna)] + town.people(1) {
      try town.join(person, at: .start(0))
    }
    #expect(
      administrator.get(page + "/erase").hasNotice(
        .warning, "The doctor’s waiting list is open, and 1 person is waiting."))
  }

  @Test func `past and cancelled appointments do not prevent the erasure of a doctor`() throws {
    let path = try town.book(anna, "2026-05-05", "09:00")
    try town.book(anna, "2026-05-04", "15:00")
    #expect(try anna.submit(path + "/cancel", [:]).status == 303)
    #expect(throws: Refusal.self) { try town.portal.erase(town.doctorVisitor) }
    town.portal.now = town.portal.now + .hours(4)
    try town.portal.erase(town.doctorVisitor)
    _ = try anna.signIn(anna.login)
    #expect(anna.get("/appointments?show=completed").hasRow("Dr. House"))
  }

  @Test func `erasing a patient deletes their appointments and frees the time`() throws {
    try town.book(anna, "2026-05-05", "09:00")
    try town.portal.erase(anna)
    #expect(try town.count("SELECT count(*) FROM appointments") == 0)
    #expect(try town.count("SELECT count(*) FROM appointments_claimed_units") == 0)
  }
}
