import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicWeb

/// The server's part of the copy that a browser keeps for reading offline.
@Suite struct OfflineCopyTests {
  private static let cookie = "__Host-offline"
  private let portal: TestPortal
  private let anna: TestVisitor

  init() throws {
    portal = try TestPortal(TravelModule())
    anna = try portal.register(login: "anna")
  }

  private func keep(_ visitor: TestVisitor) -> TestPage {
    visitor.press("/account/offline/keep", on: "/account/offline")
  }

  private func copy(_ visitor: TestVisitor) -> TestPage { visitor.get("/account/offline/copy") }

  /// Presses the first "Forget" button on the visitor's page.
  private func forget(_ visitor: TestVisitor) throws -> TestPage {
    let page = visitor.get("/account/offline")
    let button = try #require(page.body.firstMatch(of: /\/account\/offline\/\d+\/forget/))
    return visitor.press(String(button.0), on: "/account/offline")
  }

  /// Returns true if the visitor's pages make the service worker fetch the copy.
  private func asks(_ visitor: TestVisitor) -> Bool {
    visitor.get("/account").contains("data-own=\"yes\"")
  }

  @Test func `a copy is served only to the browser that asked for it`() throws {
    #expect(copy(anna).status == 404 && !asks(anna))
    #expect(keep(anna).location == "/account/offline")
    #expect(copy(anna).status == 200 && asks(anna))
    let phone = portal.visitor()
    #expect(try phone.signIn("anna").status == 303)
    #expect(copy(phone).status == 404 && !asks(phone))
  }

  @Test func `a copy shows its owner and dates, and contains no form or token`() throws {
    _ = keep(anna)
    let copy = copy(anna)
    #expect(copy.contains("<bdi>Anna Petrova</bdi>") && copy.contains("boarding at noon"))
    #expect(
      copy.hasNotice(.plain, "Copy of ") && copy.hasNotice(.plain, "This browser deletes it on "))
    #expect(!copy.contains("csrf") && !copy.contains("<form") && !copy.contains("/logout"))
    #expect(copy.header("Cache-Control") == "no-store")
  }

  @Test func `the page for other addresses without a network does not say that it is a copy`() {
    let page = portal.visitor().get("/offline")
    #expect(page.status == 200)
    #expect(page.main.all { $0.hasClass("offline") }.isEmpty)
  }

  @Test func `the page lists the contents of a copy and the browsers with a copy`() throws {
    #expect(anna.get("/account/offline").contains("<li>Journeys</li>"))
    #expect(!anna.get("/account/offline").contains("Browsers with a copy"))
    _ = keep(anna)
    #expect(anna.get("/account/offline").hasSection("Browsers with a copy"))
  }

  @Test func `a copy is refused with 404 without a session, and served again with one`() throws {
    _ = keep(anna)
    let session = anna.cookie(Cookies.session)
    anna.setCookie(Cookies.session, nil)
    #expect(copy(anna).status == 404 && anna.cookie(Self.cookie) != nil)
    // The page still fetches the copy, so that the browser learns of the refusal.
    #expect(anna.get("/").contains("data-own=\"yes\""))
    anna.setCookie(Cookies.session, session)
    #expect(copy(anna).status == 200)
  }

  @Test func `signing out ends the copy and sends Clear-Site-Data`() throws {
    _ = keep(anna)
    #expect(
      anna.press("/logout", on: "/account").header("Clear-Site-Data")?.contains("storage") == true)
    #expect(try anna.signIn("anna").status == 303)
    #expect(copy(anna).status == 404)
    #expect(anna.cookie(Self.cookie) == nil && !asks(anna))
  }

  @Test func `a sign-in ends the copy of another person but not the user's own`() throws {
    _ = try portal.register(login: "boris")
    _ = keep(anna)
    let again = try anna.signIn("anna")
    #expect(again.header("Clear-Site-Data") == nil)
    anna.setCookie(Cookies.session, nil)
    #expect(try anna.signIn("anna").header("Clear-Site-Data") == nil && copy(anna).status == 200)
    anna.setCookie(Cookies.session, nil)
    let other = try anna.signIn("boris")
    #expect(other.header("Clear-Site-Data")?.contains("storage") == true)
    #expect(copy(anna).status == 404)
    anna.setCookie(Cookies.session, nil)
    _ = try anna.signIn("anna")
    #expect(copy(anna).status == 404)
  }

  @Test func `a copy can be forgotten from its own browser and from another one`() throws {
    _ = keep(anna)
    #expect(try forget(anna).header("Clear-Site-Data")?.contains("storage") == true)
    #expect(copy(anna).status == 404)
    _ = keep(anna)
    let phone = portal.visitor()
    _ = try phone.signIn("anna")
    #expect(try forget(phone).header("Clear-Site-Data") == nil)
    #expect(copy(anna).status == 404 && anna.cookie(Self.cookie) == nil)
  }

  @Test func `forgetting another person's copy is refused with 404`() throws {
    _ = keep(anna)
    let boris = try portal.register(login: "boris")
    _ = keep(boris)
    let page = anna.get("/account/offline")
    let button = try #require(page.body.firstMatch(of: /\/account\/offline\/\d+\/forget/))
    #expect(boris.press(String(button.0), on: "/account/offline", evenIfAbsent: true).status == 404)
    #expect(copy(anna).status == 200)
  }

  @Test func `a copy expires 14 days after it was last fetched`() throws {
    _ = keep(anna)
    portal.now = portal.now + .days(13)
    _ = try anna.signIn("anna")
    #expect(copy(anna).status == 200)
    portal.now = portal.now + .days(13)
    _ = try anna.signIn("anna")
    #expect(copy(anna).status == 200)
    portal.now = portal.now + .days(14)
    _ = try anna.signIn("anna")
    #expect(copy(anna).status == 404)
  }

  @Test func `a password change in one browser ends the copy in another`() throws {
    _ = keep(anna)
    let phone = portal.visitor()
    _ = try phone.signIn("anna")
    let (password, next) = (TestVisitor.password, "copper lantern under rain")
    #expect(
      try phone.submit(
        "/account/password",
        ["current_password": password, "password": next, "password_confirm": next]
      ).status == 303)
    #expect(try anna.signIn("anna", next).status == 303)
    #expect(copy(anna).status == 404)
  }

  @Test func `a row whose owner was changed in the database opens no copy`() throws {
    _ = keep(anna)
    let boris = try portal.register(login: "boris")
    try portal.database.write {
      try $0.run(
        "UPDATE home_offline_browsers SET person = (SELECT max(person) FROM accounts)")
    }
    boris.setCookie(Self.cookie, anna.cookie(Self.cookie))
    #expect(copy(boris).status == 404)
  }
}

/// A module with two offline cards, one of them for doctors.
private struct TravelModule: Module {
  var id: ModuleID { "travel" }
  var title: Text { "title" }
  var catalog: Catalog { .titled("Journeys") }
  var personalData: PersonalData { .none }
  var offlineCards: [Card] {
    [
      Card("title") { _ in "<p>boarding at noon</p>" },
      Card("title", access: .role(.doctor)) { _ in "<p>the staff's bus</p>" },
    ]
  }
}
