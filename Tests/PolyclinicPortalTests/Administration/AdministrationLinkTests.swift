import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicServer
@testable import PolyclinicWeb

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

  @Test func `the account's owner is notified when a link is made and when it is used`() throws {
    let link = try makeLink()
    let made = vera.get("/account/access-log")
    #expect(made.hasRow("Anna Petrova") && made.hasRow("A one-time link to set a new password"))
    #expect(portal.notified(vera, "If you did not ask for it"))
    let copy = try portal.export(of: vera, from: "account")
    #expect(copy["access_log"]?[0]?["change"]?.text == "access.link-made")
    #expect(try set(password, at: link, portal.visitor()).status == 303)
    #expect(try vera.signIn("vera", password).status == 303)
    #expect(vera.get("/account/access-log").hasRow("A new password was set with a one-time link"))
    #expect(portal.notified(vera, "If that was not you"))
  }

  @Test func `a link made on the command line also notifies the owner`() throws {
    _ = try portal.userCommands().reset("vera")
    let log = vera.get("/account/access-log")
    #expect(log.hasRow("was created on the server"))
    #expect(!log.contains("<bdi></bdi>"))
    #expect(portal.notified(vera, "If you did not ask for it"))
  }

  @Test func `an administrator sees until when an unused link works, and withdraws it`() throws {
    let page = try portal.path(of: vera)
    let words = "A one-time link for this person works until"
    #expect(!administrator.get(page).contains(words))
    let link = try makeLink()
    #expect(administrator.get(page).hasNotice(.plain, words))
    #expect(administrator.press("\(page)/link/withdraw", on: page).status == 303)
    #expect(portal.visitor().get(link).status == 410)
    #expect(!administrator.get(page).contains(words))
    #expect(administrator.get("/admin/audit").hasRow("One-time link withdrawn"))
  }

  @Test func `a new link revokes the earlier one`() throws {
    let first = try makeLink()
    let second = try makeLink()
    #expect(portal.visitor().get(first).status == 410)
    #expect(portal.visitor().get(second).status == 200)
  }

  @Test(arguments: ["link", "second-factor-link"])
  func `administrators make no link for themselves`(_ action: String) throws {
    _ = try administrator.enrol(in: portal)
    let page = try portal.path(of: administrator)
    let shown = administrator.get(page)
    #expect(!shown.contains("\(page)/\(action)") && shown.hasLink(to: "/account/two-factor"))
    let refused = administrator.press("\(page)/\(action)", on: page, evenIfAbsent: true)
    #expect(refused.status == 409 && refused.hasNotice(.warning, "This is your own account."))
    #expect(refused.hasLink(to: "/account/password") && token(in: refused) == nil)
  }

  @Test func `a link expires after its lifetime`() throws {
    let link = try makeLink()
    portal.now = portal.now + OneTimeLink.lifetime - .seconds(1)
    #expect(portal.visitor().get(link).status == 200)
    portal.now = portal.now + .seconds(1)
    #expect(portal.visitor().get(link).status == 410)
    #expect(try set(password, at: link, portal.visitor()).status == 410)
  }

  @Test func `a suspension revokes a link and refuses new ones with 409`() throws {
    let link = try makeLink()
    let page = try portal.path(of: vera)
    #expect(try administrator.submit("\(page)/suspend", [:]).status == 303)
    #expect(!administrator.get(page).contains("\(page)/link"))
    let refused = administrator.press("\(page)/link", on: page, evenIfAbsent: true)
    #expect(
      refused.status == 409 && refused.hasNotice(.warning, "Reinstate it before you create a link"))
    #expect(portal.visitor().get(link).status == 410)
  }

  @Test(arguments: ["used", "newer", "suspended"])
  func `a form opened before its link ended cannot set a password`(end: String) throws {
    let link = try makeLink()
    let stranger = portal.visitor()
    let opened = stranger.get(link).hidden(of: link)
    switch end {
    case "used":
      #expect(
        try set("nine brave badgers at noon", at: link, portal.visitor()).status == 303)
    case "newer": _ = try makeLink()
    default:
      #expect(try administrator.submit("\(portal.path(of: vera))/suspend", [:]).status == 303)
    }
    let late = stranger.post(
      link, pairs: opened + [("password", password), ("password_confirm", password)])
    #expect(late.status == 410)
    #expect(try portal.visitor().signIn("vera", password).status == 422)
  }

  @Test func `a link's token is in no stored file and no response header`() throws {
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
