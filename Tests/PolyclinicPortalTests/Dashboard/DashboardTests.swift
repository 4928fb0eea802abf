import PolyclinicCore
import PolyclinicTestSupport
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

  @Test func `the tasks of links are buttons by role, of which the first is the main one`() throws {
    let portal = try TestPortal(LinkedModule())
    let anna = try portal.register(login: "anna")
    #expect(anna.get("/").contains("class=\"button\" href=\"/linked/new\">Linked</a>"))
    #expect(
      !anna.get("/").hasLink(to: "/linked/call") && !anna.get("/").hasLink(to: "/linked/find"))
    try portal.grant(.doctor, to: "anna")
    #expect(anna.get("/").contains("class=\"button\" href=\"/linked/call\">Linked</a>"))
  }

  @Test func `the home page has at most four buttons above its cards`() throws {
    let home = try TestPortal(BusyModule()).register().get("/")
    #expect(home.hasLink(to: "/busy/4") && !home.hasLink(to: "/busy/5"))
  }

  @Test func `a person is greeted by the first name`() throws {
    let anna = try TestPortal().register(["name": "Anna Maria"])
    #expect(anna.get("/").heading == "Hello, Anna Maria")
  }

  @Test func `the home page does not repeat the navigation`() throws {
    let anna = try TestPortal(LinkedModule()).register()
    #expect(anna.get("/").rows.isEmpty)
  }

  @Test func `receptionists get their workplace and no patient's tasks`() throws {
    let portal = try TestPortal(LinkedModule())
    let desk = try portal.receptionist()
    let home = desk.get("/")
    #expect(home.contains("class=\"button\" href=\"/linked/till\">Linked</a>"))
    #expect(!home.hasLink(to: "/linked/new") && !home.contains("the invitation"))
    #expect(try portal.register().get("/").contains("the invitation"))
  }

  @Test func `cards are shown by role, with the role's own card first`() throws {
    let portal = try TestPortal(LinkedModule())
    let anna = try portal.register(login: "anna")
    #expect(anna.get("/").contains("the plan") && !anna.get("/").contains("the queue"))
    #expect(!anna.get("/").contains("the till"))
    try portal.grant(.doctor, to: "anna")
    let cards = anna.get("/").main.all { $0.name == "section" && $0.hasClass("card") }.map(\.text)
    #expect(cards.count == 2 && cards[0].contains("the queue") && cards[1].contains("the plan"))
  }

  @Test func `administrators see who waits for approval, with a link to each person`() throws {
    let portal = try TestPortal()
    let chief = try portal.administrator()
    let doctor = try portal.register(["name": "Vera", "role": "doctor"])
    let person = try portal.path(of: doctor)
    for page in ["/", "/admin"] {
      #expect(chief.get(page).link(to: person) == "Vera Petrova Doctor")
    }
    #expect(!doctor.get("/").hasLink(to: person))
    _ = chief.press("\(person)/approve", on: person)
    #expect(!chief.get("/").hasLink(to: person))
  }

  @Test func `administrators are told that somebody waits for approval`() throws {
    let portal = try TestPortal()
    let chief = try portal.administrator()
    let doctor = try portal.register(["role": "doctor"])
    #expect(chief.get("/notifications").contains("waiting for your approval"))
    #expect(!doctor.get("/notifications").contains("waiting for your approval"))
  }

  @Test func `the first steps of a portal tick themselves off and leave with the last one`() throws
  {
    let portal = try TestPortal(LinkedModule())
    let chief = try portal.administrator()
    for page in ["/", "/admin"] { #expect(chief.get(page).hasLink(to: "/linked/first")) }
    // Cards of very different heights are not side by side.
    let rows = chief.get("/admin").main.all { $0.hasClass("home") }
    #expect(rows.count == 2 && rows.allSatisfy { $0.all("h2").count == 1 })
    #expect(try !portal.register().get("/").hasLink(to: "/linked/first"))
    _ = try portal.register(login: "second")
    #expect(!chief.get("/").hasLink(to: "/linked/first"))
  }

  @Test func `a public card and the emergency number are on the welcome page`() throws {
    let portal = try TestPortal(LinkedModule())
    let page = portal.visitor().get("/")
    #expect(page.contains("the map") && !page.contains("the plan"))
    let hero = try #require(page.main.first { $0.hasClass("hero") })
    #expect(hero.text.contains("the map") && hero.text.contains("In an emergency"))
    #expect(page.hasNotice(.danger) && page.hasLink(with: "tel:103"))
    #expect(page.contains("Find a doctor") && page.hasLink(to: "/register"))
    #expect(page.rows.isEmpty && !page.hasLink(to: "/linked/find"))
  }

  @Test func `the welcome page without a public card lists what needs no account`() throws {
    let page = try TestPortal(BusyModule()).visitor().get("/")
    #expect(page.hasLink(to: "/busy/open") && page.hasLink(to: "/busy/find"))
  }

  @Test func `the home page begins with what is due, and tells the emergency number`() throws {
    let portal = try TestPortal(DueModule())
    let anna = try portal.register()
    let home = anna.get("/")
    #expect(home.hasLink(with: "tel:103") && home.main.all("h2").first?.text == "What is next")
    #expect(home.rows.count == 1 && home.hasLink(to: "/due/dose"))
    #expect(home.contains("the plan") && !home.contains("Nothing needs your attention"))
    #expect(home.link(to: "/due/plan") == "Due")
    #expect(try !portal.receptionist().get("/").hasLink(with: "tel:103"))
  }

  @Test func `the bell counts unread notifications, which are not said to be due too`() throws {
    let portal = try TestPortal(DueModule())
    let chief = try portal.administrator()
    _ = try portal.register(["role": "doctor"])
    let home = chief.get("/")
    #expect(home.contains("1 unread") && !home.rows.contains { $0.contains("unread") })
  }

  @Test func `the buttons stand beside the greeting`() throws {
    let home = try TestPortal(BusyModule()).register().get("/")
    let title = try #require(home.main.first { $0.hasClass("title") })
    #expect(title.all("h1").count == 1 && title.first { $0.hasClass("button") } != nil)
  }

  @Test func `a hidden card and what it says is due are gone until it is shown again`() throws {
    let portal = try TestPortal(DueModule())
    let anna = try portal.register()
    #expect(anna.get("/account").hasLink(to: "/account/home-cards"))
    let page = "/account/home-cards"
    let card = ["card": "due/title"]
    #expect(anna.press("\(page)/hide", on: page, card).location == page)
    #expect(!anna.get("/").contains("the plan") && anna.get("/").rows.isEmpty)
    #expect(anna.get(page).hasBadge("Hidden"))
    _ = anna.press("\(page)/show", on: page, card)
    #expect(anna.get("/").contains("the plan"))
  }

  @Test func `a card moves up, and other people keep their own order`() throws {
    let portal = try TestPortal(DueModule())
    let anna = try portal.register()
    let page = "/account/home-cards"
    let card = ["card": "due/second"]
    _ = anna.press("\(page)/up", on: page, card)
    func titles(_ visitor: TestVisitor) -> [String] {
      visitor.get("/").main.all { $0.hasClass("card") }.flatMap { $0.all("h2").map(\.text) }
    }
    #expect(titles(anna) == ["Second", "Due"])
    #expect(try titles(portal.register()) == ["Due", "Second"])
    #expect(anna.press("\(page)/up", on: page, ["card": "home/none"]).status == 404)
  }

  @Test func `cards stand by their rank until a person has arranged them`() throws {
    let anna = try TestPortal(RankedModule()).register()
    func cards() -> [String] {
      anna.get("/").main.all { $0.hasClass("card") }.flatMap { $0.all("p").map(\.text) }
    }
    #expect(cards().prefix(3) == ["pulse", "paper", "hobby"])
    let quiet = anna.get("/").main.all { $0.hasClass("quiet") }.flatMap { $0.all("p").map(\.text) }
    #expect(quiet.prefix(2) == ["paper", "hobby"])
    _ = anna.press("/account/home-cards/up", on: "/account/home-cards", ["card": "ranked/papers"])
    #expect(cards().prefix(3) == ["paper", "pulse", "hobby"])
  }

  @Test func `the arrangement of cards is stored encrypted and is part of the export`() throws {
    let portal = try TestPortal(DueModule())
    let anna = try portal.register()
    let page = "/account/home-cards"
    _ = anna.press("\(page)/hide", on: page, ["card": "due/second"])
    let stored = String(decoding: try portal.storedBytes(), as: UTF8.self)
    #expect(!stored.contains("due/second"))
    let copy = String(decoding: try portal.export(of: anna, from: "home").encoded, as: UTF8.self)
    #expect(copy == #"{"card_order":[],"hidden_cards":["due/second"]}"#)
    #expect(try portal.untoldColumns() == [])
  }

  @Test func `the welcome page without a public card promises no doctors`() throws {
    let page = try TestPortal().visitor().get("/")
    #expect(page.contains("Welcome to") && !page.contains("doctor"))
    #expect(page.hasLink(to: "/register"))
  }

  @Test func `a wrong address and the sign-in page lead to the public parts`() throws {
    let portal = try TestPortal(LinkedModule())
    for path in ["/nothing-here", "/login"] {
      let page = portal.visitor().get(path)
      #expect(page.hasLink(to: "/linked/open") && !page.hasLink(to: "/linked/desk"), "\(path)")
    }
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
      Card("title") { $0.visitor?.isStaff == true ? nil : "<p>the invitation</p>" },
      Card("title", access: .role(.receptionist)) { _ in "<p>the till</p>" },
      Card("title", access: .role(.doctor), first: .doctor) { _ in "<p>the queue</p>" },
      Card("title", access: .everyone) { $0.visitor == nil ? "<p>the map</p>" : nil },
    ]
  }
  var firstSteps: [Link.FirstStep] {
    [
      Link.FirstStep("title", to: "first") { context in
        try context.integer("SELECT count(*) FROM accounts") ?? 0 > 2
      }
    ]
  }
  var links: [Link] {
    [
      Link(
        "title", to: "", about: "title",
        actions: [
          Link("title", to: "new"), Link("title", to: "call", access: .role(.doctor)),
          Link("title", to: "find", access: .everyone),
        ]),
      Link(
        "title", to: "open", access: .everyone,
        actions: [Link("title", to: "find", access: .everyone)]),
      Link("title", to: "desk", access: .role(.doctor)),
      Link("title", to: "till", access: .role(.receptionist), landing: .receptionist),
    ]
  }
}

