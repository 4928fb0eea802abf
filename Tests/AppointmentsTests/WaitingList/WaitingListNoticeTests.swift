import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// The job, the notices, the export and the erasure of waiting lists.
@Suite struct WaitingListNoticeTests {
  private let town: Town
  private var portal: TestPortal { town.portal }
  /// The path of the doctor's public page.
  private var page: String { town.doctorPage }

  init() throws { town = try Town() }

  @Test func `the job stores due calls at their own times`() throws {
    let visitors = try (0..<3).map { _ in try portal.register() }
    try town.open()
    for visitor in visitors { _ = town.pressJoin(visitor) }
    portal.now = .start(15)
    try portal.runJobs()
    #expect(try town.stored().map(\.calledAt) == [.start(0), .start(10), nil])
  }

  @Test func `waiting list tickets are exported and are deleted on erasure`() throws {
    let anna = try portal.register()
    _ = town.pressQueue("open")
    _ = town.pressJoin(anna)
    let export = try portal.export(of: anna, from: "appointments")
    let text = String(decoding: export.encoded, as: UTF8.self)
    #expect(text.contains(#""doctor":"Dr. House","number":1,"joined_at":"2026-05-04T09:00:00Z""#))
    try portal.erase(anna)
    #expect(try town.stored().isEmpty)
    let held = try portal.database.read { connection in
      try connection.integer("SELECT count(*) FROM appointments_claimed_units")
    }
    #expect(held == 0)
  }

  @Test func `patients are notified once of their call or of the list's closing`() throws {
    let visitors = try (0..<3).map { _ in try portal.register() }
    _ = town.pressQueue("open")
    for visitor in visitors { _ = town.pressJoin(visitor) }
    func isNotified(_ visitor: TestVisitor, _ text: String) -> Bool {
      visitor.get("/notifications").contains(text)
    }
    #expect(isNotified(visitors[0], "It is your turn: Dr. House"))
    #expect(!isNotified(visitors[1], "It is your turn"))
    portal.now = .start(10)
    try portal.runJobs()
    let inbox = visitors[1].get("/notifications")
    #expect(inbox.hasRow("It is your turn: Dr. House"))
    try portal.runJobs()
    _ = town.pressQueue("close")
    #expect(visitors[1].get("/notifications").body.count == inbox.body.count)
    #expect(isNotified(visitors[2], "has closed the waiting list"))
    #expect(!isNotified(visitors[2], "It is your turn"))
  }

  @Test func `a call that is long past sends no notification`() throws {
    let (anna, boris) = (try portal.register(), try portal.register())
    _ = town.pressQueue("open")
    _ = town.pressJoin(anna)
    _ = town.pressJoin(boris)
    portal.now = .start(55)
    try portal.runJobs()
    #expect(!portal.notified(boris, "It is your turn"))
  }

  @Test func `a patient who has left gets no notification of the list's closing`() throws {
    let (anna, boris) = (try portal.register(), try portal.register())
    _ = town.pressQueue("open")
    _ = town.pressJoin(anna)
    _ = town.pressJoin(boris)
    _ = boris.press("\(page)/queue/leave", on: "\(page)/queue/leave")
    _ = town.pressQueue("close")
    #expect(!portal.notified(boris, "waiting list"))
  }

  @Test func `a treatment ends at its time also on a closed list`() throws {
    let anna = try portal.register()
    _ = town.pressQueue("open")
    _ = town.pressJoin(anna)
    _ = town.pressQueue("close")
    portal.now = .start(10)
    #expect(!anna.get("/appointments/doctors").contains("It is your turn"))
    try portal.runJobs()
    let stored = try #require(try town.stored().first)
    #expect(stored.outcome == .finished)
    #expect(stored.overAt == .start(10))
  }
}
