import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// The limit of future appointments per patient. It is Monday, 4 May 2026, noon in Minsk.
@Suite struct OwnLimitTests {
  private let town: Town
  private let anna: TestVisitor

  /// Books as many appointments for Anna as the default setting allows.
  init() throws {
    town = try Town()
    anna = try town.portal.register(login: "anna")
    let times = ["09", "10"].flatMap { hour in (0..<5).map { "\(hour):\($0)0" } }
    for time in times { try town.book(anna, "2026-05-05", time) }
  }

  @Test func `a booking over the limit is refused with 409, and the form warns of it`() throws {
    let last = town.confirmation("2026-05-06", "09:00")
    let page = anna.get(last)
    let sentence = "You can have 10 booked appointments at a time."
    #expect(
      page.status == 200 && page.contains(sentence) && page.hasNotice(.warning, "+375 17 000"))
    let refused = try anna.submit(last, ["purpose": "Chest pain"])
    #expect(
      refused.status == 409 && refused.contains(sentence)
        && refused.value(of: "purpose") == "Chest pain")
    #expect(!refused.hasField("instead"))
    #expect(try town.count("SELECT count(*) FROM appointments") == 10)
    try town.portal.database.write { _ = try $0.run("UPDATE appointments_clinics SET phone = ''") }
    #expect(anna.get(last).hasNotice(.warning, "or ask the clinic."))
  }

  @Test func `the API refuses a booking over the limit with 409 and without other times`() throws {
    let program = TestProgram(
      town.portal, token: try anna.makeToken(["appointments": "write"]))
    let path = "/api/v1/appointments"
    let body = "{\"doctor\": \(town.doctor), \"date\": \"2026-05-06\", \"time\": \"09:00\"}"
    let refused = program.post(path, body)
    #expect(refused.status == 409 && refused.contains("booked appointments at a time"))
    #expect(try refused.json()["instead"]?[0] == nil)
    #expect(program.put(path + "/1", body, over: "*").status == 200)
    let elsewhere = """
      {"date": "2026-05-06", "time": "09:00", "location": "Dentist", "overlap": true}
      """
    #expect(program.post(path, elsewhere).status == 201)
  }

  @Test func `a patient can book again after a cancellation or a past appointment`() throws {
    #expect(try anna.submit("/appointments/1/cancel", [:]).status == 303)
    try town.book(anna, "2026-05-06", "09:00")
    #expect(throws: Town.Refused.self) { try town.book(anna, "2026-05-06", "09:10") }
    town.portal.now = .start(24 * 60)
    _ = try anna.signIn(anna.login)
    try town.book(anna, "2026-05-06", "09:10")
  }

  @Test func `a patient at the limit can reschedule, and other patients can book`() throws {
    let moved = try anna.submit("/appointments/1/edit?date=2026-05-06&time=10:00", [:])
    #expect(moved.status == 303)
    let boris = try town.portal.register()
    try town.book(boris, "2026-05-05", "09:00")
  }

  @Test func `a receptionist and a doctor can book over a patient's limit`() throws {
    let desk = try town.atReception()
    let path = try town.book("anna", "2026-05-06", "09:00", by: desk)
    for (visitor, time) in [(desk, "09:10"), (town.doctorVisitor, "09:20")] {
      let again = path + "/again?doctor=\(town.doctor)&date=2026-05-06&time=\(time)"
      #expect(try visitor.submit(again, [:]).status == 303)
    }
    #expect(try town.count("SELECT count(*) FROM appointments") == 13)
  }
}
