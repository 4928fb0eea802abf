import Foundation
import PolyclinicCore
import PolyclinicTesting
import Testing

@Suite struct ReadinessTests {
  @Test func `the process says that it lives, and that it can serve`() throws {
    let visitor = try TestPortal().visitor()
    #expect(visitor.get("/healthz").body == "ok\n")
    #expect(visitor.get("/readyz").body == "ready\n")
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
    #expect(portal.visitor().get("/readyz").status == 200)
    #expect(anna.get("/account").status == 200)
  }
}
