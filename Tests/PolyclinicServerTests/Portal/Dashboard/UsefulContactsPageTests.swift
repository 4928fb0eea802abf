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
    for text in ["<h2>Belarus</h2>", "<h2>European Union</h2>", "href=\"tel:112\"", "www.who.int"] {
      #expect(page.contains(text), "\(text)")
    }
  }

  @Test func `contacts in the configuration replace the built-in ones`() throws {
    let clinic = UsefulContact("contacts.who", phone: "+33 1 99 00 12 34")
    let portal = try TestPortal(usefulContacts: ["FR": [clinic], "BY": [clinic]])
    let page = portal.visitor().get("/useful-contacts")
    #expect(page.hasSection("France") && page.hasLink(to: "tel:+33199001234"))
    #expect(!page.contains("minzdrav.gov.by"))
  }
}
