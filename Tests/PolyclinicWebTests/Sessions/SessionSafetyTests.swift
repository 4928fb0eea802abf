import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

/// Sessions under repeated requests, a read-only database and extreme input.
@Suite struct SessionSafetyTests {
  let portal: TestPortal

  init() throws { portal = try TestPortal() }

  @Test func `a repeated registration signs in again, but not after a sign-out`() throws {
    let anna = portal.visitor()
    let form = anna.get("/register").hidden(of: "/register")
    let sent = form + TestVisitor.registration(login: "anna").map { ($0.key, $0.value) }
    let visitorCookie = anna.cookie("__Host-visitor")
    #expect(anna.post("/register", pairs: sent).status == 303)
    let again = portal.visitor()
    again.setCookie("__Host-visitor", visitorCookie)
    #expect(again.post("/register", pairs: sent).status == 303)
    #expect(again.get("/account").status == 200)
    _ = again.press("/logout", on: "/")
    let third = portal.visitor()
    third.setCookie("__Host-visitor", visitorCookie)
    #expect(third.post("/register", pairs: sent).status == 303)
    #expect(third.get("/account").status == 303)
  }

  @Test func `a registration repeated an hour later does not sign in`() throws {
    let anna = portal.visitor()
    let form = anna.get("/register").hidden(of: "/register")
    let sent = form + TestVisitor.registration(login: "anna").map { ($0.key, $0.value) }
    let visitorCookie = anna.cookie("__Host-visitor")
    _ = anna.post("/register", pairs: sent)
    portal.now = portal.now + .hours(1)
    let again = portal.visitor()
    again.setCookie("__Host-visitor", visitorCookie)
    #expect(again.post("/register", pairs: sent).status == 303)
    #expect(again.get("/account").status == 303)
  }

  /// Registers by a form that is returned with the browser's cookie, to be sent again.
  private func registration(
    _ login: String
  ) throws -> (person: ID<Person>, again: () -> (TestVisitor, TestPage)) {
    let anna = portal.visitor()
    let form = anna.get("/register").hidden(of: "/register")
    let sent = form + TestVisitor.registration(login: login).map { ($0.key, $0.value) }
    let cookie = anna.cookie("__Host-visitor")
    #expect(anna.post("/register", pairs: sent).status == 303)
    let person = try portal.database.read {
      try $0.integer("SELECT max(person) FROM accounts")
    }
    return (
      ID(Int64(try #require(person))),
      {
        let browser = portal.visitor()
        browser.setCookie("__Host-visitor", cookie)
        return (browser, browser.post("/register", pairs: sent))
      }
    )
  }

  @Test func `a repeated form that the database gives to another person signs nobody in`() throws {
    let admin = try portal.person(of: portal.administrator())
    let (own, again) = try registration("anna")
    try portal.database.write {
      try $0.run("UPDATE answered_forms SET signed_in = \(admin) WHERE signed_in = \(own)")
    }
    let (browser, answer) = again()
    #expect(answer.status == 303 && browser.cookie("__Host-session") == nil)
    #expect(browser.get("/account").status == 303)
  }

  @Test(arguments: ["another time", "another form's proof", "another role", "another password"])
  func `a repeated form signs in only by its own proof and the same account`(_ change: String)
    throws
  {
    let (own, again) = try registration("anna")
    if change == "another time" { portal.now = portal.now + .minutes(10) }
    if change == "another role" { try portal.grant(.doctor, to: "anna") }
    let (stranger, now) = (try registration("boris").person, portal.now)
    try portal.database.write {
      switch change {
      case "another time": try $0.run("UPDATE answered_forms SET answered_at = \(now)")
      case "another form's proof":
        try $0.run(
          """
          UPDATE answered_forms SET signed_in = \(stranger), sealed = (
            SELECT sealed FROM answered_forms WHERE signed_in = \(stranger))
          WHERE signed_in = \(own)
          """)
      case "another password":
        try $0.run("UPDATE accounts SET password = 'x' WHERE person = \(own)")
      default: break
      }
    }
    let (browser, answer) = again()
    #expect(answer.status == 303 && browser.cookie("__Host-session") == nil)
  }

  @Test func `a sign-in by a repeated form is logged`() throws {
    let (_, again) = try registration("anna")
    let before = portal.log.filter { $0.contains("signed in") }.count
    #expect(again().0.get("/account").status == 200)
    #expect(portal.log.filter { $0.contains("signed in") }.count == before + 1)
  }

  @Test func `a sign-out works while the database is read-only`() throws {
    let anna = try portal.register()
    let hidden = anna.get("/").hidden(of: "/logout")
    try portal.loseWriteAccess()
    let answer = anna.post("/logout", pairs: hidden)
    #expect(answer.status == 303 && answer.header("Clear-Site-Data") != nil)
    #expect(anna.cookie("__Host-session") == nil)
  }

  @Test func `an interrupted form is saved after another tab has signed in`() throws {
    let anna = try portal.register(login: "anna")
    let form = anna.get("/account/edit").hidden(of: "/account/edit")
    anna.setCookie("__Host-session", nil)
    var fields = TestVisitor.registration(login: "anna")
    fields["street"] = "Quiet Lane"
    let second = anna.post("/account/edit", pairs: form + fields.map { ($0.key, $0.value) })
    #expect(second.status == 401)
    _ = try anna.signIn("anna")
    let answer = anna.post("/login", pairs: second.hidden(of: "/login"))
    #expect(answer.location == "/account/edit")
    #expect(anna.get("/account/edit").value(of: "street") == "Quiet Lane")
  }

  @Test func `a login with 60,000 combining marks is refused with 422`() throws {
    let marks = String(repeating: "\u{301}\u{323}", count: 30_000)
    let page = try portal.visitor().submit("/login", ["login": "a" + marks, "password": "x"])
    #expect(page.status == 422)
  }

  @Test func `extreme times saturate instead of trapping`() throws {
    let boss = try portal.administrator()
    let page = boss.get("/admin/modules?switched=account&to=on&since=-9223372036854775808")
    #expect(page.status == 200)
    #expect(Instant(.min) - Instant(.max) == Seconds(.min))
    #expect(Instant(.max) + .days(1) == Instant(.max))
    #expect(Instant(.min) - .days(1) == Instant(.min))
  }
}

@Suite struct ButtonTests {
  @Test func `ending a session twice with the same form redirects both times`() throws {
    let portal = try TestPortal()
    let anna = try portal.register(login: "anna")
    let other = portal.visitor()
    _ = try other.signIn("anna")
    let page = anna.get("/account/sessions")
    let start = try #require(page.body.range(of: "/account/sessions/")?.upperBound)
    let path = "/account/sessions/\(page.body[start...].prefix { $0.isNumber })/end"
    let pairs = anna.get(path).hidden(of: path) + [("current_password", TestVisitor.password)]
    #expect(anna.post(path, pairs: pairs).location == "/account/sessions")
    #expect(anna.post(path, pairs: pairs).location == "/account/sessions")
    #expect(other.get("/account").status == 303)
  }
}
