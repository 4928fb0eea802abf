import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// The obstacles that a page, its form and the API share, and the redirects of earlier addresses.
@Suite struct BookingAttemptTests {
  private let town: Town
  private let anna: TestVisitor

  init() throws {
    town = try Town()
    anna = try town.portal.register()
  }

  @Test func `a patient's own slot is refused by the API with the words of the page`() throws {
    try town.book(anna, "2026-05-05", "09:00")
    #expect(anna.get(town.confirmation("2026-05-05", "09:00")).hasNotice(.success, "booked this"))
    let program = TestProgram(town.portal, token: try anna.makeToken(["appointments": "write"]))
    let refused = program.post(
      "/api/v1/appointments",
      "{\"doctor\": \(town.doctor), \"date\": \"2026-05-05\", \"time\": \"09:00\"}")
    #expect(refused.status == 409 && refused.contains("You have booked this time."))
    #expect(try refused.json()["instead"]?[0]?["time"]?.text == "09:10")
  }

  @Test func `a doctor who books with themselves through the API is refused with 409`() throws {
    let token = try town.doctorVisitor.makeToken(["appointments": "write"])
    let refused = TestProgram(town.portal, token: token).post(
      "/api/v1/appointments",
      "{\"doctor\": \(town.doctor), \"date\": \"2026-05-05\", \"time\": \"09:00\"}")
    #expect(refused.status == 409)
    #expect(try town.count("SELECT count(*) FROM appointments") == 0)
  }

  @Test func `the last page of a booking and its form load each thing once`() throws {
    let path = town.confirmation("2026-05-05", "09:00")
    _ = anna.get(path)
    let page = town.portal.statements { _ = anna.get(path) }
    #expect(page.count <= 7, "\(page.count): \(page)")
    #expect(page.count { $0.contains("appointments_departments") } == 1)
    let form = anna.get(path).hidden(of: "/appointments/book")
    let booking = town.portal.statements {
      _ = anna.post("/appointments/book", pairs: form + [("purpose", "Chest pain")])
    }
    #expect(booking.count <= 20, "\(booking.count): \(booking)")
    #expect(try town.count("SELECT count(*) FROM appointments") == 1)
  }

  @Test func `earlier addresses lead to those of a booking and of its change`() throws {
    let desk = try town.atReception()
    let query = "?doctor=\(town.doctor)&date=2026-05-06&time=09%3A00"
    #expect(anna.get("/appointments/new" + query).location == "/appointments/book" + query)
    let path = try town.book(anna, "2026-05-05", "09:00")
    for visitor in [desk, town.doctorVisitor] {
      #expect(visitor.get("\(path)/edit\(query)").location == "\(path)/reschedule\(query)")
    }
    let dentist = ["date": "2026-05-07", "time": "10:00", "location": "Dentist"]
    let own = try anna.submit("/appointments/new?with=personal", dentist).location
    #expect(anna.get(own + "/edit").location == "/appointments/personal/2")
    #expect(try town.portal.register().get(own + "/edit").status == 404)
    let byLogin = "/appointments/desk/book"
    #expect(desk.get(byLogin + query).location == "\(byLogin)/login\(query)")
  }
}