/// A module with many tasks.
private struct BusyModule: Module {
  var id: ModuleID { "busy" }
  var title: Text { "title" }
  var catalog: Catalog { .titled("Busy") }
  var personalData: PersonalData { .none }
  var links: [Link] {
    [
      Link(
        "title", to: "",
        actions: [
          Link("title", to: "1"), Link("title", to: "2"), Link("title", to: "3"),
          Link("title", to: "4"), Link("title", to: "5"),
        ]),
      Link(
        "title", to: "open", access: .everyone,
        actions: [Link("title", to: "find", access: .everyone)]),
    ]
  }
}

/// A module with something that is due today.
private struct DueModule: Module {
  var id: ModuleID { "due" }
  var title: Text { "title" }
  var catalog: Catalog { .titled("Due", "\"second\": \"Second\"") }
  var personalData: PersonalData { .none }
  var cards: [Card] {
    [
      Card("title", page: "/due/plan") { context, due in
        due.append(.row(to: "/due/dose", "the dose"))
        return "<p>the plan</p>"
      },
      Card("second") { _ in "<p>the second</p>" },
    ]
  }
}

/// A module with cards of several ranks.
private struct RankedModule: Module {
  var id: ModuleID { "ranked" }
  var title: Text { "title" }
  var catalog: Catalog {
    .titled("Ranked", "\"papers\": \"Papers\"", "\"pulses\": \"Pulses\"")
  }
  var personalData: PersonalData { .none }
  var cards: [Card] {
    [
      Card("title") { _ in "<p>hobby</p>" },
      Card("papers", rank: .documents) { _ in "<p>paper</p>" },
      Card("pulses", rank: .measurements) { _ in "<p>pulse</p>" },
    ]
  }
}
