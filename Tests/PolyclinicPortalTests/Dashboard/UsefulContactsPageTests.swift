import PolyclinicCore
import PolyclinicPlaces
import PolyclinicTesting
import Testing

@Suite struct UsefulContactsPageTests {
  @Test func `every page links to the useful contacts, signed in or not`() throws {
    let portal = try TestPortal()
    let link = "<li><a href=\"/useful-contacts\">Useful contacts</a></li>"
    for page in ["/", "/login", "/register", "/privacy", "/nothing-here"] {
      #expect(portal.visitor().get(page).contains(link), "\(page)")
    }
    let anna = try portal.register()
    for page in ["/", "/account", "/notifications"] {
      #expect(anna.get(page).contains(link), "\(page)")
    }
  }

  @Test func `visitors without an account read the contacts of every country`() throws {
    let page = try TestPortal().visitor().get("/useful-contacts")
    #expect(page.status == 200)
    for text in ["<h2>Belarus</h2>", "<h3>European Union</h3>", "href=\"tel:112\"", "www.who.int"] {
      #expect(page.contains(text), "\(text)")
    }
  }

  @Test(arguments: Language.allCases)
  func `the portal's country comes first and large, the others are collapsed`(
    _ language: Language
  ) throws {
    let page = try TestPortal().visitor(language: language).get("/useful-contacts")
    let telephones = page.main.all("a").compactMap { $0.attributes["href"] }
      .filter { $0.hasPrefix("tel:") }
    #expect(telephones.first == "tel:103")
    let figure = try #require(page.main.first { $0.hasClass("figure") })
    #expect(figure.text == "103")
    #expect(page.sections == [Countries.name("BY", in: language)])
    let others = try #require(page.main.all("details").first)
    #expect(others.all("h3").count == UsefulContacts().countries.count - 1)
    #expect(others.text.contains("911") && !others.text.contains("minzdrav.gov.by"))
  }

  @Test func `the reader's own country is the second, unless it is the first`() throws {
    let portal = try TestPortal()
    func sections(_ country: String) throws -> [String] {
      try portal.register(["country": country]).get("/useful-contacts").sections
    }
    #expect(try sections("IL") == ["Belarus", "Israel"])
    #expect(try sections("BY") == ["Belarus"])
    #expect(try sections("FR") == ["Belarus", "France"])
    #expect(try sections("JP") == ["Belarus", "Japan"])
    let none = ["street": "", "house_number": "", "city": "", "country": ""]
    #expect(try portal.register(none).get("/useful-contacts").sections == ["Belarus"])
  }

  @Test func `contacts in the configuration replace the built-in ones`() throws {
    let clinic = UsefulContact("contacts.who", phone: "+33 (0)1 99 00 12 34 poste 5")
    let portal = try TestPortal(usefulContacts: ["FR": [clinic], "BY": [clinic]])
    let page = portal.visitor().get("/useful-contacts")
    let others = page.main.all("details").first
    #expect(others?.all("h3").map(\.text).contains("France") == true)
    #expect(page.hasLink(to: "tel:+33199001234;ext=5"))
    #expect(!page.contains("minzdrav.gov.by"))
  }
}
