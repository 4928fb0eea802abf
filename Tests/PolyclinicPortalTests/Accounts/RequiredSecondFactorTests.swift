import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicVault
@testable import PolyclinicWeb

/// Accounts that need a second factor get no session before it is set up.
@Suite struct RequiredSecondFactorTests {
  /// Signs in on the page to which `answer` leads, sets up the second factor, and returns the page
  /// after it.
  private func enter(
    _ browser: TestVisitor, _ login: String, after answer: TestPage, in portal: TestPortal,
    password: String = TestVisitor.password
  ) throws -> TestPage {
    #expect(answer.status == 303 && answer.location.hasPrefix("/login?next="))
    #expect(browser.cookie("__Host-session") == nil)
    let entrance = browser.get(answer.location)
    #expect(entrance.hasNotice(.success, "then set up codes"))
    let page = browser.post(
      "/login",
      pairs: entrance.hidden(of: "/login") + [("login", login), ("password", password)])
    let app = try #require(page.app)
    return browser.answer(page, app.code(in: portal))
  }

  @Test func `a registration leads to the set-up, and its repetition signs nobody in`() throws {
    let portal = try TestPortal(secondFactor: "everybody")
    let browser = portal.visitor()
    let sent =
      browser.get("/register").hidden(of: "/register")
      + TestVisitor.registration(login: "anna").map { ($0.key, $0.value) }
    let answer = browser.post("/register", pairs: sent)
    #expect(browser.post("/register", pairs: sent).location == answer.location)
    let sheet = try enter(browser, "anna", after: answer, in: portal)
    #expect(sheet.recoveryCodes.count == 10 && sheet.contains("href=\"/account/welcome\""))
    #expect(browser.get("/account/welcome").status == 200)
  }

  @Test func `the first administrator sets up the second factor before the first session`() throws {
    let portal = try TestPortal(secondFactor: "staff")
    let link = try portal.database.write {
      try OneTimeLink.makeSetup(at: portal.now, try portal.vault, on: $0)
    }.description
    let browser = portal.visitor()
    let answer = try browser.submit(link, TestVisitor.registration(login: "chief"))
    let sheet = try enter(browser, "chief", after: answer, in: portal)
    #expect(sheet.contains("href=\"/admin\"") && browser.get("/admin").status == 200)
  }

  @Test func `a form in another person's session leads to the sign-in page too`() throws {
    let portal = try TestPortal(secondFactor: "staff")
    let browser = try portal.register(login: "anna")
    let link = try portal.database.write {
      try OneTimeLink.makeSetup(at: portal.now, try portal.vault, on: $0)
    }.description
    let answer = try browser.submit(link, TestVisitor.registration(login: "chief"))
    #expect(browser.get(answer.location).hasField("password"))
  }

  @Test func `the set-up at sign-in ends the sessions from before it`() throws {
    let portal = try TestPortal(secondFactor: "staff")
    let doctor = try portal.register(login: "vera")
    try portal.grant(.doctor, to: "vera")
    let browser = portal.visitor()
    let page = try browser.signIn("vera")
    let app = try #require(page.app)
    #expect(doctor.get("/account").status == 200)
    #expect(browser.answer(page, app.code(in: portal)).status == 200)
    #expect(doctor.get("/account").status == 303)
    #expect(browser.get("/account").status == 200)
  }
}
