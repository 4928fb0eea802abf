import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicPortal
@testable import PolyclinicServer

/// Password reset links, e-mailed through a real mail command.
@Suite struct ForgottenPasswordTests {
  private let drop: MailDrop
  private let portal: TestPortal
  private let anna: TestVisitor
  private static let new = "umbrella quietly orbits tea"

  init() throws {
    drop = try MailDrop()
    portal = try TestPortal(mail: drop.command)
    anna = try portal.register(login: "anna")
    _ = anna.press("/notifications/confirm", on: "/notifications/preferences")
    try portal.sendMessages()
    let link = try #require(try drop.messages().last?.link)
    _ = anna.press(link, on: link)
  }

  private func ask(for typed: String, _ visitor: TestVisitor) throws -> TestPage {
    try visitor.submit("/login/forgotten", ["login": typed])
  }

  /// Sends the queued e-mails and returns the links of all messages after the first `count`.
  private func links(since count: Int) throws -> [String] {
    try portal.sendMessages()
    return try drop.messages().dropFirst(count).compactMap(\.link)
  }

  private func set(_ password: String, at link: String, _ visitor: TestVisitor) throws -> TestPage {
    try visitor.submit(link, ["password": password, "password_confirm": password])
  }

  @Test(arguments: ["anna", "Anna@example.org"])
  func `a confirmed address gets a reset link that works once`(typed: String) throws {
    let stranger = portal.visitor()
    #expect(try ask(for: typed, stranger).location == "/login/forgotten?sent=yes")
    let sent = try links(since: 1)
    #expect(sent.count == 1 && sent[0].hasPrefix("/reset/"))
    #expect(try drop.messages().last?.headers["To"] == "<anna@example.org>")
    #expect(try set(Self.new, at: sent[0], stranger).status == 303)
    #expect(stranger.get("/account").status == 200 && anna.get("/account").status == 303)
    #expect(portal.visitor().get(sent[0]).status == 410)
  }

