import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import PolyclinicServer

@Suite struct AccountPasswordTests {
  private let portal: TestPortal
  private let anna: TestVisitor
  private static let new = "umbrella quietly orbits tea"

  init() throws {
    portal = try TestPortal()
    anna = try portal.register(login: "anna")
  }

  private func change(_ changes: [String: String] = [:]) throws -> TestPage {
    let fields = [
      "current_password": TestVisitor.password, "password": Self.new, "password_confirm": Self.new,
    ]
    return try anna.submit("/account/password", fields.merging(changes) { $1 })
  }

  private func resetLink() throws -> String {
    let person = try portal.keys(of: anna).person
    return try portal.database.write {
      try OneTimeLink.makeReset(for: person, at: portal.now, portal.vault, on: $0).description
    }
  }

  @Test func `a changed password ends the other sessions and renews this one`() throws {
    let other = portal.visitor()
    _ = try other.signIn("anna")
    let token = anna.cookie("__Host-session")
    #expect(try change().location == "/account?changed=password")
    #expect(anna.get("/account").status == 200 && anna.cookie("__Host-session") != token)
    #expect(other.get("/account").status == 303)
    #expect(try portal.visitor().signIn("anna").status == 422)
    #expect(try portal.visitor().signIn("anna", Self.new).status == 303)
  }

  @Test func `it needs the current password`() throws {
    let page = try change(["current_password": "a wrong one"])
    #expect(page.status == 422 && page.contains("id=\"current_password-error\""))
    #expect(try portal.visitor().signIn("anna").status == 303)
  }

  @Test func `a password that was set while the present one was compared is not overridden`() throws
  {
    // It happens between comparing and saving, which is where the place is noted that has signed in.
    try portal.database.write {
      try $0.run(
        """
        CREATE TRIGGER elsewhere AFTER INSERT ON known_addresses
        BEGIN UPDATE accounts SET password = 'set by a link'; END
        """)
    }
    let page = try change()
    #expect(page.status == 409 && page.contains("Another password was set"))
    let stored = try portal.database.read {
      try $0.row("SELECT password FROM accounts") { $0.string(0) }
    }
    #expect(stored == "set by a link")
  }

  /// A calendar's address, such as a module gives out.
  private func address() throws -> (book: SecretAddressBook, secret: String) {
    let book = SecretAddressBook(vault: try portal.vault, module: "appointments")
    let keys = try portal.keys(of: anna)
    let secret = try portal.database.write {
      try book.make(for: keys, purpose: "full", at: portal.now, on: $0)
    }
    return (book, secret)
  }

  @Test(arguments: ["by its owner", "by a link"])
  func `with another password the addresses of calendars work no more`(_ way: String) throws {
    let (book, secret) = try address()
    #expect(try portal.database.read { try book.open(secret, on: $0) } != nil)
    if way == "by a link" {
      let fields = ["password": Self.new, "password_confirm": Self.new]
      #expect(try portal.visitor().submit(try resetLink(), fields).status == 303)
    } else {
      #expect(try change().status == 303)
    }
    #expect(try portal.database.read { try book.open(secret, on: $0) } == nil)
  }

  @Test(arguments: [
    ("short", "password"), ("aaaaaaaaaaaaaaaaaaaaaa", "password"), ("annapetrovaanna", "password"),
  ])
  func `a password that is easily guessed is refused with the reason`(
    _ password: String, _ field: String
  ) throws {
    let page = try change(["password": password, "password_confirm": password])
    #expect(page.status == 422 && page.contains("id=\"\(field)-error\""))
  }

  @Test func `both entries have to be the same, which is told once`() throws {
    let page = try change(["password_confirm": "another one entirely"])
    #expect(page.status == 422 && page.contains("id=\"password_confirm-error\""))
    #expect(page.body.split(separator: "href=\"#password_confirm\"").count == 2)
  }

  @Test func `a one-time link sets a password once and ends all sessions`() throws {
    let link = try resetLink()
    let browser = portal.visitor()
    let fields = ["password": Self.new, "password_confirm": Self.new]
    #expect(try browser.submit(link, fields).status == 303)
    #expect(browser.get("/account").status == 200 && anna.get("/account").status == 303)
    #expect(portal.visitor().get(link).status == 410)
    #expect(try portal.visitor().signIn("anna", Self.new).status == 303)
  }

  @Test func `the link sent twice by an impatient click has one answer`() throws {
    let link = try resetLink()
    let browser = portal.visitor()
    let form =
      browser.get(link).hidden(of: link)
      + [("password", Self.new), ("password_confirm", Self.new)]
    let cookie = browser.cookie("__Host-visitor")
    #expect(browser.post(link, pairs: form).status == 303)
    browser.setCookie("__Host-session", nil)
    browser.setCookie("__Host-visitor", cookie)
    #expect(browser.post(link, pairs: form).status == 303)
    #expect(browser.get("/account").status == 200)
  }

  @Test func `a link dies after a day, and when another is made`() throws {
    let first = try resetLink()
    let second = try resetLink()
    #expect(portal.visitor().get(first).status == 410)
    #expect(portal.visitor().get(second).status == 200)
    portal.now = portal.now + .hours(24)
    #expect(portal.visitor().get(second).status == 410)
  }

  @Test func `a link dies when the password is changed`() throws {
    let link = try resetLink()
    #expect(try change().status == 303)
    #expect(portal.visitor().get(link).status == 410)
  }

  @Test func `a password set by a link is held to what is known of the person`() throws {
    let password = "annapetrovaanna"
    let page = try portal.visitor().submit(
      try resetLink(), ["password": password, "password_confirm": password])
    #expect(page.status == 422 && page.contains("id=\"password-error\""))
  }

  @Test(arguments: [
    ("/reset/x", "Ask the clinic"), ("/invitation/x", "Ask the clinic"),
    ("/setup/AAAA", "polyclinic init"), ("/setup/x", "polyclinic init"),
  ])
  func `a made-up link says what a used one says: where to get another`(
    _ link: String, _ way: String
  ) {
    let page = portal.visitor().get(link)
    #expect(page.status == 410 && page.contains(way))
  }

  @Test func `the page of a link says whose password it sets, also to the browser`() throws {
    let page = portal.visitor().get(try resetLink())
    #expect(page.contains("The login is: anna"))
    #expect(page.contains("value=\"anna\" autocomplete=\"username\""))
  }

  @Test func `the first link makes an administrator, once`() throws {
    let portal = try TestPortal()
    let link = try portal.database.write {
      try OneTimeLink.makeSetup(at: portal.now, portal.vault, on: $0).description
    }
    let browser = portal.visitor()
    let answer = try browser.submit(link, TestVisitor.registration(login: "chief"))
    #expect(answer.location == "/admin" && browser.get("/admin").status == 200)
    #expect(portal.visitor().get(link).status == 410)
  }
}
