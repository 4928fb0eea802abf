import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicWeb

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
    return try portal.write {
      try OneTimeLink.makeReset(for: person, at: portal.now, portal.vault, on: $0).description
    }
  }

  @Test func `a password change ends other sessions and renews the current one`() throws {
    let other = portal.visitor()
    _ = try other.signIn("anna")
    let token = anna.cookie("__Host-session")
    #expect(try change().location == "/account")
    #expect(anna.get("/account").status == 200 && anna.cookie("__Host-session") != token)
    #expect(other.get("/account").status == 303)
    #expect(try portal.visitor().signIn("anna").status == 422)
    #expect(try portal.visitor().signIn("anna", Self.new).status == 303)
  }

  @Test func `a password change requires the current password`() throws {
    let page = try change(["current_password": "a wrong one"])
    #expect(page.refuses("current_password"))
    #expect(try portal.visitor().signIn("anna").status == 303)
  }

  @Test func `the current password is refused as the new one`() throws {
    let same = TestVisitor.password
    #expect(try change(["password": same, "password_confirm": same]).refuses("password"))
  }

  @Test func `a change is refused with 409 when another password was set meanwhile`() throws {
    // The trigger fires between verifying and saving, when the known address is inserted.
    try portal.run(
      "UPDATE accounts SET password = 'set by a link'", afterEach: "INSERT ON known_addresses")
    let page = try change()
    #expect(page.status == 409 && page.hasNotice(.warning))
    let stored = try portal.read {
      try $0.row("SELECT password FROM accounts") { $0.string(0) }
    }
    #expect(stored == "set by a link")
  }

  /// Makes a secret calendar address, as a module does.
  private func address() throws -> (book: SecretAddressBook, secret: String) {
    let book = SecretAddressBook(vault: try portal.vault, module: "appointments")
    let keys = try portal.keys(of: anna)
    let secret = try portal.write {
      try book.make(purpose: "full", in: $0.with(keys))
    }
    return (book, secret)
  }

  @Test(arguments: ["by its owner", "by a link"])
  func `a new password revokes secret calendar addresses`(_ way: String) throws {
    let (book, secret) = try address()
    #expect(try portal.read { try book.open(secret, in: $0) } != nil)
    if way == "by a link" {
      let fields = ["password": Self.new, "password_confirm": Self.new]
      #expect(try portal.visitor().submit(try resetLink(), fields).status == 303)
    } else {
      #expect(try change().status == 303)
    }
    #expect(try portal.read { try book.open(secret, in: $0) } == nil)
  }

  @Test(arguments: [
    ("short", "password"), ("aaaaaaaaaaaaaaaaaaaaaa", "password"), ("annapetrovaanna", "password"),
  ])
  func `a weak password is refused with an error at its field`(_ password: String, _ field: String)
    throws
  {
    let page = try change(["password": password, "password_confirm": password])
    #expect(page.refuses(field))
  }

  @Test func `two different entries of the new password show a single error`() throws {
    let page = try change(["password_confirm": "another one entirely"])
    #expect(page.refuses("password_confirm"))
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

  @Test func `a form of a one-time link sent twice succeeds both times`() throws {
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

  @Test func `a link expires after a day, or when a newer one is made`() throws {
    let first = try resetLink()
    let second = try resetLink()
    #expect(portal.visitor().get(first).status == 410)
    #expect(portal.visitor().get(second).status == 200)
    portal.now = portal.now + .hours(24)
    #expect(portal.visitor().get(second).status == 410)
  }

  @Test func `a password change revokes an unused link`() throws {
    let link = try resetLink()
    #expect(try change().status == 303)
    #expect(portal.visitor().get(link).status == 410)
  }

  @Test func `a link refuses a password that contains the person's name`() throws {
    let password = "annapetrovaanna"
    let page = try portal.visitor().submit(
      try resetLink(), ["password": password, "password_confirm": password])
    #expect(page.refuses("password"))
  }

  @Test(arguments: [
    ("/reset/x", "Ask the clinic"), ("/invitation/x", "Ask the clinic"),
    ("/setup/AAAA", "polyclinic setup"), ("/setup/x", "polyclinic setup"),
  ])
  func `an invalid link gets 410 with instructions for a new one`(_ link: String, _ way: String) {
    let page = portal.visitor().get(link)
    #expect(page.status == 410 && page.contains(way))
  }

  @Test func `the page of a link shows the login in its text and in a username field`() throws {
    let page = portal.visitor().get(try resetLink())
    #expect(page.contains("The login is: anna"))
    #expect(page.contains("value=\"anna\" autocomplete=\"username\""))
  }

  @Test func `the setup link makes an administrator once`() throws {
    let portal = try TestPortal()
    let link = try portal.write {
      try OneTimeLink.makeSetup(at: portal.now, portal.vault, on: $0).description
    }
    let browser = portal.visitor()
    let answer = try browser.submit(link, TestVisitor.registration(login: "chief"))
    #expect(answer.location == "/admin" && browser.get("/admin").status == 200)
    #expect(portal.visitor().get(link).status == 410)
  }
}
