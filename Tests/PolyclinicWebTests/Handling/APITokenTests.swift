import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicWeb

@Suite struct APITokenTests {
  private let portal: TestPortal
  private let anna: TestVisitor
  private let path = "/api/v1/slips"

  init() throws {
    portal = try TestPortal(SlipsModule(), PapersModule())
    anna = try portal.register(login: "anna")
  }

  private func program(_ scope: String = "write") throws -> TestProgram {
    TestProgram(portal, token: try anna.makeToken(["slips": scope]))
  }

  @Test func `a request without a valid token gets 401 with WWW-Authenticate`() throws {
    let stranger = portal.visitor()
    for target in [path, "\(path)/1"] {
      let answer = stranger.get(target)
      #expect(answer.status == 401)
      #expect(answer.header("WWW-Authenticate") == "Bearer realm=\"polyclinic\"")
      #expect(answer.header("Content-Type") == "application/problem+json")
    }
    var liar = try program()
    for token in ["", "x", "polyclinic_x", "polyclinic_" + String(repeating: "A", count: 43)] {
      liar.token = token
      #expect(liar.get(path).status == 401)
      #expect(liar.get(path).header("WWW-Authenticate")?.contains("invalid_token") == true)
    }
    for header in ["Basic YTpi", "Bearer", "polyclinic_x"] {
      #expect(liar.send("GET", path, headers: ["Authorization": header]).status == 401)
    }
  }

  @Test func `the form for a new token selects No access by default`() {
    let page = anna.get("/account/tokens/new")
    #expect(page.contains("<option value=\"\" selected>No access</option>"))
    #expect(!page.contains("Not given"))
  }

  @Test func `a token is shown once, listed by name, and refused after revocation`() throws {
    let program = try program()
    #expect(program.token.hasPrefix("polyclinic_"))
    #expect(program.get(path).status == 200)
    let list = anna.get("/account/tokens")
    #expect(list.hasRow("Spreadsheet") && !list.contains(program.token))
    #expect(list.hasRow("Slips: Read and change"))
    #expect(anna.get("/account").contains("/account/tokens"))
    let answer = anna.press("/account/tokens/1/revoke", on: "/account/tokens/1/revoke")
    #expect(answer.location == "/account/tokens?revoked=1")
    #expect(program.get(path).status == 401)
    #expect(!anna.get("/account/tokens").contains("Spreadsheet"))
  }

  @Test func `a form sent twice makes one token, shown only in the first response`() throws {
    let page = anna.get("/account/tokens/new")
    let fields =
      page.hidden(of: "/account/tokens/new")
      + [
        ("name", "Twice"), ("lifetime", "year"), ("scope-slips", "read"),
        ("current_password", TestVisitor.password),
      ]
    #expect(anna.post("/account/tokens/new", pairs: fields).contains("polyclinic_"))
    #expect(anna.post("/account/tokens/new", pairs: fields).location == "/account/tokens")
    #expect(try count() == 1)
  }

  private func count() throws -> Int {
    try portal.read { try $0.integer("SELECT count(*) FROM api_tokens") } ?? 0
  }

  @Test func `a token without a name, one without a scope and a 21st are refused`() throws {
    func submit(_ name: String, _ scope: String) throws -> TestPage {
      let fields = [
        "name": name, "lifetime": "year", "scope-slips": scope,
        "current_password": TestVisitor.password,
      ]
      return try anna.submit("/account/tokens/new", fields)
    }
    let unnamed = try submit("", "read")
    #expect(unnamed.refuses("name"))
    for scope in ["", "all"] {
      let answer = try submit("x", scope)
      #expect(answer.refuses("scope-slips"))
    }
    #expect(try count() == 0)
    for _ in 1...20 { _ = try program() }
    #expect(try submit("x", "read").status == 409)
    #expect(!anna.get("/account/tokens").contains("/account/tokens/new"))
  }

  @Test func `making a token requires the current password`() throws {
    for typed in ["", "a wrong one"] {
      let page = try anna.submit(
        "/account/tokens/new",
        ["name": "x", "lifetime": "year", "scope-slips": "read", "current_password": typed])
      #expect(page.refuses("current_password"))
      #expect(!page.contains("a wrong one"))
    }
    #expect(try count() == 0)
  }

