import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// Who is told that a time of a doctor has become free.
@Suite struct WishTests {
  private static let closings: [SQL] = [
    "UPDATE appointments_doctors SET disabled_at = 1",
    "UPDATE appointments_departments SET closed_at = 1",
    "UPDATE appointments_clinics SET closed_at = 1",
  ]

  @Test(arguments: closings)
  func `who waits is not told of a time that nobody can book`(_ closing: SQL) throws {
    let town = try Town()
    let anna = try town.portal.register()
    let boris = try town.portal.register()
    let path = try town.book(anna, "2026-05-05", "09:00")
    let page = "/appointments/new?doctor=\(town.doctor)"
    _ = boris.press("/appointments/wishes/\(town.doctor)", on: page)
    try town.portal.database.write { _ = try $0.run(closing) }
    #expect(try anna.submit(path + "/cancel", [:]).status == 303)
    #expect(!boris.get("/notifications").contains("has a free time"))
  }

  @Test func `who is told of an earlier time has nothing sooner`() throws {
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
    #expect(vera.get("/notifications").contains("has a free time"))
    #expect(!boris.get("/notifications").contains("has a free time"))
    #expect(!anna.get("/notifications").contains("has a free time"))
  }
}
