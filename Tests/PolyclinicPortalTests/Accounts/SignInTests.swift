import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicPortal
@testable import PolyclinicWeb

@Suite struct SignInTests {
  private let portal: TestPortal

  init() throws {
    portal = try TestPortal()
    _ = try portal.register(login: "anna")
  }

  private func attempt(
    _ login: String, _ password: String = TestVisitor.password, from address: String = "192.0.2.1"
  ) throws -> TestPage {
    let visitor = portal.visitor()
    visitor.headers["X-Address"] = address
    return try visitor.submit("/login", ["login": login, "password": password])
  }

  /// The beginning of the page's error summary.
  private func summary(_ page: TestPage) -> String {
    String(page.body.split(separator: "role=\"alert\"").dropFirst().first?.prefix(200) ?? "")
  }

  @Test(arguments: ["anna", "ANNA", "anna@example.org", "Anna@Example.org"])
  func `a login or an e-mail in any letter case signs in`(_ login: String) throws {
    #expect(try attempt(login).status == 303)
  }

  @Test func `an unknown login, a wrong password and a shared e-mail get the same error`() throws {
    _ = try portal.register(login: "boris", ["email": "family@example.org"])
    _ = try portal.register(login: "vera", ["email": "family@example.org"])
    let wrong = try attempt("anna", "not the password")
    let others = [
      try attempt("nobody"), try attempt("family@example.org"), try attempt("no@example.org"),
      try attempt("' OR 1=1 --"),
    ]
    #expect(wrong.status == 422 && !summary(wrong).isEmpty)
    #expect(others.map(\.status) == others.map { _ in 422 })
    #expect(others.map(summary) == others.map { _ in summary(wrong) })
    #expect(try attempt("boris").status == 303)
  }

  private static let other = "umbrella quietly orbits tea"

  /// Registers a person with any e-mail and with the password ``other``.
  private func register(_ login: String, with email: String) throws {
    _ = try portal.register(
      login: login,
      ["email": email, "password": Self.other, "password_confirm": Self.other])
  }

  @Test func `registering an e-mail in use succeeds and does not block its owner`() throws {
    for name in ["anna", "nobody"] {
      try register("stranger.of.\(name)", with: "\(name)@example.org")
      #expect(try attempt("\(name)@example.org", Self.other).status == 303)
    }
    #expect(try attempt("anna@example.org").status == 303)
  }

  @Test func `a confirmed e-mail signs in even if many accounts share the address`() throws {
    for number in 1...Account.mostByEmail { try register("s\(number)", with: "vera@example.org") }
    let vera = try portal.register(login: "vera")
    #expect(try attempt("vera@example.org").status == 422)
    let address = try #require(MailAddress("vera@example.org"))
    let person = try portal.person(of: vera)
    let hash = address.hash(by: try portal.vault)
    _ = try portal.database.write {
      try $0.run(
        """
        INSERT INTO notifications_addresses (person, address, confirmed_at)
        VALUES (\(person), \(hash), 0)
        """)
    }
    #expect(try attempt("vera@example.org").status == 303)
  }

