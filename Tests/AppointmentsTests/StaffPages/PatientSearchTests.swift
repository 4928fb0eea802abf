import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// The reception's search for a patient, and the booking that follows.
@Suite struct PatientSearchTests {
  private let town: Town
  private let desk: TestVisitor
  private let anna: TestVisitor

  init() throws {
    town = try Town()
    desk = try town.atDesk()
    anna = try town.portal.register([
      "name": "Zinaida", "surname": "Quux", "phone": "+375 29 555 1234",
      "birth_date": "1990-02-13",
    ])
  }

  private func results(_ typed: String) -> TestPage {
    desk.get("/appointments/desk/book?q=\(typed)")
  }

  @Test(arguments: ["zinaida", "quux%20zin", "5551234", "13.02.1990", "1990-02-13"])
  func `a patient is found by name, telephone number and date of birth`(_ typed: String) {
    let page = results(typed)
    #expect(page.hasRow("Zinaida Quux") && page.hasRow("13 February 1990"))
    #expect(page.contains("1234") && !page.contains("555 1234"))
  }

  @Test func `a search by login finds a patient and adds an access log entry`() throws {
    #expect(!anna.get("/account/access-log").contains("Olga Desk"))
    #expect(results(anna.login).hasRow("Zinaida Quux"))
    #expect(anna.get("/account/access-log").contains("Olga Desk"))
  }

  @Test(arguments: ["z", "12", "", "nobody"])
  func `a search that means nobody shows no patient`(_ typed: String) {
    #expect(!results(typed).contains("Quux"))
  }

  @Test func `patients and doctors cannot search`() throws {
    #expect(anna.get("/appointments/desk/book?q=quux").status == 403)
    #expect(town.doctorVisitor.get("/appointments/desk/book?q=quux").status == 403)
  }

  @Test func `the chosen patient is carried from the search to the booked appointment`() throws {
    let person = try town.portal.person(of: anna)
    let chosen = "/appointments/desk/book?patient_id=\(person)"
    #expect(desk.get("/appointments/desk").hasField("q"))
    #expect(results("quux").hasLink(to: chosen))
    let doctors = desk.get(chosen)
    #expect(doctors.contains("Zinaida Quux"))
    let times = "\(chosen)&doctor=\(town.doctor)"
    #expect(doctors.hasLink(to: times))
    let day = desk.get("\(times)&date=2026-05-05")
    #expect(day.contains("Zinaida Quux"))
    let last = "\(times)&date=2026-05-05&time=09%3A00"
    #expect(day.hasLink(to: last))
    #expect(desk.get(last).contains("Zinaida Quux") && !desk.get(last).hasField("patient"))
    #expect(try desk.submit(last, [:]).status == 303)
    #expect(anna.get("/appointments").hasRow("Dr. House"))
  }

  @Test func `an unknown chosen patient is refused`() throws {
    #expect(desk.get("/appointments/desk/book?patient_id=99999").status == 404)
  }

  @Test func `a doctor sees the patient's age, sex, telephone and earlier visits`() throws {
    let path = try town.book(anna, "2026-05-05", "09:00")
    let page = town.doctorVisitor.get(path)
    #expect(page.fact("Date of birth")?.contains("36") == true)
    #expect(page.hasFact("555 1234") && page.fact("Earlier visits to you") == "None")
    #expect(desk.get(path).fact("Date of birth") == nil)
  }
}
