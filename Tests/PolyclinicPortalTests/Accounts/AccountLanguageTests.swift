import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicServer

@Suite struct AccountLanguageTests {
  private let portal: TestPortal

  init() throws { portal = try TestPortal() }

  private func speak(_ language: String, _ visitor: TestVisitor, next: String = "/") -> TestPage {
    visitor.press("/language", on: "/", ["language": language, "next": next])
  }

  @Test func `pages are in the language that the browser prefers`() {
    #expect(portal.visitor(language: .russian).get("/").contains("<html lang=\"ru\" dir=\"ltr\">"))
    #expect(portal.visitor(language: .hebrew).get("/").contains("<html lang=\"he\" dir=\"rtl\">"))
    let other = portal.visitor()
    other.headers["Accept-Language"] = "xx, ru;q=0.3, he;q=0.8"
    #expect(other.get("/").contains("lang=\"he\""))
    other.headers["Accept-Language"] = "xx"
    #expect(other.get("/").contains("<html lang=\"en\""))
  }

  @Test func `a chosen language is stored in a cookie, or in a signed-in account`() throws {
    let browser = portal.visitor()
    #expect(speak("ru", browser).status == 303)
    #expect(browser.cookie("__Host-language") == "ru")
    #expect(browser.get("/").contains("<html lang=\"ru\""))
    let anna = try portal.register(login: "anna")
    #expect(speak("he", anna).status == 303)
    let elsewhere = portal.visitor()
    _ = try elsewhere.signIn("anna")
    #expect(elsewhere.get("/").contains("<html lang=\"he\""))
  }

  @Test func `registration stores the visit's language in the account`() throws {
    let anna = try portal.register(login: "anna", language: .russian)
    anna.headers["Accept-Language"] = "en"
    #expect(anna.get("/").contains("<html lang=\"ru\""))
  }

  @Test func `an account made by the command follows the browser until it chooses`() throws {
    _ = try portal.userCommands().add(
      "vera", role: .doctor, password: .given(TestVisitor.password))
    let vera = portal.visitor(language: .russian)
    _ = try vera.signIn("vera")
    #expect(vera.get("/").contains("<html lang=\"ru\""))
    let elsewhere = portal.visitor(language: .hebrew)
    _ = try elsewhere.signIn("vera")
    #expect(elsewhere.get("/").contains("<html lang=\"he\""))
    #expect(speak("ru", vera).status == 303)
    #expect(elsewhere.get("/").contains("<html lang=\"ru\""))
  }

  @Test(arguments: ["xx", "", "en\r\nSet-Cookie: a=b"])
  func `an unknown language is refused with 400`(_ language: String) {
    #expect(speak(language, portal.visitor()).status == 400)
  }

  @Test(arguments: ["//evil.example", "/\\evil", "https://evil.example", "javascript:alert(1)", ""])
  func `a redirect target outside the portal is replaced with the home page`(_ next: String) {
    #expect(speak("ru", portal.visitor(), next: next).location == "/")
  }

  @Test(arguments: [("__Host-language", "<script>"), ("language", "ru")])
  func `an invalid language cookie and one without the __Host- prefix are ignored`(
    _ name: String, _ value: String
  ) {
    let browser = portal.visitor()
    browser.setCookie(name, value)
    #expect(browser.get("/").contains("<html lang=\"en\""))
  }
}
