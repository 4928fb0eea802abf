import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicWeb

/// Invitations that give an account to a person entered by the reception.
@Suite struct InvitationTests {
  private let portal: TestPortal
  private let chief: TestVisitor
  private let vera: Keys

  init() throws {
    portal = try TestPortal()
    chief = try portal.administrator()
    vera = try portal.enter("Vera")
  }

  private var page: String { "/admin/people/\(vera.person)" }

  private static let fields = [
    "login": "vera", "email": "vera@example.org", "password": TestVisitor.password,
    "password_confirm": TestVisitor.password, "consent": "yes",
  ]

  private func invite() throws -> String {
    let answer = chief.press(page + "/invite", on: page)
    try #require(answer.status == 200)
    let start = try #require(answer.body.range(of: "/invitation/"))
    return "/invitation/" + answer.body[start.upperBound...].prefix { $0 != "<" }
  }

  @Test func `an invited person chooses a login and password and keeps their record`() throws {
    let visitor = portal.visitor()
    let link = try invite()
    #expect(visitor.get(link).contains("This invitation is for Vera."))
    #expect(try visitor.submit(link, Self.fields).location == "/")
    // A signed-in visitor is redirected. `signIn` also stores the login in `visitor`.
    #expect(try visitor.signIn("vera").status == 303)
    #expect(try portal.person(of: visitor) == vera.person)
    #expect(visitor.get("/account").fact("E-mail") == "vera@example.org")
    #expect(visitor.get("/privacy").contains("You agreed to this version on 4 May 2026."))
    #expect(try portal.visitor().signIn("vera").status == 303)
    #expect(try portal.rowCounts()["people"] == 2)
    let shown = chief.get(page)
    #expect(shown.fact("State") == "Active" && !shown.contains(page + "/invite"))
    let audit = chief.get("/admin/audit")
    #expect(audit.hasRow("Invitation created") && audit.hasRow("Account created: Patient"))
  }

  @Test func `an invitation works once, and sending its form twice makes one account`() throws {
    let link = try invite()
    let visitor = portal.visitor()
    let hidden = visitor.get(link).hidden(of: link)
    let pairs = hidden + Self.fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    let cookie = visitor.cookie("__Host-visitor")
    #expect(visitor.post(link, pairs: pairs).location == "/")
    visitor.setCookie("__Host-session", nil)
    visitor.setCookie("__Host-visitor", cookie)
    #expect(visitor.post(link, pairs: pairs).location == "/")
    #expect(visitor.get("/account").fact("E-mail") == "vera@example.org")
    let stranger = portal.visitor()
    #expect(stranger.get(link).status == 410)
    #expect(stranger.post(link, pairs: pairs).status != 303)
    #expect(try portal.rowCounts()["accounts"] == 2)
  }

  @Test func `an invitation expires, and a newer one replaces it`() throws {
    let first = try invite()
    let link = try invite()
    let visitor = portal.visitor()
    #expect(visitor.get(first).status == 410)
    portal.now = portal.now + OneTimeLink.lifetime - .seconds(1)
    #expect(visitor.get(link).status == 200)
    portal.now = portal.now + .seconds(1)
    #expect(visitor.get(link).status == 410)
    #expect(try visitor.submit(link, Self.fields).status == 410)
  }

  @Test func `an invitation for an erased person returns 410`() throws {
    let link = try invite()
    let visitor = portal.visitor()
    let hidden = visitor.get(link).hidden(of: link)
    #expect(chief.press(page + "/erase", on: page + "/erase", ["confirm": "1"]).status == 303)
    let pairs = hidden + Self.fields.map { ($0.key, $0.value) }
    #expect(visitor.post(link, pairs: pairs).status == 410)
    #expect(visitor.get(link).status == 410)
    #expect(try portal.rowCounts()["password_links"] == 0)
  }

  @Test func `a taken login is reported at its field, and the invitation stays valid`() throws {
    _ = try portal.register(login: "vera")
    let link = try invite()
    let visitor = portal.visitor()
    let answer = try visitor.submit(link, Self.fields)
    #expect(answer.refuses("login"))
    #expect(
      answer.hasError("This login is taken") && answer.value(of: "email") == "vera@example.org")
    var fields = Self.fields
    fields["login"] = "vera2"
    #expect(try visitor.submit(link, fields).status == 303)
  }

  @Test(arguments: [
    ("password", "short"), ("password_confirm", "another one altogether"), ("consent", ""),
    ("login", "a b"), ("email", "nowhere"), ("password", "vera vera vera vera"),
  ])
  func `an invalid value is refused with 422 at its field`(name: String, value: String) throws {
    let link = try invite()
    let visitor = portal.visitor()
    var fields = Self.fields
    fields[name] = value.isEmpty ? nil : value
    if name == "password" { fields["password_confirm"] = value }
    let answer = try visitor.submit(link, fields)
    #expect(answer.refuses(name), "\(name)")
    #expect(try portal.rowCounts()["accounts"] == 1)
  }

  @Test func `an invitation is no password reset link, and a reset link no invitation`() throws {
    let token = try invite().dropFirst("/invitation/".count)
    #expect(portal.visitor().get("/reset/\(token)").status == 410)
    let boris = try portal.register(login: "boris")
    let path = try portal.path(of: boris)
    let answer = chief.press(path + "/link", on: path)
    let start = try #require(answer.body.range(of: "/reset/"))
    let reset = answer.body[start.upperBound...].prefix { $0 != "<" }
    #expect(portal.visitor().get("/invitation/\(reset)").status == 410)
    #expect(chief.press(path + "/invite", on: path, evenIfAbsent: true).status == 409)
    let unknown = chief.press("/admin/people/999/invite", on: path, evenIfAbsent: true)
    #expect(unknown.status == 404)
  }

  @Test func `only administrators can invite, and the link is not stored in plain text`() throws {
    let link = try invite()
    let boris = try portal.register(login: "boris")
    #expect(boris.press(page + "/invite", on: "/account", evenIfAbsent: true).status == 403)
    let stored = String(decoding: try portal.storedBytes(), as: UTF8.self)
    #expect(!stored.contains(link.dropFirst("/invitation/".count)))
    #expect(!chief.get(page).contains(link))
  }

  @Test(arguments: Language.allCases)
  func `the invitation pages are translated into every language`(_ language: Language) throws {
    let link = try invite()
    let page = portal.visitor(language: language).get(link)
    #expect(page.status == 200 && !page.contains("⟦"))
    try portal.speak(language, chief)
    #expect(!chief.press(self.page + "/invite", on: self.page).contains("⟦"))
  }
}
