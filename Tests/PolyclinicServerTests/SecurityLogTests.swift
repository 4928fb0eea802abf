import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import PolyclinicServer

@Suite struct SecurityLogTests {
  private let portal: TestPortal
  private let anna: TestVisitor
  private let number: String

  init() throws {
    portal = try TestPortal(SlipsModule())
    anna = try portal.register(login: "anna")
    number = try portal.person(of: anna).description
  }

  /// The events since the portal began, without their times.
  private var events: [String] {
    portal.log.filter { $0.contains(" security ") }.map {
      String($0.split(separator: " ", maxSplits: 1)[1].dropLast())
    }
  }

  private func from(_ line: String) -> Substring {
    line.split(separator: "from=").last?.prefix { $0 != " " } ?? ""
  }

  @Test func `a sign-in is logged with the person's number, the address's hash and the request`()
    throws
  {
    _ = try portal.visitor().signIn("anna")
    let line = try #require(events.last)
    #expect(line.hasPrefix("info security \"signed in\" from="))
    #expect(line.hasSuffix(" person=\(number) request=0123456789abcdef"))
    #expect(from(line).count == 12 && from(line).allSatisfy(\.isHexDigit))
  }

  @Test func `a wrong password names the account by number, an unknown login nobody`() throws {
    let guesser = portal.visitor()
    _ = try guesser.signIn("anna", "not hers")
    #expect(try #require(events.last).hasPrefix("warning security \"sign-in wrong\""))
    #expect(events.last?.contains(" person=\(number) ") == true)
    _ = try guesser.signIn("nobody", "not hers")
    #expect(events.last?.contains("sign-in wrong") == true)
    #expect(events.last?.contains("person=") == false)
  }

  @Test func `a throttled attempt is logged with the account that it was meant for`() throws {
    let guesser = portal.visitor()
    for _ in 0...6 { _ = try guesser.signIn("anna", "not hers") }
    let line = try #require(events.last)
    #expect(line.hasPrefix("warning security \"sign-in throttled\""))
    #expect(line.contains(" person=\(number) "))
  }

  @Test func `an attempt at a suspended account is logged`() throws {
    let boss = try portal.administrator()
    _ = try boss.submit("/admin/people/\(number)/suspend", [:])
    _ = try portal.visitor().signIn("anna")
    #expect(events.last?.contains("sign-in to a suspended account") == true)
    #expect(events.last?.contains(" person=\(number) ") == true)
  }

  @Test func `lines of one address have one hash, which the key tells, and others another`() throws
  {
    let here = portal.visitor()
    let there = portal.visitor()
    here.headers["X-Address"] = "198.51.100.7"
    there.headers["X-Address"] = "2001:db8::1"
    _ = try here.signIn("anna", "wrong once")
    _ = try here.signIn("nobody", "wrong twice")
    _ = try there.signIn("anna", "wrong too")
    let sources = events.suffix(3).map(from)
    #expect(sources[0] == sources[1] && sources[1] != sources[2])
    #expect(portal.source(of: "198.51.100.7") == sources[0])
    #expect(!portal.log.joined().contains("198.51.100.7"))
  }