  @Test func `a sign-in by a shared e-mail counts as a failure for its other accounts`() throws {
    try register("stranger", with: "anna@example.org")
    for _ in 1...6 { #expect(try attempt("anna@example.org", Self.other).status == 303) }
    #expect(try attempt("anna").status == 429)
    #expect(try attempt("anna", from: "198.51.100.7").status == 303)
    #expect(try attempt("anna@example.org").status == 422)
  }

  @Test func `failures by e-mail are throttled alike and count for the e-mail's account`() throws {
    try register("stranger", with: "shared@example.org")
    try register("family", with: "shared@example.org")
    let waits = try ["anna", "nobody", "shared"].map { name in
      let from = "198.51.100.\(name.utf8.count)"
      for _ in 1...6 { _ = try attempt("\(name)@example.org", "wrong", from: from) }
      return try attempt("\(name)@example.org", from: from).header("Retry-After")
    }
    #expect(waits == ["1", "1", "1"])
    #expect(try attempt("anna", from: "198.51.100.4").status == 429)
  }

  @Test(arguments: [
    ("", "x", ["login"]), ("anna", "", ["password"]), ("", "", ["login", "password"]),
  ])
  func `an empty field has an error message at that field`(
    _ login: String, _ password: String, _ fields: [String]
  ) throws {
    let page = try attempt(login, password)
    #expect(page.status == 422)
    for name in ["login", "password"] {
      #expect(page.hasError(of: name) == fields.contains(name))
      #expect(page.contains("aria-describedby=\"\(name)-error\"") == fields.contains(name))
      #expect(page.hasLink(to: "#\(name)") == fields.contains(name))
    }
  }

  @Test func `a wrong password shows an error message at both fields`() throws {
    let page = try attempt("anna", "wrong")
    #expect(page.hasError(of: "login") && page.hasError(of: "password"))
  }

  @Test func `a failed sign-in keeps the typed login but not the password`() throws {
    let page = try attempt("<anna>", "hush hush hush")
    #expect(page.hasValue("<anna>") && !page.contains("hush"))
  }

  @Test func `wrong passwords are throttled at their address until the wait is over`() throws {
    for _ in 1...6 { #expect(try attempt("anna", "wrong", from: "198.51.100.7").status == 422) }
    let page = try attempt("anna", from: "198.51.100.7")
    let wait = try #require(page.header("Retry-After").flatMap(Int.init))
    #expect(page.status == 429 && wait > 0)
    // Registration does not make an address known; this sign-in does.
    #expect(try attempt("anna").status == 303)
    portal.now = portal.now + .seconds(wait)
    #expect(try attempt("anna", from: "198.51.100.7").status == 303)
  }

  @Test(arguments: ["wrong", TestVisitor.password])
  func `a guess is not judged if others have used up the free ones meanwhile`(
    _ password: String
  ) throws {
    let address = "198.51.100.7"
    for _ in 1...5 { #expect(try attempt("anna", "wrong", from: address).status == 422) }
    let vault = try portal.vault
    let counted = Account.throttleName(Account.loginHash("anna", vault))
    let now = portal.now
    portal.beforeNextWrite { connection in
      try Throttle(vault).recordFailure(
        Throttle.Attempt(login: counted, address: address), in: Work(at: now, on: connection))
    }
    #expect(try attempt("anna", password, from: address).status == 429)
    portal.now = now + .seconds(1)
    #expect(try attempt("anna", from: address).status == 303)
  }

  @Test func `guesses from many addresses do not lock out a known address`() throws {
    #expect(try attempt("anna").status == 303)
    for number in 1...25 { _ = try attempt("anna", "wrong", from: "203.0.113.\(number)") }
    #expect(try attempt("anna", from: "203.0.113.200").status == 429)
    #expect(try attempt("anna").status == 303)
  }

  @Test func `the suspension is shown only after the right password`() throws {
    let person = try portal.keys(of: portal.visitor().named("anna")).person
    _ = try portal.database.write {
      try $0.run("UPDATE accounts SET state = 'suspended' WHERE person = \(person)")
    }
    let wrong = try attempt("anna", "wrong")
    let right = try attempt("anna")
    #expect(summary(wrong) == summary(try attempt("nobody")))
    #expect(right.status == 422 && summary(right) != summary(wrong))
    #expect(!right.contains("try again"))
  }

  @Test(arguments: [
    "//evil.example", "/\\evil.example", "https://evil.example", "javascript:alert(1)", "/a\r\nb",
    "",
    "/login",
  ])
  func `a sign-in with an external or invalid next page redirects to Home`(_ next: String) throws {
    let answer = try portal.visitor().submit(
      "/login", ["login": "anna", "password": TestVisitor.password, "next": next])
    #expect(answer.status == 303 && answer.location == "/")
  }

  @Test func `a sign-in redirects to the requested page, an administrator to /admin`() throws {
    let browser = portal.visitor()
    let login = browser.get("/account/sessions").location
    #expect(login == "/login?next=%2Faccount%2Fsessions")
    let hidden = browser.get(login).hidden(of: "/login")
    let answer = browser.post(
      "/login", pairs: hidden + [("login", "anna"), ("password", TestVisitor.password)])
    #expect(answer.location == "/account/sessions")
    try portal.grant(.administrator, to: "anna")
    #expect(try attempt("anna").location == "/admin")
  }

  @Test func `the sign-in page redirects a signed-in user`() throws {
    let anna = portal.visitor()
    _ = try anna.signIn("anna")
    #expect(anna.get("/login").location == "/")
    #expect(anna.get("/login?next=%2Faccount%2Fsessions").location == "/account/sessions")
    #expect(anna.get("/login?next=https%3A%2F%2Fevil.example").location == "/")
  }

  @Test func `a sign-in without an anti-forgery token is refused with 403`() {
    let fields = [("login", "anna"), ("password", TestVisitor.password)]
    #expect(portal.visitor().post("/login", pairs: fields).status == 403)
  }
}

extension TestVisitor {
  /// Signs in and returns this browser.
  fileprivate func named(_ login: String) throws -> TestVisitor {
    _ = try signIn(login)
    return self
  }
}
