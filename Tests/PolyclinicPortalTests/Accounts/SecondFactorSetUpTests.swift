import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import PolyclinicVault
@testable import PolyclinicWeb

/// The value that carries the set-up of a second factor, and codes after a wrong clock or a flood.
@Suite struct SecondFactorSetUpTests {
  private static let path = "/account/two-factor/set-up"
  private let portal: TestPortal
  private let anna: TestVisitor

  init() throws {
    portal = try TestPortal()
    anna = try portal.register(login: "anna")
  }

  private func send(
    _ pending: String, by visitor: TestVisitor, _ app: OneTimePassword,
    password: String = TestVisitor.password
  ) -> TestPage {
    let own = visitor.get(Self.path).hidden(of: Self.path).filter { $0.0 != "pending" }
    return visitor.post(
      Self.path,
      pairs: own + [
        ("pending", pending), ("code", app.code(in: portal)), ("current_password", password),
      ])
  }

  @Test func `the value of the set-up page opens no sign-in, in a session or after it`() throws {
    let page = anna.get(Self.path)
    let (app, pending) = (try #require(page.app), try #require(page.value(of: "pending")))
    _ = anna.press("/logout", on: "/account")
    let thief = portal.visitor()
    let answer = thief.post(
      "/login/code",
      pairs: thief.get("/login").hidden(of: "/login") + [
        ("pending", pending), ("code", app.code(in: portal)), ("trust", "yes"),
      ])
    #expect(answer.status == 422 && answer.hasField("password"))
    #expect(thief.get("/account").status == 303)
    #expect(try anna.signIn("anna").status == 303)
  }

  @Test(arguments: ["signed out", "ended", "new password"])
  func `the value of the set-up page ends with its session`(_ end: String) throws {
    let page = anna.get(Self.path)
    let (app, pending) = (try #require(page.app), try #require(page.value(of: "pending")))
    var password = TestVisitor.password
    switch end {
    case "signed out":
      _ = anna.press("/logout", on: "/account")
      _ = try anna.signIn("anna")
    case "ended":
      let other = portal.visitor()
      _ = try other.signIn("anna")
      let proof = ["current_password": password]
      #expect(try other.submit("/account/sessions/end-others", proof).status == 303)
      _ = try anna.signIn("anna")
    default:
      let new = "umbrella quietly orbits tea"
      let fields = ["current_password": password, "password": new, "password_confirm": new]
      #expect(try anna.submit("/account/password", fields).status == 303)
      password = new
    }
    let answer = send(pending, by: anna, app, password: password)
    #expect(answer.refuses("code") && answer.hasError("took too long"))
    #expect(anna.get("/account/two-factor").isEmptyList())
  }

  @Test func `the value of the set-up page does not open in another session of the person`() throws
  {
    let page = anna.get(Self.path)
    let (app, pending) = (try #require(page.app), try #require(page.value(of: "pending")))
    let other = portal.visitor()
    _ = try other.signIn("anna")
    #expect(send(pending, by: other, app).refuses("code"))
    #expect(send(pending, by: anna, app).status == 200)
  }

  @Test func `the value of a sign-in opens only in the browser that began it`() throws {
    let app = try anna.enrol(in: portal).app
    let browser = portal.visitor()
    let asked = try browser.signIn("anna")
    let pending = try #require(asked.value(of: "pending"))
    let thief = portal.visitor()
    let own = thief.get("/login").hidden(of: "/login")
    let answer = thief.post(
      "/login/code", pairs: own + [("pending", pending), ("code", app.code(in: portal))])
    #expect(answer.status == 422 && answer.hasField("password"))
    #expect(browser.answer(asked, app.code(in: portal)).status == 303)
  }

  @Test func `right codes are accepted after the clock was ahead, each once`() throws {
    let app = try anna.enrol(in: portal).app
    let browser = portal.visitor()
    portal.now = portal.now + .days(400)
    #expect(browser.answer(try browser.signIn("anna"), app.code(in: portal)).status == 303)
    portal.now = portal.now - .days(400) + .minutes(5)
    for status in [303, 422] {
      let other = portal.visitor()
      #expect(other.answer(try other.signIn("anna"), app.code(in: portal)).status == status)
    }
  }

  @Test func `a flood of wrong codes does not lock out the address of the set-up`() throws {
    anna.headers["X-Address"] = "192.0.2.9"
    let app = try anna.enrol(in: portal).app
    for number in 0..<40 {
      let stranger = portal.visitor()
      stranger.headers["X-Address"] = "198.51.100.\(number)"
      _ = stranger.answer(try stranger.signIn("anna"), "000000")
    }
    let elsewhere = portal.visitor()
    elsewhere.headers["X-Address"] = "203.0.113.5"
    #expect(elsewhere.answer(try elsewhere.signIn("anna"), app.code(in: portal)).status == 429)
    let home = portal.visitor()
    home.headers["X-Address"] = "192.0.2.9"
    #expect(home.answer(try home.signIn("anna"), app.code(in: portal)).status == 303)
  }

  @Test func `wrong codes from many addresses notify the owner, and make strangers wait an hour`()
    throws
  {
    anna.headers["X-Address"] = "192.0.2.9"
    let app = try anna.enrol(in: portal).app
    var longest = 0
    for number in 0..<40 {
      let stranger = portal.visitor()
      stranger.headers["X-Address"] = "198.51.100.\(number)"
      let answer = stranger.answer(try stranger.signIn("anna"), "000000")
      guard answer.status == 429 else { continue }
      let wait = try #require(answer.header("Retry-After").flatMap(Int.init))
      longest = max(longest, wait)
      portal.now = portal.now + .seconds(wait)
    }
    #expect(longest > 1_000)
    let home = portal.visitor()
    home.headers["X-Address"] = "192.0.2.9"
    #expect(home.answer(try home.signIn("anna"), app.code(in: portal)).status == 303)
    #expect(portal.notified(home, "wrong codes"))
  }

  @Test func `an erasure removes the counts of codes`() throws {
    let app = try anna.enrol(in: portal).app
    let browser = portal.visitor()
    #expect(browser.answer(try browser.signIn("anna"), app.code(in: portal)).status == 303)
    try portal.erase(anna)
    #expect(try portal.rowCounts()["known_addresses"] == 0)
  }
}
