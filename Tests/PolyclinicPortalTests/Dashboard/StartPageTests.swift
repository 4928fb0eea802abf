import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicPortal

@Suite struct StartPageTests {
  private func choose(_ path: String, _ visitor: TestVisitor) throws -> TestPage {
    try visitor.submit("/account/start-page", ["start_page": path])
  }

  @Test func `the start page is Home until another page is chosen`() throws {
    let portal = try TestPortal(GardenModule())
    let anna = try portal.register()
    #expect(anna.get("/start").location == "/")
    #expect(anna.get("/").contains("<a class=\"brand\" href=\"/start\">"))
    #expect(anna.get("/account").hasLink(to: "/account/start-page"))
    let form = anna.get("/account/start-page")
    #expect(form.contains("<option value=\"/\" selected>Home</option>"))
    #expect(form.contains("<option value=\"/garden\">Garden</option>"))
  }

  @Test func `the chosen page opens after a sign-in and from the portal's name`() throws {
    let portal = try TestPortal(GardenModule())
    let anna = try portal.register()
    #expect(try choose("/garden", anna).location == "/account")
    #expect(
      anna.get("/account").hasNotice(.success, "Your start page is saved."))
    #expect(anna.get("/start").location == "/garden")
    #expect(try portal.visitor().signIn(anna.login).location == "/garden")
    #expect(anna.get("/account/start-page").contains("<option value=\"/garden\" selected>"))
    let boris = try portal.register()
    #expect(try portal.visitor().signIn(boris.login).location == "/")
  }

  @Test func `a sign-in redirects to the requested page before the start page`() throws {
    let portal = try TestPortal(GardenModule())
    let anna = try portal.register()
    _ = try choose("/garden", anna)
    let visitor = portal.visitor()
    let answer = try visitor.submit(
      "/login?next=/account", ["login": anna.login, "password": TestVisitor.password])
    #expect(answer.location == "/account")
  }

  @Test func `a start page of a disabled module falls back to Home`() throws {
    let portal = try TestPortal(GardenModule(), disabled: ["garden"])
    let anna = try portal.register()
    #expect(try choose("/garden", anna).status == 422)
    let keys = try portal.keys(of: anna)
    try portal.write { try StartPage.value.save(StartPage(path: "/garden"), in: $0.with(keys)) }
    #expect(anna.get("/start").location == "/")
    #expect(try portal.visitor().signIn(anna.login).location == "/")
    #expect(anna.get("/account/start-page").contains("<option value=\"/\" selected>"))
  }

  @Test func `a start page that needs a role opens only with that role`() throws {
    let portal = try TestPortal(GardenModule())
    let anna = try portal.register()
    #expect(try choose("/garden/shed", anna).status == 422)
    #expect(try choose("/elsewhere", anna).status == 422)
    let keys = try portal.keys(of: anna)
    try portal.write {
      try StartPage.value.save(StartPage(path: "/garden/shed"), in: $0.with(keys))
    }
    #expect(try portal.visitor().signIn(anna.login).location == "/")
    try portal.grant(.doctor, to: anna.login)
    #expect(try portal.visitor().signIn(anna.login).location == "/garden/shed")
  }

  @Test func `a chosen start page replaces the administrator overview`() throws {
    let portal = try TestPortal(GardenModule())
    let admin = try portal.administrator()
    #expect(admin.get("/account/start-page").contains("<option value=\"/admin\" selected>"))
    _ = try choose("/", admin)
    #expect(try portal.visitor().signIn(admin.login).location == "/")
  }

  @Test func `the start page is stored encrypted and is part of the person's export`() throws {
    let portal = try TestPortal(GardenModule())
    let anna = try portal.register()
    _ = try choose("/garden", anna)
    let stored = String(decoding: try portal.storedBytes(), as: UTF8.self)
    #expect(!stored.contains("/garden"))
    let copy = try portal.export(of: anna, from: "home")
    #expect(String(decoding: copy.encoded, as: UTF8.self) == #"{"start_page":"/garden"}"#)
    #expect(try portal.untoldColumns() == [])
  }

  @Test func `an unreadable start page falls back to Home and is reported`() throws {
    let portal = try TestPortal(GardenModule())
    let anna = try portal.register()
    _ = try choose("/garden", anna)
    try portal.write { connection in
      try connection.run("UPDATE home_start_pages SET sealed = \([UInt8](repeating: 7, count: 64))")
    }
    #expect(try portal.visitor().signIn(anna.login).location == "/")
    #expect(anna.get("/start").location == "/")
    #expect(try portal.problems() != [])
  }

  @Test func `without a session the portal's name links to the public page`() throws {
    let stranger = try TestPortal().visitor()
    #expect(stranger.get("/").contains("<a class=\"brand\" href=\"/\">"))
    #expect(stranger.get("/start").location == "/")
    #expect(stranger.get("/account/start-page").location.hasPrefix("/login"))
  }
}

private struct GardenModule: Module {
  let id: ModuleID = "garden"
  var title: Text { "title" }
  var catalog: Catalog { .titled("Garden") }
  var personalData: PersonalData { .none }
  var routes: [Route] {
    [
      .get("") { _ in .page("title", "") },
      .get("shed", access: .role(.doctor)) { _ in .page("title", "") },
    ]
  }
  var links: [Link] {
    [Link(title, to: ""), Link(title, to: "shed", access: .role(.doctor))]
  }
}
