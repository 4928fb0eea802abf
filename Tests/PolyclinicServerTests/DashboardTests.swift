import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import PolyclinicServer

@Suite struct DashboardTests {
  @Test func `a visitor without an account reads what this is`() throws {
    let page = try TestPortal(NotesModule()).visitor().get("/")
    #expect(page.status == 200 && page.contains("Riverside Polyclinic"))
    #expect(page.contains("href=\"/register\"") && page.contains("href=\"/login\""))
  }

  @Test func `who signed in is greeted, by a name that harms nothing`() throws {
    let anna = try TestPortal().register(["surname": "O'Neil"])
    #expect(anna.get("/").contains("O&#39;Neil"))
  }

  @Test func `a module's links are there for whom they are meant, and gone when it is off`() throws
  {
    let portal = try TestPortal(LinkedModule())
    let anna = try portal.register(login: "anna")
    #expect(anna.get("/").contains("href=\"/linked\"") && !anna.get("/").contains("/linked/desk"))
    try portal.grant(.doctor, to: "anna")
    #expect(anna.get("/").contains("href=\"/linked/desk\""))
    let off = try TestPortal(LinkedModule(), disabled: ["linked"]).register()
    #expect(!off.get("/").contains("/linked"))
  }

  @Test
  func `a part of the portal says what one finds there, and offers what people most often do`()
    throws
  {
    let portal = try TestPortal(LinkedModule())
    let anna = try portal.register(login: "anna")
    #expect(anna.get("/").contains("class=\"secondary-text\">Linked</span>"))
    #expect(anna.get("/").contains("class=\"button secondary\" href=\"/linked/new\">Linked</a>"))
    #expect(!anna.get("/").contains("href=\"/linked/call\""))
    try portal.grant(.doctor, to: "anna")
    #expect(anna.get("/").contains("href=\"/linked/call\""))
  }

  @Test func `a card is for whom it is meant, and first for whom it is to be`() throws {
    let portal = try TestPortal(LinkedModule())
    let anna = try portal.register(login: "anna")
    #expect(anna.get("/").contains("the plan") && !anna.get("/").contains("the queue"))
    #expect(!anna.get("/").contains("the till"))
    try portal.grant(.doctor, to: "anna")
    let parts = anna.get("/").body.split(separator: "<section class=\"card\">")
    #expect(parts.count == 3 && parts[1].contains("the queue") && parts[2].contains("the plan"))
  }

  @Test func `who waits for a role is told to administrators alone, and only while somebody does`()
    throws
  {
    let portal = try TestPortal()
    let chief = try portal.register(login: "chief")
    try portal.grant(.administrator, to: "chief")
    #expect(!chief.get("/").contains("waiting for your approval"))
    let doctor = try portal.register(["role": "doctor"])
    #expect(chief.get("/").contains("<p class=\"figure\">1</p>"))
    #expect(chief.get("/").contains("waiting for your approval"))
    #expect(!doctor.get("/").contains("waiting for your approval"))
  }

  @Test func `machines find what they ask for`() throws {
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