  @Test func `the answer is the same with and without an account or a confirmed address`() throws {
    let boris = try portal.register(login: "boris")
    let visitors = ["anna", "boris", "nobody", "nobody@example.org", "' OR 1=1 --", "a@b@c"]
    let pages = try visitors.map { typed in
      let stranger = portal.visitor()
      stranger.headers["X-Address"] = "192.0.2.\(typed.utf8.count)"
      let answer = try ask(for: typed, stranger)
      #expect(answer.location == "/login/forgotten?sent=yes")
      let page = try #require(
        stranger.get(answer.location).body.firstMatch(of: /(?s)<main.*<\/main>/))
      return String(page.0)
    }
    #expect(Set(pages).count == 1)
    #expect(try links(since: 1).count == 1)
    #expect(boris.get("/account").status == 200)
  }

  @Test func `a reset link expires after an hour, and is not ended by a newer one`() throws {
    let stranger = portal.visitor()
    _ = try ask(for: "anna", stranger)
    _ = try ask(for: "anna", stranger)
    let sent = try links(since: 1)
    #expect(sent.count == 2)
    #expect(sent.allSatisfy { stranger.get($0).status == 200 })
    portal.now = portal.now + ForgottenPassword.lifetime
    #expect(sent.allSatisfy { stranger.get($0).status == 410 })
  }

  @Test func `the first reset link that is used ends the others`() throws {
    let stranger = portal.visitor()
    _ = try ask(for: "anna", stranger)
    _ = try ask(for: "anna", stranger)
    let sent = try links(since: 1)
    #expect(try set(Self.new, at: sent[0], portal.visitor()).status == 303)
    #expect(stranger.get(sent[1]).status == 410)
  }

  @Test(arguments: [false, true])
  func `a stranger's request leaves the clinic's link valid`(endingSecondFactor: Bool) throws {
    let lines = try portal.userCommands().reset("anna", endingSecondFactor: endingSecondFactor)
    let link = String(try #require(lines.joined().firstMatch(of: /\/reset\/[\w-]+/)).0)
    _ = try ask(for: "anna", portal.visitor())
    #expect(try links(since: 1).contains { $0.hasPrefix("/reset/") })
    #expect(try set(Self.new, at: link, portal.visitor()).status == 303)
  }

  @Test func `a link of the clinic ends the links that were sent by e-mail`() throws {
    _ = try ask(for: "anna", portal.visitor())
    let sent = try #require(try links(since: 1).first { $0.hasPrefix("/reset/") })
    _ = try portal.userCommands().reset("anna")
    #expect(portal.visitor().get(sent).status == 410)
  }

  @Test func `another e-mail in the profile ends the links sent to the former one`() throws {
    _ = try ask(for: "anna", portal.visitor())
    let sent = try #require(try links(since: 1).first)
    let edit = anna.get("/account/edit")
    let unchanged = anna.press("/account/edit", on: edit, ["patronymic": "Ivanovna"])
    #expect(unchanged.status == 303 && portal.visitor().get(sent).status == 200)
    let moved = anna.press(
      "/account/edit", on: anna.get("/account/edit"),
      ["email": "new@example.org", "current_password": TestVisitor.password])
    #expect(moved.status == 303)
    let thief = portal.visitor()
    #expect(thief.get(sent).status == 410)
    #expect(try set(Self.new, at: sent, thief).status == 410)
  }

  @Test func `a repeated reset signs in the same browser again, and no other one`() throws {
    _ = try ask(for: "anna", portal.visitor())
    let link = try #require(try links(since: 1).first)
    let browser = portal.visitor()
    let fields = [("password", Self.new), ("password_confirm", Self.new)]
    let sent = browser.get(link).hidden(of: link) + fields
    let cookie = browser.cookie("__Host-visitor")
    #expect(browser.post(link, pairs: sent).status == 303)
    let thief = portal.visitor()
    let own = thief.get("/login").hidden(of: "/login").filter { $0.0 == "csrf" }
    let repeated = thief.post(link, pairs: own + sent.filter { $0.0 != "csrf" })
    #expect(repeated.status == 410 && thief.get("/account").status == 303)
    let same = portal.visitor()
    same.setCookie("__Host-visitor", cookie)
    #expect(same.post(link, pairs: sent).status == 303)
    #expect(same.get("/account").status == 200)
  }

  @Test func `links and confirmations are sent again after the clock was ahead`() throws {
    let boris = try portal.register(login: "boris")
    portal.now = portal.now + .days(400)
    _ = try boris.signIn("boris")
    for _ in 0..<3 { _ = try ask(for: "anna", portal.visitor()) }
    #expect(try links(since: 1).count == 3)
    let page = "/notifications/preferences"
    #expect(boris.press("/notifications/confirm", on: page).status == 303)
    portal.now = portal.now - .days(400)
    _ = try boris.signIn("boris")
    let asking = portal.visitor()
    asking.headers["X-Address"] = "198.51.100.1"
    _ = try ask(for: "anna", asking)
    #expect(boris.press("/notifications/confirm", on: page).status == 303)
    // The confirmation of the future is sent too, because it was queued then.
    #expect(try links(since: 4).count == 3)
  }

  @Test func `reset links are limited per account, and requests per IP address`() throws {
    let statuses = try (0..<12).map { _ in try ask(for: "anna", portal.visitor()).status }
    #expect(statuses.prefix(5).allSatisfy { $0 == 303 } && statuses.last == 429)
    for number in 0..<6 {
      let stranger = portal.visitor()
      stranger.headers["X-Address"] = "198.51.100.\(number)"
      _ = try ask(for: "anna", stranger)
    }
    #expect(try links(since: 1).count == ForgottenPassword.limit)
  }

  @Test func `suspending an account revokes its reset links and sends no more`() throws {
    let stranger = portal.visitor()
    _ = try ask(for: "anna", stranger)
    let sent = try links(since: 1)
    let admin = try portal.administrator()
    let person = try portal.keys(of: anna).person
    _ = try admin.submit("/admin/people/\(person)/suspend", [:])
    #expect(stranger.get(sent[0]).status == 410)
    _ = try ask(for: "anna", stranger)
    #expect(try links(since: 2).isEmpty)
  }

  @Test func `without e-mail the page refers people to the clinic`() throws {
    let portal = try TestPortal()
    let page = portal.visitor().get("/login/forgotten")
    #expect(page.contains("The clinic can give you a link"))
    #expect(page.contains("privacy@clinic.example"))
    #expect(!page.hasField("login"))
    let login = portal.visitor().get("/login")
    #expect(login.hasLink(to: "/login/forgotten"))
  }

  @Test func `the typed login is encrypted in the database and deleted after sending`() throws {
    _ = try ask(for: "unheard.of.name", portal.visitor())
    let stored = try portal.database.read {
      try $0.rows("SELECT sealed FROM forgotten_passwords") { $0.bytes(0) }
    }
    #expect(stored.count == 1)
    #expect(stored[0].firstRange(of: Array("unheard".utf8)) == nil)
    _ = try links(since: 1)
    #expect(
      try portal.database.read { try $0.integer("SELECT count(*) FROM forgotten_passwords") } == 0)
  }
}
