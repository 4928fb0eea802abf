import Glibc
import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import PolyclinicWeb

@Suite struct LastSeenTests {
  @Test(.sqliteOnly)
  func `a page does not wait for the write lock to update the last-seen time`() throws {
    let portal = try TestPortal()
    let anna = try portal.register()
    portal.now = portal.now + Sessions.touchInterval
    let descriptor = open(portal.directory + "/polyclinic.sqlite.lock", O_RDWR | O_CLOEXEC)
    defer { close(descriptor) }
    try #require(flock(descriptor, LOCK_EX) == 0)
    let start = ContinuousClock.now
    #expect(anna.get("/account").status == 200)
    // Waiting for the write lock would take four seconds.
    #expect(ContinuousClock.now - start < .seconds(4))
    #expect(try lastSeen(portal) != portal.now)
    try #require(flock(descriptor, LOCK_UN) == 0)
    #expect(anna.get("/account").status == 200)
    #expect(try lastSeen(portal) == portal.now)
  }

  private func lastSeen(_ portal: TestPortal) throws -> Instant? {
    try portal.database.read { try $0.row("SELECT seen_at FROM sessions") { $0.instant(0) } }
  }
}
