import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import PolyclinicVault
@testable import PolyclinicWeb

/// Browsers in which a person signs in without a code.
@Suite struct TrustedBrowserTests {
  private static let cookie = "__Host-browser"
  private let portal: TestPortal
  private let anna: TestVisitor
  private let app: OneTimePassword

  init() throws {
    portal = try TestPortal()
    anna = try portal.register(login: "anna")
    app = try anna.enrol(in: portal).app
  }

  private func password(_ browser: TestVisitor, _ login: String = "anna") throws -> TestPage {
    try browser.signIn(login)
  }

  /// Signs in with a code and trusts the browser.
  private func trust(
    _ browser: TestVisitor, _ login: String = "anna", _ app: OneTimePassword? = nil
  ) throws {
    let code = (app ?? self.app).code(in: portal)
    #expect(browser.answer(try password(browser, login), code, [("trust", "yes")]).status == 303)
    portal.now = portal.now + .seconds(60)
  }

  @Test func `the owner is notified when a browser is trusted and when trust is removed`() throws {
    let browser = portal.visitor()
    #expect(browser.answer(try password(browser), app.code(in: portal)).status == 303)
    #expect(!portal.notified(anna, "no longer asks for a code in one more browser"))
    portal.now = portal.now + .seconds(60)
    browser.setCookie("__Host-session", nil)
    try trust(browser)
    #expect(portal.notified(anna, "no longer asks for a code in one more browser"))
    let list = anna.get("/account/sessions")
    let button = try #require(
      list.body.firstMatch(of: /\/account\/sessions\/browsers\/\d+\/forget/))
    #expect(anna.press(String(button.0), on: "/account/sessions").status == 303)
    #expect(portal.notified(anna, "One of your browsers is no longer trusted"))
  }

  @Test func `a token that somebody has put into the browser is not trusted`() throws {
    let planted = Token.random().text
    let browser = portal.visitor()
    browser.setCookie(Self.cookie, planted)
    try trust(browser)
    #expect(browser.cookie(Self.cookie) != planted)
    let thief = portal.visitor()
    thief.setCookie(Self.cookie, planted)
    #expect(try password(thief).heading == "Enter your code")
    browser.setCookie("__Host-session", nil)
    #expect(try password(browser).status == 303)
  }

  @Test func `a new token serves all people of the browser, and the former one nobody`() throws {
    let boris = try portal.register(login: "boris")
    let borisApp = try boris.enrol(in: portal).app
    let browser = portal.visitor()
    try trust(browser)
    let former = browser.cookie(Self.cookie)
    let since = try rememberedAt()
    browser.setCookie("__Host-session", nil)
    try trust(browser, "boris", borisApp)
    #expect(try rememberedAt() == since, "a move does not prolong the trust")
    for login in ["anna", "boris"] {
      let thief = portal.visitor()
      thief.setCookie(Self.cookie, former)
      #expect(try password(thief, login).heading == "Enter your code")
      browser.setCookie("__Host-session", nil)
      #expect(try password(browser, login).status == 303)
    }
  }

  /// Returns the time since which Anna's only trusted browser is trusted.
  private func rememberedAt() throws -> Int? {
    let person = try portal.person(of: anna)
    return try portal.database.read {
      try $0.integer("SELECT sum(trusted_at) FROM trusted_browsers WHERE person = \(person)")
    }
  }

  @Test func `a token that keeps an offline copy is new for each copy`() throws {
    let planted = Token.random().text
    anna.setCookie("__Host-offline", planted)
    #expect(anna.press("/account/offline/keep", on: "/account/offline").status == 303)
    let token = anna.cookie("__Host-offline")
    #expect(token != planted && anna.get("/account/offline/copy").status == 200)
    _ = anna.press("/account/offline/keep", on: "/account/offline", evenIfAbsent: true)
    #expect(anna.cookie("__Host-offline") != token)
    #expect(anna.get("/account/offline/copy").status == 200)
    #expect(try portal.rowCounts()["home_offline_browsers"] == 1)
  }

  @Test func `the owner is notified of a changed password`() throws {
    let other = "umbrella quietly orbits tea"
    _ = try anna.submit(
      "/account/password",
      ["current_password": TestVisitor.password, "password": other, "password_confirm": other])
    #expect(portal.notified(anna, "Your password was changed"))
  }
}
