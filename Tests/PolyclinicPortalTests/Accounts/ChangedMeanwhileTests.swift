import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicPortal
@testable import PolyclinicVault
@testable import PolyclinicWeb

/// Changes of an account while a password for it is being hashed.
@Suite struct ChangedMeanwhileTests {
  private static let new = "umbrella quietly orbits tea"
  private let portal: TestPortal
  private let anna: TestVisitor

  init() throws {
    portal = try TestPortal(secondFactor: "staff")
    anna = try portal.register(login: "anna")
  }

  /// Lets the account get a second factor just before the next change is saved.
  private func enrolMeanwhile() throws {
    let (keys, vault, now) = (try portal.keys(of: anna), try portal.vault, portal.now)
    portal.beforeNextWrite { connection in
      _ = try SecondFactor(vault: vault).enrol(
        SecondFactor.ProvenApp(password: .random(), step: OneTimePassword.step(at: now)),
        in: Work(keys: keys, at: now, on: connection))
    }
  }

  @Test func `a sign-in asks for the code of a second factor that is set up meanwhile`() throws {
    try enrolMeanwhile()
    let browser = portal.visitor()
    let page = try browser.signIn("anna")
    #expect(page.status == 200 && page.heading == "Enter your code")
    #expect(browser.get("/account").status == 303)
  }

  @Test func `a sign-in asks for what a role needs that is given meanwhile`() throws {
    let (person, vault) = (try portal.person(of: anna), try portal.vault)
    portal.beforeNextWrite { connection in
      var account = try #require(try Account.find(person, on: connection))
      account.roles.insert(.doctor)
      try account.store(vault, on: connection)
    }
    let browser = portal.visitor()
    let page = try browser.signIn("anna")
    #expect(page.status == 200 && page.app != nil)
    #expect(browser.get("/account").status == 303)
  }

  @Test func `a sign-in is refused if the account is altered meanwhile`() throws {
    let person = try portal.person(of: anna)
    portal.beforeNextWrite {
      try $0.run("UPDATE accounts SET roles = 'administrator' WHERE person = \(person)")
    }
    let browser = portal.visitor()
    #expect(try browser.signIn("anna").status == 422)
    #expect(browser.cookie("__Host-session") == nil)
  }

  @Test func `a link sets no password without the code of a factor that is set up meanwhile`()
    throws
  {
    let admin = try portal.person(of: anna)
    let link = try portal.database.write {
      try OneTimeLink.makeReset(for: admin, at: portal.now, try portal.vault, on: $0)
    }.description
    let browser = portal.visitor()
    let sent =
      browser.get(link).hidden(of: link) + [("password", Self.new), ("password_confirm", Self.new)]
    try enrolMeanwhile()
    let refused = browser.post(link, pairs: sent)
    #expect(refused.status == 409 && refused.contains("Open the page again"))
    #expect(browser.get("/account").status == 303)
    #expect(browser.get(link).hasField("code"))
    #expect(try portal.visitor().signIn("anna").heading == "Enter your code")
  }

  @Test func `a link sets no short password if the second factor is removed meanwhile`() throws {
    let app = try anna.enrol(in: portal).app
    let (person, vault) = (try portal.person(of: anna), try portal.vault)
    let link = try portal.database.write {
      try OneTimeLink.makeReset(for: person, at: portal.now, vault, on: $0)
    }.description
    let short = "Kz7-qpLm"
    let browser = portal.visitor()
    let sent =
      browser.get(link).hidden(of: link) + [
        ("password", short), ("password_confirm", short), ("code", app.code(in: portal)),
      ]
    portal.beforeNextWrite { try SecondFactor(vault: vault).remove(of: person, on: $0) }
    #expect(browser.post(link, pairs: sent).status == 409)
    #expect(try portal.visitor().signIn("anna").status == 303)
  }
}
