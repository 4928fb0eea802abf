import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicPortal
@testable import PolyclinicWeb

/// The lifetimes of tokens, links and browsers from a clock that was ahead, after it was set back.
@Suite struct ClockAheadTests {
  private let portal: TestPortal
  private let anna: TestVisitor

  init() throws {
    portal = try TestPortal(SlipsModule())
    anna = try portal.register(login: "anna")
  }

  /// Runs `body` with a clock that is ten days ahead.
  private func ahead<Value>(_ body: () throws -> Value) rethrows -> Value {
    portal.now = portal.now + .days(10)
    defer { portal.now = portal.now - .days(10) }
    return try body()
  }

  private func rows(_ table: StaticString) throws -> Int? { try portal.rowCounts()["\(table)"] }

  @Test func `one-time links of the future do not open, and are deleted`() throws {
    let person = try portal.person(of: anna)
    let vault = try portal.vault
    let (reset, setup) = try ahead {
      try portal.database.write {
        (
          try OneTimeLink.makeReset(for: person, at: portal.now, vault, on: $0),
          try OneTimeLink.makeSetup(at: portal.now, vault, on: $0)
        )
      }
    }
    for link in [reset, setup] { #expect(portal.visitor().get(link.description).status == 410) }
    try portal.runJobs()
    #expect(try rows("password_links") == 0 && rows("setup_links") == 0)
  }

  @Test func `confirmation links of the future do not confirm, and are deleted`() throws {
    let (person, vault) = (try portal.person(of: anna), try portal.vault)
    let address = try #require(MailAddress("anna@example.org")).hash(by: vault)
    func link() throws -> String {
      try portal.database.write {
        try AddressConfirmation(person: person, address: address)
          .makeLink(in: Work(at: portal.now, on: $0))
      }.description
    }
    #expect(anna.get(try link()).status == 200)
    #expect(anna.get(try ahead(link)).status == 410)
    try portal.runJobs()
    #expect(try rows("notifications_links") == 1)
  }

  @Test func `an API token of the future is refused`() throws {
    let secret = try ahead {
      _ = try anna.signIn("anna")
      return try anna.makeToken(["slips": "write"])
    }
    #expect(TestProgram(portal, token: secret).get("/api/v1/slips").status == 401)
    portal.now = portal.now + .days(10)
    #expect(TestProgram(portal, token: secret).get("/api/v1/slips").status == 200)
  }

  @Test func `trust and known addresses of the future are deleted`() throws {
    let app = try anna.enrol(in: portal).app
    let browser = portal.visitor()
    browser.headers["X-Address"] = "203.0.113.5"
    let before = try #require(try rows("known_addresses"))
    try ahead {
      let page = try browser.signIn("anna")
      #expect(browser.answer(page, app.code(in: portal), [("trust", "yes")]).status == 303)
    }
    #expect(try rows("trusted_browsers") == 1 && rows("known_addresses") ?? 0 > before)
    try portal.runJobs()
    #expect(try rows("trusted_browsers") == 0 && rows("known_addresses") == before)
  }
}
