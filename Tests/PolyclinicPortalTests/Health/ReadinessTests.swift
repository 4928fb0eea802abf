import Foundation
import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicWeb

@Suite struct ReadinessTests {
  @Test func `healthz answers "ok" and readyz lists each check`() throws {
    let visitor = try TestPortal().visitor()
    #expect(visitor.get("/healthz").body == "ok\n")
    #expect(
      visitor.get("/readyz").body == """
        ready
        database: written
        schema: whole
        disk: enough room
        backup: none yet

        """)
    #expect(visitor.get("/readyz").header("Content-Type") == "text/plain; charset=utf-8")
  }

  @Test(.sqliteOnly)
  func `without the database file readyz answers 503 until the file is back`() throws {
    let portal = try TestPortal()
    let anna = try portal.register()
    let form = anna.get("/").hidden(of: "/language")
    let path = portal.directory + "/polyclinic.sqlite"
    try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
    #expect(portal.visitor().get("/healthz").status == 200)
    #expect(portal.visitor().get("/readyz").status == 503)
    #expect(portal.visitor().get("/readyz").header("Retry-After") == "5")
    let page = anna.post("/language", pairs: form + [("language", "ru")])
    #expect(page.status == 503 && page.header("Retry-After") != nil)
    #expect(page.contains("<!DOCTYPE html>"))
    try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
    portal.now = portal.now + .seconds(5)
    #expect(portal.visitor().get("/readyz").status == 200)
    #expect(anna.get("/account").status == 200)
  }

  @Test func `readyz writes to the database at most every 5 seconds`() throws {
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

  @Test func `readyz answers 503 for a read-only database, and retries after 5 s`() throws {
    let portal = try TestPortal()
    let anybody = portal.visitor()
    try portal.loseWriteAccess()
    for _ in 0..<2 { #expect(anybody.get("/readyz").status == 503) }
    portal.now = portal.now + .seconds(4)
    try portal.regainWriteAccess()
    #expect(anybody.get("/readyz").status == 503)
    portal.now = portal.now + .seconds(1)
    #expect(anybody.get("/readyz").status == 200)
  }

  @Test func `a lasting database error is an outage until a write succeeds`() throws {
    let portal = try TestPortal()
    let writeHealth = WriteHealth()
    let lasting: [DatabaseError.Kind] = [.full, .readOnly, .missing, .corrupt]
    for kind in [DatabaseError.Kind.busy, .unique, .constraint, .other] {
      writeHealth.note(DatabaseError(kind, code: 1, detail: ""))
    }
    #expect(!writeHealth.isFailing)
    for kind in lasting {
      writeHealth.note(DatabaseError(kind, code: 1, detail: ""))
      #expect(writeHealth.isFailing)
      try portal.loseWriteAccess()
      try writeHealth.attempt(Readiness(), of: portal.database, at: portal.now)
      #expect(writeHealth.isFailing)
      try portal.regainWriteAccess()
      try writeHealth.attempt(Readiness(), of: portal.database, at: portal.now)
      #expect(!writeHealth.isFailing)
    }
  }

  private func checkedAt(_ portal: TestPortal) throws -> Instant? {
    try portal.database.read {
      try $0.row("SELECT checked_at FROM readiness") { $0.instant(0) }
    }
  }
}
