import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicServer
@testable import PolyclinicVault
@testable import PolyclinicWeb

/// Detection of changes that an attacker without the key makes in the database.
@Suite struct AccountSealTests {
  private let portal: TestPortal
  private let anna: TestVisitor
  private let boris: TestVisitor
  private let person: ID<Person>

  init() throws {
    portal = try TestPortal(SlipsModule())
    anna = try portal.register(login: "anna")
    boris = try portal.register(login: "boris")
    person = try portal.person(of: anna)
  }

  private func change(_ statement: SQL) throws {
    _ = try portal.database.write { try $0.run(statement) }
  }

  private func signIn(_ password: String = TestVisitor.password) throws -> TestPage {
    try portal.visitor().signIn("anna", password)
  }

  private var altered: [String] { portal.log.filter { $0.contains("account altered") } }

  @Test(
    arguments: [SQL]([
      "roles = 'administrator,patient'", "wanted_role = 'doctor'", "seal = \([UInt8]())",
      "seal = \([0] as [UInt8])",
      "seal = (SELECT seal FROM accounts WHERE person <> 1)",
      "email_hash = \([0] as [UInt8])",
    ]))
  func `sign-in to an altered account fails and is logged`(_ assignment: SQL) throws {
    #expect(try signIn().status == 303)
    try change("UPDATE accounts SET \(assignment) WHERE person = \(person)")
    #expect(try signIn().status == 422)
    let line = try #require(altered.last)
    #expect(line.contains(" error security ") && line.contains(" person=\(person) "))
    #expect(
      try portal.problems() == [
        "person \(person): account: was changed by something else than the portal"
      ])
  }

  @Test func `sign-in fails with a replaced password hash, old or another person's`() throws {
    let old = try portal.database.read {
      try $0.row("SELECT password FROM accounts WHERE person = \(person)") { $0.string(0) }
    }
    let new = "nine brave badgers at noon"
    _ = try anna.submit(
      "/account/password",
      ["current_password": TestVisitor.password, "password": new, "password_confirm": new])
    try change("UPDATE accounts SET password = \(old) WHERE person = \(person)")
    #expect(try signIn().status == 422)
    let other = try portal.person(of: boris)
    try change(
      """
      UPDATE accounts SET password = (SELECT password FROM accounts WHERE person = \(other))
      WHERE person = \(person)
      """)
    #expect(try signIn().status == 422)
    #expect(altered.count == 2)
  }

  @Test func `a suspended account set to active in the database cannot sign in`() throws {
    let boss = try portal.administrator()
    _ = try boss.submit("/admin/people/\(person)/suspend", [:])
    try change("UPDATE accounts SET state = 'active' WHERE person = \(person)")
    #expect(try signIn().status == 422)
    #expect(altered.count == 1)
  }

  @Test func `roles added in the database end the account's sessions`() throws {
    #expect(anna.get("/admin").status == 403)
    try change(
      "UPDATE accounts SET roles = 'administrator,patient' WHERE person = \(person)")
    #expect(anna.get("/admin").status == 303)
    #expect(anna.get("/account").status == 303)
    #expect(altered.first?.contains(" table=accounts") == true)
    #expect(boris.get("/account").status == 200)
  }

  @Test func `a session inserted or changed in the database is refused`() throws {
    let token = Token.random()
    let now = portal.now
    try change(
      """
      INSERT INTO sessions (token_hash, person, created_at, seen_at, device)
      VALUES (\(token.hash), \(person), \(now), \(now), \([0] as [UInt8]))
      """)
    let thief = portal.visitor()
    thief.setCookie(Cookies.session, token.text)
    #expect(thief.get("/account").status == 303)
    let other = try portal.person(of: boris)
    try change("UPDATE sessions SET person = \(person) WHERE person = \(other)")
    #expect(boris.get("/account").status == 303)
    #expect(altered.last?.contains(" table=sessions") == true)
    #expect(anna.get("/account").status == 200)
  }

  @Test func `a one-time link inserted or changed in the database gets 410`() throws {
    let token = Token.random()
    let expiry = portal.now + .hours(1)
    try change("UPDATE accounts SET roles = 'patient'")
    try change(
      """
      INSERT INTO setup_links (token_hash, expires_at, seal)
      VALUES (\(token.hash), \(expiry), \([UInt8]()))
      """)
    try change(
      """
      INSERT INTO password_links (token_hash, person, expires_at, seal, kind)
      VALUES (\(token.hash), \(person), \(expiry), \([UInt8]()), 'handed-out')
      """)
    #expect(portal.visitor().get("/setup/\(token.text)").status == 410)
    #expect(portal.visitor().get("/reset/\(token.text)").status == 410)
    let other = try portal.person(of: boris)
    let link = try portal.database.write {
      try OneTimeLink.makeReset(for: other, at: portal.now, portal.vault, on: $0).description
    }
    #expect(portal.visitor().get(link).status == 200)
    try change(
      "UPDATE password_links SET person = \(person) WHERE person = \(other)")
    #expect(portal.visitor().get(link).status == 410)
  }

  @Test func `a token row with another token's hash is refused with 401`() throws {
    _ = try anna.makeToken(["slips": "read"])
    let thief = TestProgram(portal, token: try boris.makeToken(["slips": "read"]))
    #expect(thief.get("/api/v1/slips").status == 200)
    let hash: [UInt8]? = try portal.database.read {
      try $0.row("SELECT token_hash FROM api_tokens WHERE person <> \(person)") { $0.bytes(0) }
    }
    try change("DELETE FROM api_tokens WHERE person <> \(person)")
    try change("UPDATE api_tokens SET token_hash = \(try #require(hash))")
    #expect(thief.get("/api/v1/slips").status == 401)
    #expect(altered.last?.contains(" table=api_tokens") == true)
  }

  @Test func `a row restored together with its old seal is accepted, a documented limit`() throws {
    let old = try portal.database.read {
      try $0.row("SELECT password, seal FROM accounts WHERE person = \(person)") {
        row -> (String, [UInt8]) in (row.string(0), row.bytes(1))
      }
    }
    let (password, seal) = try #require(old)
    let new = "nine brave badgers at noon"
    _ = try anna.submit(
      "/account/password",
      ["current_password": TestVisitor.password, "password": new, "password_confirm": new])
    try change(
      "UPDATE accounts SET password = \(password), seal = \(seal) WHERE person = \(person)")
    #expect(try signIn().status == 303)
  }

  @Test func `a reset repairs an altered account with a patient's rights only`() throws {
    try portal.grant(.doctor, to: "anna")
    try change(
      "UPDATE accounts SET roles = 'administrator,patient' WHERE person = \(person)")
    #expect(throws: AlteredRow.self) {
      try portal.userCommands().give(.receptionist, to: "anna")
    }
    let lines = try portal.userCommands().reset("anna")
    #expect(lines.first?.contains("made anew with a patient's rights") == true)
    let link = try #require(lines.last?.split(separator: "/reset/").last)
    let password = "nine brave badgers at noon"
    let browser = portal.visitor()
    let page = try browser.submit(
      "/reset/\(link)", ["password": password, "password_confirm": password])
    #expect(page.status == 303 && browser.get("/admin").status == 403)
    #expect(try portal.problems() == [])
  }

  @Test func `a reset of an altered account keeps its suspension, and records the lost roles`()
    throws
  {
    try portal.grant(.doctor, to: "anna")
    let chief = try portal.administrator()
    let page = "/admin/people/\(person)"
    #expect(try chief.submit("\(page)/suspend", [:]).status == 303)
    #expect(
      throws: Command.Failure("This account is suspended. Reinstate it before you create a link.")
    ) {
      try portal.userCommands().reset("anna")
    }
    try change("UPDATE accounts SET password = 'altered' WHERE person = \(person)")
    let lines = try portal.userCommands().reset("anna")
    #expect(lines.last?.contains("Reinstate it at https://clinic.example\(page) before") == true)
    #expect(try signIn().status != 303)
    #expect(chief.get("/admin/audit").hasRow("Role removed"))
    #expect(chief.press("\(page)/reinstate", on: page).status == 303)
    #expect(try portal.userCommands().reset("anna").count == 2)
    #expect(try portal.problems() == [])
  }
}
