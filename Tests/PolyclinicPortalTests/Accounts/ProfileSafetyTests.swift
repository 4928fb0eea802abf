import PolyclinicCore
import PolyclinicTesting
import Testing

/// Changes of the profile, of which login and e-mail need the current password.
@Suite struct ProfileSafetyTests {
  private let portal: TestPortal
  private let anna: TestVisitor

  init() throws {
    portal = try TestPortal()
    anna = try portal.register(login: "anna")
  }

  private func edit(_ changes: [String: String]) throws -> TestPage {
    var fields = TestVisitor.registration(login: "anna")
    for name in ["password", "password_confirm", "consent", "role"] { fields[name] = nil }
    return try anna.submit("/account/edit", fields.merging(changes) { $1 })
  }

  @Test func `a postal address is changed without the password`() throws {
    #expect(try edit(["city": "Brest"]).location == "/account")
    #expect(anna.get("/account").hasFact("Brest"))
  }

  @Test(arguments: ["login", "email"], ["", "a wrong one"])
  func `login and e-mail are changed only with the current password`(
    _ field: String, _ typed: String
  ) throws {
    let value = field == "login" ? "anna2" : "other@example.org"
    let page = try edit([field: value, "current_password": typed])
    #expect(page.refuses("current_password"))
    #expect(page.hasValue(value) && !page.contains("a wrong one"))
    #expect(!anna.get("/account").contains(value))
    #expect(
      try edit([field: value, "current_password": TestVisitor.password]).location
        == "/account")
    #expect(try portal.visitor().signIn(value).status == 303)
  }

  /// The Kelvin sign and a letter with its mark apart are canonically equivalent to the stored
  /// text.
  @Test(arguments: [("Kim", "\u{212A}im"), ("\u{E9}va", "e\u{301}va")])
  func `an e-mail of other characters needs the password, even if it looks alike`(
    _ stored: String, _ typed: String
  ) throws {
    let host = "@example.org"
    #expect(
      try edit(["email": stored + host, "current_password": TestVisitor.password]).status == 303)
    #expect(try edit(["email": typed + host]).refuses("current_password"))
    #expect(
      try edit(["email": typed + host, "current_password": TestVisitor.password]).status == 303)
  }

  @Test func `too many wrong passwords are refused with 429, also at sign-in`() throws {
    for _ in 1...6 {
      #expect(try edit(["login": "anna2", "current_password": "wrong"]).status == 422)
    }
    let page = try edit(["login": "anna2", "current_password": TestVisitor.password])
    #expect(page.status == 429 && page.header("Retry-After") != nil)
    #expect(try portal.visitor().signIn("anna").status == 429)
  }

  @Test func `an e-mail change is refused with 409 if the password changes meanwhile`() throws {
    try portal.run(
      "UPDATE accounts SET password = 'set by a link'", afterEach: "INSERT ON known_addresses")
    let changes = ["email": "other@example.org", "current_password": TestVisitor.password]
    #expect(try edit(changes).status == 409)
    #expect(!anna.get("/account").contains("other@example.org"))
  }
}
