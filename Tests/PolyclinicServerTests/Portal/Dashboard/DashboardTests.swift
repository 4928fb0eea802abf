import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import PolyclinicPortal

@Suite struct DashboardTests {
  @Test func `the home page shows a visitor the clinic, registration and sign-in`() throws {
    let page = try TestPortal(NotesModule()).visitor().get("/")
    #expect(page.status == 200 && page.hasLink("Riverside Polyclinic"))
    #expect(page.hasLink(to: "/register") && page.hasLink(to: "/login"))
  }

  @Test func `the home page escapes the name of the signed-in user`() throws {
    let anna = try TestPortal().register(["surname": "O'Neil"])
    #expect(anna.get("/").contains("O&#39;Neil"))
  }

  @Test func `a module's links are shown by role, and not when it is off`() throws {
    let portal = try TestPortal(LinkedModule())
    let anna = try portal.register(login: "anna")
    #expect(anna.get("/").hasLink(to: "/linked") && !anna.get("/").contains("/linked/desk"))
    try portal.grant(.doctor, to: "anna")
    #expect(anna.get("/").hasLink(to: "/linked/desk"))
    let off = try TestPortal(LinkedModule(), disabled: ["linked"]).register()
    #expect(!off.get("/").contains("/linked"))
  }

  @Test func `a link shows its description, and its actions by role`() throws {
    let portal = try TestPortal(LinkedModule())
    let anna = try portal.register(login: "anna")
    #expect(anna.get("/").contains("class=\"secondary-text\">Linked</span>"))
    #expect(anna.get("/").contains("class=\"button secondary\" href=\"/linked/new\">Linked</a>"))
    #expect(!anna.get("/").hasLink(to: "/linked/call"))
    try portal.grant(.doctor, to: "anna")
    #expect(anna.get("/").hasLink(to: "/linked/call"))
  }

  @Test func `cards are shown by role, with the role's own card first`() throws {
    let portal = try TestPortal(LinkedModule())
    let anna = try portal.register(login: "anna")
    #expect(anna.get("/").contains("the plan") && !anna.get("/").contains("the queue"))
    #expect(!anna.get("/").contains("the till"))
    try portal.grant(.doctor, to: "anna")
    let parts = anna.get("/").body.split(separator: "<section class=\"card\">")
    #expect(parts.count == 3 && parts[1].contains("the queue") && parts[2].contains("the plan"))
  }

  @Test func `only administrators see the number of waiting approvals, if any`() throws {
    let portal = try TestPortal()
    let chief = try portal.register(login: "chief")
    try portal.grant(.administrator, to: "chief")
    #expect(!chief.get("/").contains("waiting for your approval"))
    let doctor = try portal.register(["role": "doctor"])
    #expect(chief.get("/").contains("<p class=\"figure\">1</p>"))
    #expect(chief.get("/").contains("waiting for your approval"))
    #expect(!doctor.get("/").contains("waiting for your approval"))
  }

  @Test func `well-known addresses, robots.txt and the manifest are served`() throws {
    let visitor = try TestPortal().visitor()
    #expect(visitor.get("/robots.txt").body == "User-agent: *\nDisallow: /\n")
    #expect(visitor.get("/manifest.webmanifest").contains("\"start_url\":\"/\""))
    #expect(visitor.get("/.well-known/change-password").location == "/account/password")
    let security = visitor.get("/.well-known/security.txt").body
    #expect(security.contains("Contact: mailto:privacy@clinic.example"))
    #expect(security.contains("Expires: 2026-"))
    #expect(DashboardModule.contactURI(in: "+1 555", else: "https://a.b") == "https://a.b")
    for (words, uri) in [
      ("desk@clinic.example, +1 555", "mailto:desk@clinic.example"),
      ("Desk:\nfirst line\ndesk@clinic.example.", "mailto:desk@clinic.example"),
      ("https://clinic.example/us, @clinic", "https://clinic.example/us"),
    ] {
      #expect(DashboardModule.contactURI(in: words, else: "") == uri)
    }
  }
}

private struct LinkedModule: Module {
  var id: ModuleID { "linked" }
  var title: Text { "title" }
  var catalog: Catalog { .titled("Linked") }
  var personalData: PersonalData { .none }
  var cards: [Card] {
    [
      Card("title") { _ in "<p>the plan</p>" },
      Card("title", access: .role(.receptionist)) { _ in "<p>the till</p>" },
      Card("title", access: .role(.doctor), first: .doctor) { _ in "<p>the queue</p>" },
    ]
  }
  var links: [Link] {
    [
      Link(
        "title", to: "", about: "title",
        actions: [Link("title", to: "new"), Link("title", to: "call", access: .role(.doctor))]),
      Link("title", to: "desk", access: .role(.doctor)),
    ]
  }
}
