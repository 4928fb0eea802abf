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
}
