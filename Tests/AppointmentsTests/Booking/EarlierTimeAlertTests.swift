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
    let page = "/appointments/book?doctor=\(town.doctor)"
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
      "/appointments/wishes/\(town.doctor)", on: "/appointments/book?doctor=\(town.doctor)")
    let notices = "SELECT count(*) FROM notifications WHERE read_at IS NULL" as SQL
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
      "/appointments/wishes/\(town.doctor)", on: "/appointments/book?doctor=\(town.doctor)")
    func giveBack(_ visitor: TestVisitor, _ time: String, _ day: String = "2026-05-05") throws {
      let path = try town.book(visitor, day, time)
      #expect(try visitor.submit(path + "/cancel", [:]).status == 303)
    }
    let notices = "SELECT count(*) FROM notifications WHERE read_at IS NULL" as SQL
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
        "/appointments/wishes/\(town.doctor)", on: "/appointments/book?doctor=\(town.doctor)")
    }
    _ = try anna.submit(path + "/cancel", [:])
    #expect(town.portal.notified(vera, "has a free time"))
    #expect(!town.portal.notified(boris, "has a free time"))
    #expect(!town.portal.notified(anna, "has a free time"))
  }

  @Test
  func `an alert opens the change of the only appointment with the doctor, or else a booking`()
    throws
  {
    let town = try Town()
    let anna = try town.portal.register()
    let (without, with, withTwo) = (
      try town.portal.register(), try town.portal.register(), try town.portal.register()
    )
    let path = try town.book(anna, "2026-05-05", "09:00")
    let own = try town.book(with, "2026-05-06", "09:00")
    try town.book(withTwo, "2026-05-06", "10:00")
    try town.book(withTwo, "2026-05-08", "10:00")
    for visitor in [without, with, withTwo] {
      _ = visitor.press(
        "/appointments/wishes/\(town.doctor)", on: "/appointments/book?doctor=\(town.doctor)")
    }
    _ = try anna.submit(path + "/cancel", [:])
    let time = "?doctor=\(town.doctor)&date=2026-05-05&time=09%3A00&alert=1"
    let booking = "/appointments/book" + time
    #expect(newestLink(of: without) == booking && newestLink(of: withTwo) == booking)
    #expect(newestLink(of: with) == own + "/edit" + time)
    #expect(without.get(booking).hasForm(for: "/appointments/book"))
    #expect(with.get(own + "/edit" + time).hasForm(for: own + "/edit"))
  }

  /// Follows the newest notification.
  private func newestLink(of visitor: TestVisitor) -> String {
    let newest = visitor.get("/notifications").choices(of: "notice").first ?? ""
    return visitor.press("/notifications/open", on: "/notifications", ["notice": newest]).location
  }

  private func subscribe(_ visitor: TestVisitor, in town: Town) -> TestPage {
    visitor.press(
      "/appointments/wishes/\(town.doctor)", on: "/appointments/book?doctor=\(town.doctor)")
  }

  @Test func `an alert whose time is taken says so above the other free times`() throws {
    let town = try Town()
    let (anna, boris, vera) = (
      try town.portal.register(), try town.portal.register(), try town.portal.register()
    )
    let path = try town.book(anna, "2026-05-05", "09:00")
    let own = try town.book(boris, "2026-05-06", "09:00")
    for visitor in [boris, vera] { _ = subscribe(visitor, in: town) }
    _ = try anna.submit(path + "/cancel", [:])
    let (change, booking) = (newestLink(of: boris), newestLink(of: vera))
    try town.book(anna, "2026-05-05", "09:00")
    let pages = [(boris.get(change), own + "/edit"), (vera.get(booking), "/appointments/book")]
    for (page, base) in pages {
      #expect(page.status == 200 && page.hasNotice(.warning, "09:00"))
      #expect(page.hasLink(with: "date=2026-05-05&time=09%3A10") && !page.hasForm(for: base))
    }
  }

  @Test func `an alert whose time the patient has booked leads to the appointment`() throws {
    let town = try Town()
    let (anna, boris) = (try town.portal.register(), try town.portal.register())
    let path = try town.book(anna, "2026-05-05", "09:00")
    _ = subscribe(boris, in: town)
    _ = try anna.submit(path + "/cancel", [:])
    let booking = newestLink(of: boris)
    let booked = try boris.submit(booking, [:]).location
    #expect(boris.get(booking).leads(to: String(booked.prefix { $0 != "?" })))
  }

  @Test func `the answer to the button for alerts stands at the top of the page`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    let began = subscribe(anna, in: town).location
    #expect(anna.get(began).hasNotice(.success))
    let stopped = anna.press("/appointments/wishes/\(town.doctor)/leave", on: began).location
    #expect(anna.get(stopped).hasNotice(.success) && !anna.get(began).hasNotice(.success))
    let path = try town.book(anna, "2026-05-05", "09:00")
    let edit = anna.press("/appointments/wishes/\(town.doctor)", on: path + "/edit").location
    #expect(edit.hasPrefix(path + "/edit"))
    let page = anna.get(edit)
    let notice = try #require(page.body.range(of: "class=\"notice success\""))
    let times = try #require(page.body.range(of: "class=\"booking\""))
    #expect(notice.lowerBound < times.lowerBound)
  }

  @Test func `a patient who has moved to an earlier time can stop the alerts there`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-06", "09:00")
    let leave = "/appointments/wishes/\(town.doctor)/leave"
    let time = "\(path)/edit?doctor=\(town.doctor)&date=2026-05-05&time="
    let unasked = try anna.submit(time + "10:00", [:]).location
    #expect(!anna.get(unasked).hasForm(for: leave))
    _ = subscribe(anna, in: town)
    let moved = try anna.submit(time + "09:00", [:]).location
    let stopped = anna.press(leave, on: moved).location
    #expect(stopped.hasPrefix(path) && anna.get(stopped).hasNotice(.success))
    #expect(anna.get("/appointments/wishes").isEmptyList())
  }

  @Test func `the list of alerts leads to the change of the only appointment with the doctor`()
    throws
  {
    let town = try Town()
    let anna = try town.portal.register()
    let booking = "/appointments/book?doctor=\(town.doctor)"
    _ = subscribe(anna, in: town)
    #expect(anna.get("/appointments/wishes").hasLink(to: booking))
    let path = try town.book(anna, "2026-05-06", "09:00")
    let alerts = anna.get("/appointments/wishes")
    #expect(alerts.hasLink(to: path + "/edit") && !alerts.hasLink(to: booking))
    try town.book(anna, "2026-05-07", "09:00")
    #expect(anna.get("/appointments/wishes").hasLink(to: booking))
  }
}