  @Test func `a token with read scope cannot write or read other modules`() throws {
    let reader = try program("read")
    #expect(reader.get(path).status == 200)
    let refused = reader.post(path, "{\"text\": \"x\"}")
    #expect(refused.status == 403)
    #expect(refused.header("WWW-Authenticate")?.contains("insufficient_scope") == true)
    #expect(reader.send("DELETE", "\(path)/1", headers: ["If-Match": "*"]).status == 403)
    #expect(reader.get("/api/v1/papers/daily").status == 403)
  }

  @Test func `a token fails after expiry or a password change, and during suspension`() throws {
    let month = TestProgram(portal, token: try anna.makeToken(["slips": "read"], lifetime: "month"))
    portal.now = portal.now + .days(29)
    _ = try anna.signIn("anna")
    #expect(month.get(path).status == 200)
    portal.now = portal.now + .days(1)
    #expect(month.get(path).status == 401)
    _ = try anna.signIn("anna")
    #expect(anna.get("/account/tokens").hasBadge("Expired"))
    let other = try program()
    try setState("suspended")
    #expect(other.get(path).status == 401)
    try setState("active")
    #expect(other.get(path).status == 200)
    let new = "seven other words of mine"
    let changed = try anna.submit(
      "/account/password",
      ["current_password": TestVisitor.password, "password": new, "password_confirm": new])
    #expect(changed.status == 303)
    #expect(other.get(path).status == 401)
  }

  @Test func `tokens and secret addresses stay revoked after reinstatement`() throws {
    let program = try program()
    let book = SecretAddressBook(vault: try portal.vault, module: "slips")
    let keys = try portal.keys(of: anna)
    let secret = try portal.write {
      try book.make(purpose: "full", in: $0.with(keys))
    }
    let administrator = try portal.administrator()
    let page = try portal.path(of: anna)
    #expect(try administrator.submit("\(page)/suspend", [:]).status == 303)
    #expect(administrator.press("\(page)/reinstate", on: page).status == 303)
    #expect(try anna.signIn("anna").status == 303)
    #expect(program.get(path).status == 401)
    #expect(try portal.read { try book.open(secret, in: $0) } == nil)
  }

  private func setState(_ state: String) throws {
    let person = try portal.person(of: anna)
    try portal.write {
      try $0.run("UPDATE accounts SET state = \(state) WHERE person = \(person)")
    }
  }

  @Test func `the time of last use is stored at most every five minutes`() throws {
    let program = try program()
    func used() throws -> Instant? {
      try portal.read { try $0.row("SELECT used_at FROM api_tokens") { $0.instant(0) } }
    }
    _ = program.get(path)
    let first = try used()
    #expect(first == portal.now)
    portal.now = portal.now + .minutes(4)
    _ = program.get(path)
    #expect(try used() == first)
    portal.now = portal.now + .minutes(1)
    _ = program.get(path)
    #expect(try used() == portal.now)
  }

  @Test func `each token is limited to 600 requests a minute`() throws {
    let program = try program("read")
    let other = try self.program("read")
    for _ in 1...600 { #expect(program.get(path).status == 200) }
    let refused = program.get(path)
    #expect(refused.status == 429 && refused.header("Retry-After") == "2")
    #expect(other.get(path).status == 200)
    portal.now = portal.now + .seconds(2)
    for _ in 1...20 { #expect(program.get(path).status == 200) }
    #expect(program.get(path).status == 429)
    portal.now = portal.now + .seconds(60)
    for _ in 1...580 { #expect(program.get(path).status == 200) }
  }

  @Test func `the export lists a person's tokens without their secrets`() throws {
    let program = try program()
    let export = try portal.export(of: anna, from: "account")
    #expect(export["api_tokens"]?[0]?["name"]?.text == "Spreadsheet")
    #expect(export["api_tokens"]?[0]?["scopes"]?["slips"]?.text == "write")
    let text = String(decoding: export.encoded, as: UTF8.self)
    #expect(!text.contains(program.token.suffix(43)))
  }

  @Test func `revoking another user's token fails with 404`() throws {
    let program = try program()
    let boris = try portal.register()
    #expect(boris.get("/account/tokens/1/revoke").status == 404)
    let revoked = boris.press("/account/tokens/1/revoke", on: "/account", evenIfAbsent: true)
    #expect(revoked.status == 404)
    #expect(program.get(path).status == 200)
  }
}
