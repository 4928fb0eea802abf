import PolyclinicCore
import PolyclinicTesting
import Synchronization
import Testing

@Suite struct TestPortalTests {
  @Test func `a portal shows times in the time zone that the test chooses`() throws {
    let minsk = try TestPortal(PagesModule()).register().get("/pages/time")
    let zone = try #require(Zone("Asia/Kathmandu"))
    let kathmandu = try TestPortal(PagesModule(), zone: zone).register().get("/pages/time")
    #expect(minsk.text.contains("12:00") && kathmandu.text.contains("14:45"))
  }

  // A process that a trap ends leaves its server of PostgreSQL behind.
  @Test(.sqliteOnly)
  func `a trap in a page prints the request before it ends the process`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let anna = try TestPortal(DiaryModule(furtherRoutes: [.get("trap") { _ in fatalError() }]))
        .register()
      _ = anna.get("/diary/trap?day=1")
    }
    let printed = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(printed.contains("trap while the test portal handled GET /diary/trap?day=1"))
  }

  @Test func `a module reads the settings that the test gives`() throws {
    let given = try TestPortal(PagesModule(), settings: ["colour": .text("blue")]).register()
    #expect(given.get("/pages/colour").text.contains("blue"))
    #expect(try TestPortal(PagesModule()).register().get("/pages/colour").text.contains("red"))
  }

  @Test func `the notifications of a visitor are read without marking them as read`() throws {
    let portal = try TestPortal(PagesModule())
    let anna = try portal.register()
    #expect(portal.notices(of: anna).isEmpty)
    _ = anna.press("/pages/call", on: "/pages")
    #expect(portal.notices(of: anna) == [TestNotice(text: "Call us", isUnread: true)])
    #expect(portal.notified(anna, "Call us") && !portal.notified(anna, "Goodbye"))
  }

  @Test func `failed health checks are returned as sentences`() throws {
    #expect(try TestPortal(PagesModule()).checks() == [])
    #expect(
      try TestPortal(PagesModule(problem: "The disk is full.")).checks() == ["The disk is full."])
  }

  @Test(.sqliteOnly)
  func `the closure of a write runs twice, and its first run is rolled back`() throws {
    let runs = Mutex(0)
    let portal = try TestPortal(
      DiaryModule(furtherRoutes: [
        .post(
          "count",
          save: { context in
            runs.withLock { $0 += 1 }
            let person = try context.keys.person
            try context.run("INSERT INTO diary (person, text) VALUES (\(person), 'Sunny')")
            return ""
          })
      ]))
    let anna = try portal.register()
    let send = {
      let fields = anna.get("/diary/new").hidden(of: "/diary/new")
      return anna.post("/diary/count", pairs: fields).status
    }
    #expect(send() == 303 && runs.withLock(\.self) == 2)
    #expect(try portal.read { try $0.integer("SELECT count(*) FROM diary") } == 1)
    // Statements are counted in one run.
    let statements = portal.statements { #expect(send() == 303) }
    #expect(statements.count { $0.hasPrefix("INSERT INTO diary") } == 1)
    #expect(runs.withLock(\.self) == 3)
  }
}