  @Test func `refusals are logged with route and reason, and records of others are not found`()
    throws
  {
    #expect(anna.get("/admin/people").status == 403)
    #expect(events.last?.contains("refused from=") == true)
    #expect(
      events.last?.contains(
        "person=\(number) reason=rights request=0123456789abcdef route=/admin/p")
        == true)
    #expect(anna.post("/logout", pairs: []).status == 403)
    #expect(events.last?.contains(" reason=forged ") == true)
    #expect(
      anna.send("POST", "/logout", headers: ["Origin": "https://evil.example"]).status == 403)
    #expect(events.last?.contains(" reason=cross-site ") == true)
    let count = events.count
    #expect(anna.get("/account/tokens/999999/revoke").status == 404)
    #expect(events.count == count)
  }

  @Test func `a token that is refused, and one that does not reach so far, are logged`() throws {
    let stranger = TestProgram(portal, token: "polyclinic_\(Token.random().text)")
    #expect(stranger.get("/api/v1/slips").status == 401)
    #expect(events.last?.contains("\"token refused\" from=") == true)
    let reader = TestProgram(portal, token: try anna.makeToken(["slips": "read"]))
    #expect(reader.post("/api/v1/slips", "{}").status == 403)
    #expect(events.last?.contains(" person=\(number) reason=rights ") == true)
    #expect(events.last?.contains(" route=/api/v1/slips") == true)
    #expect(events.contains { $0.contains("\"token made\"") })
  }

  @Test func `changes of what an account rests on are logged`() throws {
    let new = "nine brave badgers at noon"
    _ = try anna.submit(
      "/account/password",
      ["current_password": TestVisitor.password, "password": new, "password_confirm": new])
    _ = try anna.submit(
      "/account/edit",
      TestVisitor.registration(login: "anja").merging(["current_password": new]) { $1 })
    _ = try portal.visitor().signIn("anja", new)
    _ = try anna.submit("/account/sessions/end-others", ["current_password": new])
    _ = anna.press("/logout", on: "/")
    let own = events.filter { $0.hasPrefix("info") && $0.contains(" person=\(number) ") }
    let messages = own.map { $0.dropFirst("info security ".count).split(separator: " from=")[0] }
    #expect(
      messages == [
        "registered", "\"password confirmed\"", "\"password changed\"", "\"password confirmed\"",
        "\"login changed\"", "\"e-mail changed\"", "\"signed in\"", "\"password confirmed\"",
        "\"other sessions ended\"", "\"signed out\"",
      ])
  }

  @Test func `changes by an administrator name both by number`() throws {
    let boss = try portal.administrator()
    let author = try portal.person(of: boss)
    let page = "/admin/people/\(number)"
    _ = boss.press("\(page)/give", on: page, ["role": "receptionist"])
    _ = boss.press("\(page)/link", on: page)
    _ = try boss.submit("\(page)/suspend", [:])
    _ = boss.press("\(page)/reinstate", on: page)
    _ = boss.press("\(page)/erase", on: "\(page)/erase")
    let made = events.filter { $0.contains(" by=\(author) ") && $0.contains(" person=\(number) ") }
    #expect(made.count == 5)
    for (line, words) in zip(
      made,
      [
        "account changed\" action=give", "one-time link made\" action=password-link",
        "account changed\" action=suspend", "account changed\" action=reinstate", "erased",
      ])
    {
      #expect(line.contains(words))
    }
    #expect(made.first?.contains("role=receptionist") == true)
  }

  @Test func `a change that was refused is not logged as one`() throws {
    let count = events.count
    let taken = try portal.register(login: "boris")
    _ = try anna.submit(
      "/account/edit",
      TestVisitor.registration(login: taken.login)
        .merging(["current_password": TestVisitor.password]) { $1 })
    #expect(!events.dropFirst(count).contains { $0.contains("changed") })
  }

  @Test func `nothing that was typed or is secret is in the log`() throws {
    let typed = [
      "marker-login-\u{431}", "marker@example.org", "marker password typed", "markername",
    ]
    let visitor = portal.visitor()
    _ = try visitor.signIn(typed[0], typed[2])
    _ = try visitor.signIn(typed[1], typed[2])
    _ = try visitor.submit(
      "/register",
      TestVisitor.registration(login: "marker")
        .merging(["name": typed[3], "email": typed[1], "password": "x"]) { $1 })
    _ = visitor.get("/contacts?q=\(typed[3])")
    _ = anna.get("/admin/people?q=\(typed[3])")
    _ = TestProgram(portal, token: typed[2]).get("/api/v1/\(typed[3])")
    _ = try anna.makeToken(["slips": "read"], name: "markername")
    let log = portal.log.joined()
    let secrets = [anna.cookie(Cookies.session) ?? "none", "anna", TestVisitor.password]
    for text in typed + secrets { #expect(!log.contains(text)) }
    #expect(!log.isEmpty)
  }

  private func forge(_ count: Int, from address: String) {
    let visitor = portal.visitor()
    visitor.headers["X-Address"] = address
    for _ in 0..<count { _ = visitor.post("/language", pairs: []) }
  }

  private func written(_ reason: String) -> Int {
    events.filter { $0.contains(" refused ") && $0.contains(" reason=\(reason) ") }.count
  }

  @Test func `a flood of one address writes so many lines a minute`() {
    forge(100, from: "192.0.2.1")
    #expect(written("forged") == LogAllowance.perSource)
    forge(1, from: "198.51.100.8")
    #expect(written("forged") == LogAllowance.perSource + 1)
  }

  @Test func `a flood of many addresses leaves room for others, then counts the rest`() throws {
    for host in 0..<10 { forge(60, from: "192.0.2.\(host)") }
    // Two addresses have taken half of the lines, and then each one.
    #expect(written("forged") == LogAllowance.perCategory / 2 + 8)
    for host in 0..<200 { forge(1, from: "203.0.113.\(host)") }
    #expect(written("forged") == LogAllowance.perCategory)
    portal.now = portal.now + .minutes(1)
    forge(1, from: "192.0.2.1")
    let told = try #require(events.last { $0.contains("left out") })
    #expect(told.contains("addresses=158 count=680 event=refused reason=forged"))
  }

  @Test func `a flood hides neither another reason nor what people do`() throws {
    for host in 0..<200 { forge(1, from: "203.0.113.\(host)") }
    #expect(anna.get("/admin/people").status == 403)
    #expect(events.last?.contains(" person=\(number) reason=rights ") == true)
    #expect(anna.post("/logout", pairs: []).status == 403)
    #expect(events.last?.contains(" person=\(number) reason=forged ") == true)
    _ = try portal.visitor().signIn("anna", "wrong in a flood")
    #expect(events.last?.contains("sign-in wrong") == true)
  }
}
