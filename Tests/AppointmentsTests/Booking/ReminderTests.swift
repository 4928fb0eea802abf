import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

@Suite struct ReminderTests {
  private let town: Town
  private let anna: TestVisitor
  /// 6 May 2026, 09:00 in Minsk, two days after the tests' start.
  private let start = Instant(1_778_047_200)

  init() throws {
    town = try Town()
    anna = try town.portal.register()
  }

  private func reminders(_ before: Seconds) throws -> Int {
    town.portal.now = start - before
    try town.portal.runJobs()
    try town.portal.runJobs()
    // The earlier session has expired.
    _ = try anna.signIn(anna.login)
    return town.portal.notices(of: anna)
      .count(where: { $0.text.contains("Reminder:") && $0.text.contains("09:00") })
  }

  @Test func `a patient is reminded a day before and two hours before, once each`() throws {
    try town.book(anna, "2026-05-06", "09:00")
    #expect(try reminders(.hours(25)) == 0)
    let first = try reminders(.hours(24))
    #expect(first == 1)
    #expect(try reminders(.hours(3)) == first)
    #expect(try reminders(.hours(2)) == 2 * first)
    #expect(try reminders(.minutes(1)) == 2 * first)
  }

  @Test func `cancelled, past and just booked appointments get no reminder`() throws {
    let path = try town.book(anna, "2026-05-06", "09:00")
    _ = try anna.submit(path + "/cancel", ["reason": ""])
    #expect(try reminders(.hours(23)) == 0)
    try town.book(anna, "2026-05-06", "09:00")
    #expect(try reminders(.hours(22)) == 0)
    #expect(try reminders(.seconds(-1)) == 0)
  }

  @Test func `a rescheduled appointment gets a new reminder`() throws {
    try town.book(anna, "2026-05-06", "09:00")
    let first = try reminders(.hours(24))
    let moved = try town.portal.database.write { connection in
      try connection.runCounting(
        "UPDATE appointments SET reminded = 0, sequence = sequence + 1 WHERE reminded = 1")
    }
    #expect(moved == 1)
    #expect(try reminders(.hours(23)) == 2 * first)
  }

  private var unread: [String] {
    town.portal.notices(of: anna).filter(\.isUnread).map(\.text)
  }

  @Test func `a reminder counts as read once its appointment was moved or cancelled`() throws {
    let boris = try town.portal.register()
    let path = try town.book(anna, "2026-05-06", "09:00")
    try town.book(boris, "2026-05-06", "09:10")
    #expect(try reminders(.hours(23)) == 1)
    #expect(unread.count == 1)
    let desk = try town.atReception()
    let move = town.reschedule(path, "2026-05-06", "10:00")
    #expect(try desk.submit(move, ["reason": ""]).status == 303)
    #expect(unread.count == 1 && unread[0].contains("10:00"))
    #expect(anna.get("/").contains("1 unread"))
    #expect(try anna.submit(path + "/cancel", ["reason": ""]).status == 303)
    #expect(unread.isEmpty && !anna.get("/").contains("unread"))
    _ = try boris.signIn(boris.login)
    #expect(town.portal.notices(of: boris).contains { $0.isUnread && $0.text.contains("09:10") })
  }

  @Test func `a reminder counts as read once its appointment has begun`() throws {
    try town.book(anna, "2026-05-06", "09:00")
    #expect(try reminders(.minutes(1)) == 1)
    #expect(unread.count == 1)
    town.portal.now = start
    #expect(unread.isEmpty && !anna.get("/").contains("1 unread"))
  }

  @Test(arguments: [("Europe/Minsk", false), ("Asia/Tokyo", true)])
  func `a reminder names the clinic's time zone if it differs from the portal's`(
    zone: String, isSaid: Bool
  ) throws {
    let town = try Town(zone: zone)
    let anna = try town.portal.register()
    try town.book(anna, "2026-05-06", "09:00")
    town.portal.now = start - .hours(23)
    try town.portal.runJobs()
    _ = try anna.signIn(anna.login)
    let inbox = anna.get("/notifications")
    #expect(inbox.hasRow("6 May 2026 at 09:00"))
    #expect(inbox.contains("(\(zone))") == isSaid)
  }
}
