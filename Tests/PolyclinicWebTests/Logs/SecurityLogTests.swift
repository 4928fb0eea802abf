import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import PolyclinicVault
@testable import PolyclinicWeb

@Suite struct SecurityLogTests {
  private let portal: TestPortal
  private let anna: TestVisitor
  private let number: String

  init() throws {
    portal = try TestPortal(SlipsModule())
    anna = try portal.register(login: "anna")
    number = try portal.person(of: anna).description
  }

  /// The security events so far, without their times.
  private var events: [String] {
    portal.log.filter { $0.contains(" security ") }.map {
      String($0.split(separator: " ", maxSplits: 1)[1].dropLast())
    }
  }

  private func from(_ line: String) -> Substring {
    line.split(separator: "from=").last?.prefix { $0 != " " } ?? ""
  }

  @Test func `a sign-in is logged with person number, address hash and request id`() throws {
    _ = try portal.visitor().signIn("anna")
    let line = try #require(events.last)
    #expect(line.hasPrefix("info security \"signed in\" from="))
    #expect(line.hasSuffix(" person=\(number) request=0123456789abcdef"))
    #expect(from(line).count == 12 && from(line).allSatisfy(\.isHexDigit))
  }

  @Test func `a failed sign-in is logged with the person number only for a known login`() throws {
    let guesser = portal.visitor()
    _ = try guesser.signIn("anna", "not hers")
    #expect(try #require(events.last).hasPrefix("warning security \"sign-in wrong\""))
    #expect(events.last?.contains(" person=\(number) ") == true)
    _ = try guesser.signIn("nobody", "not hers")
    #expect(events.last?.contains("sign-in wrong") == true)
    #expect(events.last?.contains("person=") == false)
  }

  @Test func `a throttled sign-in is logged with the person number of its account`() throws {
    let guesser = portal.visitor()
    for _ in 0...6 { _ = try guesser.signIn("anna", "not hers") }
    let line = try #require(events.last)
    #expect(line.hasPrefix("warning security \"sign-in throttled\""))
    #expect(line.contains(" person=\(number) "))
  }

  @Test func `a sign-in to a suspended account is logged`() throws {
    let boss = try portal.administrator()
    _ = try boss.submit("/admin/people/\(number)/suspend", [:])
    _ = try portal.visitor().signIn("anna")
    #expect(events.last?.contains("sign-in to a suspended account") == true)
    #expect(events.last?.contains(" person=\(number) ") == true)
  }

  @Test func `an address is logged only as its keyed hash, the same on each line`() throws {
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

  @Test func `a 403 is logged with route and reason, a 404 is not logged`() throws {
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

  @Test func `a new token, an unknown token and a missing scope are logged`() throws {
    let stranger = TestProgram(portal, token: "polyclinic_\(Token.random().text)")
    #expect(stranger.get("/api/v1/slips").status == 401)
    #expect(events.last?.contains("\"token refused\" from=") == true)
    let reader = TestProgram(portal, token: try anna.makeToken(["slips": "read"]))
    #expect(reader.post("/api/v1/slips", "{}").status == 403)
    #expect(events.last?.contains(" person=\(number) reason=rights ") == true)
    #expect(events.last?.contains(" route=/api/v1/slips") == true)
    #expect(events.contains { $0.contains("\"token made\"") })
  }

  @Test func `registration, sign-in, sign-out and credential changes are logged`() throws {
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

  @Test func `an administrator's changes are logged with both person numbers`() throws {
    let boss = try portal.administrator()
    let author = try portal.person(of: boss)
    let page = "/admin/people/\(number)"
    _ = boss.press("\(page)/give", on: page, ["role": "receptionist"])
    _ = boss.press("\(page)/link", on: page)
    _ = try boss.submit("\(page)/suspend", [:])
    _ = boss.press("\(page)/reinstate", on: page)
    _ = boss.press("\(page)/erase", on: "\(page)/erase", ["confirm": "1"])
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

  @Test func `a refused change is not logged as a change`() throws {
    let count = events.count
    let taken = try portal.register(login: "boris")
    _ = try anna.submit(
      "/account/edit",
      TestVisitor.registration(login: taken.login)
        .merging(["current_password": TestVisitor.password]) { $1 })
    #expect(!events.dropFirst(count).contains { $0.contains("changed") })
  }

  @Test func `the log contains no typed input and no secret`() throws {
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

  @Test func `refusals from one address are logged up to a limit per address`() {
    forge(100, from: "192.0.2.1")
    #expect(written("forged") == LogRateLimit.perSource)
    forge(1, from: "198.51.100.8")
    #expect(written("forged") == LogRateLimit.perSource + 1)
  }

  @Test func `refusals from many addresses share a limit, and the rest are counted`() throws {
    for host in 0..<10 { forge(60, from: "192.0.2.\(host)") }
    // Two addresses take half of the lines; after that each address gets one line.
    #expect(written("forged") == LogRateLimit.perCategory / 2 + 8)
    for host in 0..<200 { forge(1, from: "203.0.113.\(host)") }
    #expect(written("forged") == LogRateLimit.perCategory)
    portal.now = portal.now + .minutes(1)
    forge(1, from: "192.0.2.1")
    let told = try #require(events.last { $0.contains("left out") })
    #expect(told.contains("addresses=158 count=680 event=refused reason=forged"))
  }

  @Test func `a flood of refusals does not hide other reasons or signed-in users`() throws {
    for host in 0..<200 { forge(1, from: "203.0.113.\(host)") }
    #expect(anna.get("/admin/people").status == 403)
    #expect(events.last?.contains(" person=\(number) reason=rights ") == true)
    #expect(anna.post("/logout", pairs: []).status == 403)
    #expect(events.last?.contains(" person=\(number) reason=forged ") == true)
    _ = try portal.visitor().signIn("anna", "wrong in a flood")
    #expect(events.last?.contains("sign-in wrong") == true)
  }
}
