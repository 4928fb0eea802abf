import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import PolyclinicServer

@Suite struct AdministrationLinkTests {
  let portal: TestPortal
  let administrator: TestVisitor
  let vera: TestVisitor
  private let password = "amber lanterns over quiet water"

  init() throws {
    portal = try TestPortal()
    administrator = try portal.administrator()
    vera = try portal.register(login: "vera")
  }

  @Test func `a one-time link sets a password once`() throws {
    let link = try makeLink()
    let stranger = portal.visitor()
    #expect(try set(password, at: link, stranger).status == 303)
    #expect(vera.get("/account").status == 303)
    #expect(try vera.signIn("vera", password).status == 303)
    #expect(portal.visitor().get(link).status == 410)
  }

  @Test func `of a link its owner is told by name and time, and again when it is used`() throws {
    let link = try makeLink()
    let made = vera.get("/account/access-log")
    #expect(made.contains("Anna Petrova") && made.contains("A one-time link was made"))
    #expect(vera.get("/notifications").contains("If you have not asked the clinic for it"))
    let copy = try portal.export(of: vera, from: "account")
    #expect(copy["change_log"]?[0]?["change"]?.text == "access.link-made")
    #expect(try set(password, at: link, portal.visitor()).status == 303)
    #expect(try vera.signIn("vera", password).status == 303)
    #expect(vera.get("/account/access-log").contains("A new password was set by a one-time link"))
    #expect(vera.get("/notifications").contains("If that was not you"))
  }

  @Test func `a link that the command line makes is told of, too`() throws {
    _ = try portal.userCommands().reset("vera")
    let log = vera.get("/account/access-log")
    #expect(log.contains("On the server, a one-time link was made"))
    #expect(log.contains("<span class=\"badge\">Administrator</span>"))
    #expect(!log.contains("<strong><bdi></bdi></strong>"))
    #expect(vera.get("/notifications").contains("If you have not asked the clinic for it"))
  }

  @Test func `a new link makes the earlier one useless`() throws {
    let first = try makeLink()
    let second = try makeLink()
    #expect(portal.visitor().get(first).status == 410)
    #expect(portal.visitor().get(second).status == 200)
  }

  @Test func `a link runs out`() throws {
    let link = try makeLink()
    portal.now = portal.now + OneTimeLink.lifetime - .seconds(1)
    #expect(portal.visitor().get(link).status == 200)
    portal.now = portal.now + .seconds(1)
    #expect(portal.visitor().get(link).status == 410)
    #expect(try set(password, at: link, portal.visitor()).status == 410)
  }

  @Test func `suspending makes a link useless`() throws {
    let link = try makeLink()
    let page = try portal.path(of: vera)
    #expect(try administrator.submit("\(page)/suspend", [:]).status == 303)
    #expect(!administrator.get(page).contains("\(page)/link"))
    let refused = administrator.press("\(page)/link", on: page, evenIfAbsent: true)
    #expect(refused.status == 409 && refused.contains("until you reinstate it"))
    #expect(portal.visitor().get(link).status == 410)
  }

  @Test func `a link is stored nowhere, and stands in no header`() throws {
    let page = try portal.path(of: vera)
    let answer = administrator.press("\(page)/link", on: page)
    let token = try #require(self.token(in: answer))
    #expect(!answer.headers.contains { $0.value.contains(token) })
    #expect(answer.header("Cache-Control") == "no-store")
    let stored = String(decoding: try portal.storedBytes(), as: UTF8.self)
    #expect(!stored.contains(token))
    #expect(!administrator.get(page).contains(token))
  }

  private func makeLink() throws -> String {
    let page = try portal.path(of: vera)
    let answer = administrator.press("\(page)/link", on: page)
    #expect(answer.status == 200)
    return "/reset/\(try #require(self.token(in: answer)))"
  }

  private func token(in page: TestPage) -> String? {
    guard let start = page.body.range(of: "/reset/") else { return nil }
    return String(page.body[start.upperBound...].prefix { $0 != "<" })
  }

  private func set(
    _ password: String, at link: String, _ visitor: TestVisitor
  ) throws -> TestPage {
    try visitor.submit(link, ["password": password, "password_confirm": password])
  }
}
