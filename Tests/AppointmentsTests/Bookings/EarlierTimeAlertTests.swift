import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// Alerts for earlier times.
@Suite struct EarlierTimeAlertTests {
  private static let closings: [SQL] = [
    "UPDATE appointments_doctors SET disabled_at = 1",
    "UPDATE appointments_departments SET closed_at = 1",
    "UPDATE appointments_clinics SET closed_at = 1",
  ]

  @Test(arguments: closings)
  func `no alert is sent for a free time that cannot be booked`(_ closing: SQL) throws {
    let town = try Town()
    let anna = try town.portal.register()
    let boris = try town.portal.register()
    let path = try town.book(anna, "2026-05-05", "09:00")
    let page = "/appointments/new?doctor=\(town.doctor)"
    _ = boris.press("/appointments/wishes/\(town.doctor)", on: page)
    try town.portal.database.write { _ = try $0.run(closing) }
    #expect(try anna.submit(path + "/cancel", [:]).status == 303)
    #expect(!town.portal.notified(boris, "has a free time"))
  }

  @Test func `a subscriber gets one alert for a time that is cancelled repeatedly`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    let boris = try town.portal.register()
    _ = boris.press(
      "/appointments/wishes/\(town.doctor)", on: "/appointments/new?doctor=\(town.doctor)")
    let notices = "SELECT count(*) FROM notifications" as SQL
    for _ in 1...3 {
      let path = try town.book(anna, "2026-05-05", "09:00")
      #expect(try anna.submit(path + "/cancel", [:]).status == 303)
      #expect(try town.count(notices) == 1)
    }
    let other = try town.book(anna, "2026-05-05", "09:10")
    #expect(try anna.submit(other + "/cancel", [:]).status == 303)
    #expect(try town.count(notices) == 2)
  }

  @Test func `one patient's cancellations send a subscriber at most five alerts a day`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    let boris = try town.portal.register()
    let vera = try town.portal.register()
    _ = boris.press(
      "/appointments/wishes/\(town.doctor)", on: "/appointments/new?doctor=\(town.doctor)")
    func giveBack(_ visitor: TestVisitor, _ time: String, _ day: String = "2026-05-05") throws {
      let path = try town.book(visitor, day, time)
      #expect(try visitor.submit(path + "/cancel", [:]).status == 303)
    }
    let notices = "SELECT count(*) FROM notifications" as SQL
    for minute in ["00", "10", "20", "30", "40", "50"] { try giveBack(anna, "09:\(minute)") }
    #expect(try town.count(notices) == 5)
    try giveBack(vera, "10:00")
    #expect(try town.count(notices) == 6)
    town.portal.now = town.portal.now + .days(1)
    let annaAgain = town.portal.visitor()
    _ = try annaAgain.signIn(anna.login)
    try giveBack(annaAgain, "11:00", "2026-05-08")
    #expect(try town.count(notices) == 7)
  }

  @Test func `an alert goes only to subscribers with an appointment after the free time`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    let boris = try town.portal.register()
    let vera = try town.portal.register()
    let path = try town.book(anna, "2026-05-06", "09:00")
    try town.book(boris, "2026-05-05", "09:00")
    try town.book(vera, "2026-05-08", "09:00")
    for visitor in [anna, boris, vera] {
      _ = visitor.press(
        "/appointments/wishes/\(town.doctor)", on: "/appointments/new?doctor=\(town.doctor)")
    }
    _ = try anna.submit(path + "/cancel", [:])
    #expect(town.portal.notified(vera, "has a free time"))
    #expect(!town.portal.notified(boris, "has a free time"))
    #expect(!town.portal.notified(anna, "has a free time"))
  }
}
