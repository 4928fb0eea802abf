import Foundation
import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import PolyclinicPortal
@testable import PolyclinicWeb

@Suite struct SessionTests {
  private let portal: TestPortal
  private let anna: TestVisitor

  init() throws {
    portal = try TestPortal()
    anna = try portal.register(login: "anna")
  }

  private func elsewhere() throws -> TestVisitor {
    let browser = portal.visitor()
    _ = try browser.signIn("anna")
    return browser
  }

  @Test func `a session ends after an hour without a request`() {
    portal.now = portal.now + .minutes(59)
    #expect(anna.get("/account").status == 200)
    portal.now = portal.now + .minutes(59)
    #expect(anna.get("/account").status == 200)
    portal.now = portal.now + .minutes(61)
    #expect(anna.get("/account").status == 303)
  }

  @Test func `a session ends after 12 hours even if it is in use`() {
    for _ in 1...23 {
      portal.now = portal.now + .minutes(30)
      #expect(anna.get("/account").status == 200)
    }
    portal.now = portal.now + .minutes(31)
    #expect(anna.get("/account").status == 303)
  }

  @Test func `a session from a time when the clock was ahead ends with it`() throws {
    portal.now = portal.now + .days(400)
    let browser = try elsewhere()
    portal.now = portal.now - .minutes(10)
    #expect(browser.get("/account").status == 200)
    portal.now = portal.now - .days(400)
    #expect(browser.get("/account").status == 303)
    #expect(try browser.signIn("anna").status == 303)
    #expect(browser.get("/account").status == 200)
  }

  @Test func `a sign-in issues a new session token, and the earlier one is invalid`() throws {
    let before = try #require(anna.cookie("__Host-session"))
    _ = anna.press("/logout", on: "/")
    let thief = portal.visitor()
    thief.setCookie("__Host-session", before)
    let browser = portal.visitor()
    browser.setCookie("__Host-session", before)
    _ = try browser.signIn("anna")
    #expect(browser.cookie("__Host-session") != before)
    #expect(browser.get("/account").status == 200)
    #expect(thief.get("/account").status == 303)
  }

  @Test func `a sign-out ends the session on the server and clears the browser`() throws {
    let token = anna.cookie("__Host-session")
    let answer = anna.press("/logout", on: "/")
    #expect(answer.status == 303 && answer.header("Clear-Site-Data") == "\"cache\", \"storage\"")
    #expect(anna.cookie("__Host-session") == nil)
    anna.setCookie("__Host-session", token)
    #expect(anna.get("/account").status == 303)
  }

  @Test func `a sign-out of an expired session redirects to Home and clears the cookie`() {
    let form = anna.get("/").hidden(of: "/logout")
    portal.now = portal.now + .hours(2)
    let answer = anna.post("/logout", pairs: form)
    #expect(answer.status == 303 && answer.location == "/")
    #expect(answer.header("Clear-Site-Data") != nil && anna.cookie("__Host-session") == nil)
  }

  @Test(arguments: ["", "x", "AAAA", String(repeating: "A", count: 5_000), "\"; DROP"])
  func `a browser with an invalid session cookie is not signed in`(_ token: String) {
    let browser = portal.visitor()
    browser.setCookie("__Host-session", token)
    #expect(browser.get("/account").status == 303)
    #expect(browser.get("/").status == 200)
  }

  @Test func `the sessions page lists all sessions and ends one or all others`() throws {
    let other = try elsewhere()
    let third = try elsewhere()
    let page = anna.get("/account/sessions")
    #expect(page.body.components(separatedBy: "class=\"item\"").count == 4)
    let marks = page.body.split(separator: "href=\"/account/sessions/").dropFirst()
    let path = "/account/sessions/" + String(marks.first?.prefix { $0 != "\"" } ?? "")
    #expect(try anna.submit(path, ["current_password": TestVisitor.password]).status == 303)
    #expect([other, third].filter { $0.get("/account").status == 200 }.count == 1)
    let rest = try anna.submit(
      "/account/sessions/end-others", ["current_password": TestVisitor.password])
    #expect(rest.status == 303)
    #expect([other, third].allSatisfy { $0.get("/account").status == 303 })
    #expect(anna.get("/account").status == 200)
  }

  @Test(arguments: ["", "not the password"])
  func `ending other sessions without the password is refused with 422`(_ typed: String) throws {
    let other = try elsewhere()
    let id = try portal.database.read {
      try $0.integer("SELECT max(id_session) FROM sessions") ?? 0
    }
    for path in ["/account/sessions/\(id)/end", "/account/sessions/end-others"] {
      #expect(try anna.submit(path, ["current_password": typed]).status == 422)
    }
    #expect(other.get("/account").status == 200)
  }

  @Test func `a repeated registration does not sign in after its session was ended`() throws {
    let there = portal.visitor()
    let fields = TestVisitor.registration(login: "vera").map { ($0.key, $0.value) }
    let sent = there.get("/register").hidden(of: "/register") + fields
    // The browser sends the second request before it receives the first answer.
    let late = portal.visitor()
    late.setCookie(AntiForgery.visitorCookie, there.cookie(AntiForgery.visitorCookie))
    #expect(there.post("/register", pairs: sent).status == 303)
    let here = portal.visitor()
    _ = try here.signIn("vera")
    let id = try portal.database.read {
      try $0.integer("SELECT max(id_session) - 1 FROM sessions") ?? 0
    }
    let ended = try here.submit(
      "/account/sessions/\(id)/end", ["current_password": TestVisitor.password])
    #expect(ended.status == 303 && there.get("/account").status == 303)
    #expect(late.post("/register", pairs: sent).status == 303)
    #expect(late.get("/account").status == 303)
  }

  @Test func `ending another person's session is refused with 404`() throws {
    let boris = try portal.register()
    let ids = try portal.database.read {
      try $0.rows("SELECT id_session FROM sessions") { $0.int(0) }
    }
    let token = boris.get("/account/sessions").hidden(of: "/logout")
    let proof = token + [("current_password", TestVisitor.password)]
    let answers = ids.map { boris.post("/account/sessions/\($0)/end", pairs: proof).status }
    #expect(answers.filter { $0 == 404 }.count == ids.count - 1)
    #expect(anna.get("/account").status == 200)
  }

  @Test func `a suspended person's session ends at once`() throws {
    let person = try portal.keys(of: anna).person
    _ = try portal.database.write {
      try $0.run("UPDATE accounts SET state = 'suspended' WHERE person = \(person)")
    }
    #expect(anna.get("/account").status == 303)
  }

  @Test func `the database does not contain the session token`() throws {
    let token = try #require(anna.cookie("__Host-session"))
    #expect(try !portal.storedBytes().contains(token.utf8))
  }

  @Test func `the background job deletes expired sessions`() throws {
    portal.now = portal.now + .hours(13)
    try portal.runJobs()
    #expect(try portal.rowCounts()["sessions"] == 0)
  }
}
