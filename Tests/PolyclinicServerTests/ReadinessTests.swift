import Foundation
import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import PolyclinicServer

@Suite struct ReadinessTests {
  @Test func `the process says that it lives, and that it can serve`() throws {
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

  @Test func `without its database file it lives and cannot serve, and recovers by itself`() throws
  {
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

  @Test func `a refusal that lasts is an outage until the database takes something again`() throws {
    let portal = try TestPortal()
    let trouble = Trouble()
    let lasting: [DatabaseError.Kind] = [.full, .readOnly, .missing, .corrupt]
    for kind in [DatabaseError.Kind.busy, .unique, .constraint, .other] {
      trouble.note(DatabaseError(kind, code: 1, detail: ""))
    }
    #expect(!trouble.isThere)
    for kind in lasting {
      trouble.note(DatabaseError(kind, code: 1, detail: ""))
      #expect(trouble.isThere)
      try portal.database.read { _ = try $0.integer("PRAGMA query_only = 1") }
      try trouble.attempt(Readiness(), of: portal.database, at: portal.now)
      #expect(trouble.isThere)
      try portal.database.read { _ = try $0.run("PRAGMA query_only = 0") }
      try trouble.attempt(Readiness(), of: portal.database, at: portal.now)
      #expect(!trouble.isThere)
    }
  }

  private func checkedAt(_ portal: TestPortal) throws -> Instant? {
    try portal.database.read {
      try $0.row("SELECT checked_at FROM readiness") { $0.instant(0) }
    }
  }
}
