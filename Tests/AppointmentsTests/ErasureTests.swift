import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// What patients rely on keeps a doctor from being erased.
@Suite struct ErasureTests {
  private let town: Town
  private let administrator: TestVisitor
  private let anna: TestVisitor
  private let page: String

  init() throws {
    (town, administrator, anna, page) = try Town.withOffice()
  }

  @Test func `a doctor with booked patients is not erased, and it is said what to do first`() throws
  {
    try town.book(anna, "2026-05-05", "09:00")
    try town.book(anna, "2026-05-06", "15:10")
    let question = administrator.get(page + "/erase")
    #expect(question.status == 200 && !question.contains("Erase everything</button>"))
    let answer = administrator.press(page + "/erase", on: page + "/erase", evenIfAbsent: true)
    #expect(answer.status == 409)
    #expect(answer.contains("2 patients are still booked with"))
    #expect(answer.contains("the last until 6 May 2026"))
    #expect(answer.contains("days off, and cancel what is booked on them"))
    #expect(town.doctorVisitor.get("/appointments/queue").status == 200)
    for language in [Language.russian, .hebrew] {
      let chief = town.portal.visitor(language: language)
      _ = try chief.signIn(administrator.login)
      #expect(!chief.get(page + "/erase").contains("⟦"))
    }
  }

  @Test func `what the refusal says helps`() throws {
    let path = try town.book(anna, "2026-05-05", "09:00")
    let displaced = try town.takeOff("2026-05-05", administrator)
    let cancelled = try administrator.submit(
      displaced + "/cancel", ["cancellation_reason": "The doctor leaves us."])
    #expect(cancelled.status == 303)
    let answer = administrator.press(page + "/erase", on: page + "/erase")
    #expect(answer.location == "/admin/people?done=erased")
    #expect(administrator.get(answer.location).contains("The person is erased."))
    #expect(administrator.get(page).status == 404)
    let history = anna.get(path)
    #expect(history.contains("Dr. House") && history.contains("The doctor leaves us."))
  }

  @Test func `what is over, or was cancelled, keeps nobody`() throws {
    let path = try town.book(anna, "2026-05-05", "09:00")
    try town.book(anna, "2026-05-04", "15:00")
    #expect(try anna.submit(path + "/cancel", [:]).status == 303)
    #expect(throws: Refusal.self) { try town.portal.erase(town.doctorVisitor) }
    town.portal.now = town.portal.now + .hours(4)
    try town.portal.erase(town.doctorVisitor)
    _ = try anna.signIn(anna.login)
    #expect(anna.get("/appointments?show=completed").contains("Dr. House"))
  }

  @Test func `patients are erased with what they have booked`() throws {
    try town.book(anna, "2026-05-05", "09:00")
    try town.portal.erase(anna)
    #expect(try town.count("SELECT count(*) FROM appointments") == 0)
    #expect(try town.count("SELECT count(*) FROM appointments_grains") == 0)
  }
}
