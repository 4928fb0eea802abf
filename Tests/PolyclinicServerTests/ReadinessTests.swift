import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import PolyclinicServer

@Suite struct ReadinessTests {
  @Test func `however often it is asked, it writes once in five seconds`() throws {
    let portal = try TestPortal()
    let anybody = portal.visitor()
    for _ in 0..<3 {
      #expect(anybody.get("/readyz").status == 200)
      portal.now = portal.now + .seconds(2)
    }
    #expect(try checkedAt(portal) == TestPortal.start)
    #expect(anybody.get("/readyz").status == 200)
    #expect(try checkedAt(portal) == portal.now)
    portal.now = TestPortal.start - .hours(1)
    #expect(anybody.get("/readyz").status == 200)
    #expect(try checkedAt(portal) == portal.now)
  }

  @Test func `a database that cannot be written is not ready until it can`() throws {
    let portal = try TestPortal()
    let anybody = portal.visitor()
    try portal.database.read { _ = try $0.integer("PRAGMA query_only = 1") }
    for _ in 0..<2 { #expect(anybody.get("/readyz").status == 503) }
    portal.now = portal.now + .seconds(4)
    try portal.database.read { _ = try $0.run("PRAGMA query_only = 0") }
    #expect(anybody.get("/readyz").status == 503)
    portal.now = portal.now + .seconds(1)
    #expect(anybody.get("/readyz").status == 200)
  }

  private func checkedAt(_ portal: TestPortal) throws -> Instant? {
    try portal.database.read {
      try $0.row("SELECT checked_at FROM readiness") { $0.instant(0) }
    }
  }
}
