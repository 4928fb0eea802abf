import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// Bookings outside the working hours after a change of the hours or the time zone.
@Suite struct BookingsOutsideHoursTests {
  /// Tuesday, 12 May 2026, 09:00 in Minsk.
  private static let morning = Instant(1_778_565_600)

  /// Returns the form fields for hours on one weekday; 1 is Monday.
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

  @Test func `bookings outside new hours are listed and can be rescheduled`() throws {
    let (town, admin, anna) = try town(bookedAt: Self.morning, Self.morning + .hours(2))
    let outside = town.doctorPath + "/outside"
    #expect(admin.get(outside).contains("No appointments are booked outside working hours."))
    let sent = hours("2", "10:00", "12:00")
    let answer = try admin.submit(town.doctorPath + "/hours", pairs: sent)
    #expect(answer.location == outside)
    let page = admin.get(outside)
    #expect(page.contains("1 appointment is booked outside working hours."))
    #expect(page.hasRow("12 May 2026 at 09:00") && !page.contains("Petrova"))
    #expect(admin.get(town.doctorPath).hasLink(to: outside))
    #expect(admin.get(outside + "/move").contains("1 appointment is booked outside working hours."))
    #expect(try admin.submit(outside + "/move", [:]).location == outside + "?moved=1")
    #expect(town.portal.notified(anna, "has a new time: 12 May 2026 at 10:00"))
    let moved = admin.get(outside + "?moved=1").rows
    #expect(moved.contains { $0.contains("12 May 2026 at 10:00") && $0.contains("Dr. House") })
    #expect(!admin.get(town.doctorPath).hasLink(to: outside))
    #expect(try admin.submit(town.doctorPath + "/hours", pairs: sent).location == town.doctorPath)
  }

  @Test func `all bookings outside the hours are cancelled at once with a reason`() throws {
    let (town, admin, anna) = try town(bookedAt: Self.morning)
    let outside = town.doctorPath + "/outside"
    #expect(try admin.submit(town.doctorPath + "/hours", pairs: []).location == outside)
    let sent = ["cancellation_reason": "The doctor works elsewhere"]
    #expect(try admin.submit(outside + "/cancel", sent).location == outside + "?cancelled=1")
    #expect(anna.get("/appointments/1").hasRow("The doctor works elsewhere"))
  }

  @Test func `cancelling fails with 409 if more bookings are outside the hours by then`() throws {
    let (town, admin, anna) = try town(bookedAt: Self.morning, Self.morning + .hours(2))
    let outside = town.doctorPath + "/outside"
    _ = try admin.submit(town.doctorPath + "/hours", pairs: hours("2", "10:00", "12:00"))
    let question = admin.get(outside + "/cancel")
    _ = try admin.submit(town.doctorPath + "/hours", pairs: [])
    let answer = admin.post(outside + "/cancel", pairs: question.hidden(of: outside + "/cancel"))
    #expect(
      answer.status == 409 && answer.hasNotice(.warning, "have changed"))
    #expect(answer.contains("2 appointments are booked outside working hours."))
    #expect(!town.portal.notified(anna, "cancelled"))
    let again = answer.hidden(of: outside + "/cancel")
    #expect(admin.post(outside + "/cancel", pairs: again).status == 303)
  }

  @Test func `a clinic's new time zone leads to the bookings outside its doctors' hours`() throws {
    let (town, admin, _) = try town(bookedAt: Self.morning, Self.morning + .hours(2))
    let outside = town.clinicPath + "/outside"
    #expect(!admin.get(town.clinicPath).contains(outside))
    var fields = TestVisitor.clinicFields
    fields["time_zone"] = "Europe/London"
    #expect(try admin.submit(town.clinicPath + "/edit", fields).location == outside)
    // 09:00 in Minsk is 07:00 in London, and 11:00 is 09:00.
    #expect(admin.get(outside).hasRow("12 May 2026 at 07:00"))
    #expect(!admin.get(outside).contains("12 May 2026 at 09:00"))
    #expect(admin.get(town.clinicPath).hasLink(to: outside))
  }

  @Test func `a patient gets 403 for the bookings outside the hours`() throws {
    let (town, _, anna) = try town(bookedAt: Self.morning)
    for path in [town.doctorPath, town.clinicPath] {
      for page in ["/outside", "/outside/move", "/outside/cancel"] {
        #expect(anna.get(path + page).status == 403)
      }
    }
  }
}
