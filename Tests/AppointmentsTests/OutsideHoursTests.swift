import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// What is booked outside the hours after these have changed.
@Suite struct OutsideHoursTests {
  /// Tuesday 12 May 2026, nine o'clock in Minsk.
  private static let morning = Instant(1_778_565_600)

  /// Hours on one weekday, 1 for Monday.
  private func hours(_ weekday: String, _ starts: String, _ ends: String) -> [(String, String)] {
    [("work_weekday", weekday), ("work_starts", starts), ("work_ends", ends)]
  }

  private func town(bookedAt starts: Instant...) throws -> (Town, TestVisitor, TestVisitor) {
    let town = try Town()
    let anna = try town.portal.register()
    let person = try town.portal.person(of: anna)
    for start in starts {
      try town.book(person, start..<start + .minutes(10), at: TestPortal.start)
    }
    return (town, try town.portal.administrator(["name": "Ada", "surname": "Min"]), anna)
  }

  @Test func `new hours lead to what lies outside them, to be moved or cancelled`() throws {
    let (town, admin, anna) = try town(bookedAt: Self.morning, Self.morning + .hours(2))
    let outside = town.doctorPath + "/outside"
    #expect(admin.get(outside).contains("Nothing is booked outside the hours."))
    let sent = hours("2", "10:00", "12:00")
    let answer = try admin.submit(town.doctorPath + "/hours", pairs: sent)
    #expect(answer.location == outside)
    let page = admin.get(outside)
    #expect(page.contains("1 appointment lies outside the hours."))
    #expect(page.contains("12 May 2026 at 09:00") && !page.contains("Petrova"))
    #expect(admin.get(town.doctorPath).contains("href=\"\(outside)\""))
    #expect(admin.get(outside + "/move").contains("1 appointment lies outside the hours."))
    #expect(try admin.submit(outside + "/move", [:]).location == outside)
    #expect(anna.get("/notifications").contains("was moved to 12 May 2026 at 10:00"))
    #expect(!admin.get(town.doctorPath).contains("href=\"\(outside)\""))
    #expect(try admin.submit(town.doctorPath + "/hours", pairs: sent).location == town.doctorPath)
  }

  @Test func `all outside the hours are cancelled in one step, with a reason`() throws {
    let (town, admin, anna) = try town(bookedAt: Self.morning)
    let outside = town.doctorPath + "/outside"
    #expect(try admin.submit(town.doctorPath + "/hours", pairs: []).location == outside)
    let sent = ["cancellation_reason": "The doctor works elsewhere"]
    #expect(try admin.submit(outside + "/cancel", sent).location == outside)
    #expect(anna.get("/appointments/1").contains("The doctor works elsewhere"))
  }

  @Test func `what was not shown is not cancelled`() throws {
    let (town, admin, anna) = try town(bookedAt: Self.morning, Self.morning + .hours(2))
    let outside = town.doctorPath + "/outside"
    _ = try admin.submit(town.doctorPath + "/hours", pairs: hours("2", "10:00", "12:00"))
    let question = admin.get(outside + "/cancel")
    _ = try admin.submit(town.doctorPath + "/hours", pairs: [])
    let answer = admin.post(outside + "/cancel", pairs: question.hidden(of: outside + "/cancel"))
    #expect(answer.status == 409 && answer.contains("Meanwhile other appointments lie there"))
    #expect(answer.contains("2 appointments lie outside the hours."))
    #expect(!anna.get("/notifications").contains("cancelled"))
    let again = answer.hidden(of: outside + "/cancel")
    #expect(admin.post(outside + "/cancel", pairs: again).status == 303)
  }

  @Test func `other clocks of a clinic lead to what lies outside its doctors' hours by them`()
    throws
  {
    let (town, admin, _) = try town(bookedAt: Self.morning, Self.morning + .hours(2))
    let outside = town.clinicPath + "/outside"
    #expect(!admin.get(town.clinicPath).contains(outside))
    var fields = TestVisitor.clinicFields
    fields["time_zone"] = "Europe/London"
    #expect(try admin.submit(town.clinicPath + "/edit", fields).location == outside)
    // What was nine o'clock in Minsk is seven in London, and eleven is nine.
    #expect(admin.get(outside).contains("12 May 2026 at 07:00"))
    #expect(!admin.get(outside).contains("12 May 2026 at 09:00"))
    #expect(admin.get(town.clinicPath).contains("href=\"\(outside)\""))
  }

  @Test func `nobody but an administrator sees what lies outside`() throws {
    let (town, _, anna) = try town(bookedAt: Self.morning)
    for path in [town.doctorPath, town.clinicPath] {
      for page in ["/outside", "/outside/move", "/outside/cancel"] {
        #expect(anna.get(path + page).status == 403)
      }
    }
  }
}
