import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@Suite struct RequestHeaderTests {
  private let portal: TestPortal

  init() throws { portal = try TestPortal(NotesModule()) }

  @Test(arguments: ["/", "/login", "/register", "/privacy", "/nothing", "/healthz", "/account"])
  func `every response has Cache-Control: no-store`(_ path: String) throws {
    let anna = try portal.register()
    #expect(anna.get(path).header("Cache-Control") == "no-store")
    #expect(portal.visitor().get(path).header("Cache-Control") == "no-store")
  }

  @Test func `cookies are __Host-, Secure, HttpOnly and SameSite=Lax`() throws {
    let page = portal.visitor().get("/register")
    let cookie = try #require(page.header("Set-Cookie"))
    #expect(cookie.hasPrefix("__Host-visitor="))
    for attribute in ["Path=/", "Secure", "HttpOnly", "SameSite=Lax"] {
      #expect(cookie.contains("; \(attribute)"))
    }
    #expect(!cookie.contains("Domain"))
    let browser = portal.visitor()
    let answer = try browser.submit("/register", TestVisitor.registration(login: "anna"))
    let cookies = answer.headers.filter { $0.name == "Set-Cookie" }.map(\.value)
    let session = try #require(cookies.first { $0.hasPrefix("__Host-session=") })
    #expect(session.hasSuffix("; Path=/; Secure; HttpOnly; SameSite=Lax"))
    #expect(cookies.contains { $0.hasPrefix("__Host-visitor=;") && $0.contains("Max-Age=0") })
  }

  @Test func `each response masks the anti-forgery token differently`() throws {
    let anna = try portal.register()
    let tokens = (1...3).map { _ in
      anna.get("/notes/new").hidden(of: "/notes/new").first { $0.0 == "csrf" }?.1 ?? ""
    }
    #expect(Set(tokens).count == 3)
  }

  @Test func `a cookie with a similar name is not accepted as the session`() throws {
    let anna = try portal.register()
    let token = try #require(anna.cookie("__Host-session"))
    for name in ["x__Host-session", "__Host-sessionx", "__host-session", "session"] {
      let browser = portal.visitor()
      browser.setCookie(name, token)
      #expect(browser.get("/account").status == 303)
    }
  }
}
