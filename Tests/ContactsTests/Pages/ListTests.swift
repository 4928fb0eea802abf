import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Contacts

/// The list, its pages and its search.
@Suite struct ListTests {
  @Test func `an empty list says so and links to the form for a new contact`() throws {
    let page = try TestPortal(ContactsModule()).register().get("/contacts")
    #expect(page.status == 200)
    #expect(page.hasSection("No contacts") && page.hasLink(to: "/contacts/new"))
    #expect(!page.contains("role=\"search\""))
  }

  @Test func `the count is written in the visitor's language`() throws {
    let portal = try TestPortal(ContactsModule())
    for (language, count) in [
      (Language.english, "3 contacts"), (.russian, "3 контакта"), (.hebrew, "3 אנשי קשר"),
    ] {
      let visitor = try portal.register(language: language)
      try portal.fill(visitor, names: ["Вера", "Anna", "שרה"])
      #expect(visitor.get("/contacts").contains(count))
      #expect(visitor.names() == ["Anna", "Вера", "שרה"])
    }
  }

  @Test func `the search finds words and numbers, and shows the number of results`() throws {
    let anna = try TestPortal(ContactsModule()).register()
    _ = try anna.add("Vera Brown", ["method_type": "phone", "method_value": "+375 29 111-22-33"])
    _ = try anna.add("Boris Brown")
    #expect(anna.names(on: "/contacts?q=bro") == ["Boris Brown", "Vera Brown"])
    #expect(anna.names(on: "/contacts?q=29111") == ["Vera Brown"])
    for dialled in ["80291112233", "029%20111%2022%2033", "%2B375291112233"] {
      #expect(anna.names(on: "/contacts?q=\(dialled)") == ["Vera Brown"], "\(dialled)")
    }
    #expect(anna.names(on: "/contacts?q=80291112234").isEmpty)
    let page = anna.get("/contacts?q=v%C3%A9r")
    #expect(page.contains("role=\"status\">1 contact found<"))
    #expect(page.hasValue("vér") && page.contains("data-live"))
  }

  @Test func `a row with a telephone number has a button that calls it`() throws {
    let anna = try TestPortal(ContactsModule()).register()
    _ = try anna.add("Vera", ["method_type": "phone", "method_value": "+375 29 111-22-33"])
    _ = try anna.add("Boris", ["method_type": "email", "method_value": "boris29@example.org"])
    _ = try anna.add("Clara")
    let calls = anna.get("/contacts").main.all("a").filter {
      $0.attributes["href"]?.hasPrefix("tel:") == true
    }
    #expect(calls.count == 1 && calls.first?.text.contains("Vera") == true)
  }

  @Test(arguments: ["example", "vera@ex", "librar", "chess", "ver libr", "brown example"])
  func `the search finds workplaces, e-mail addresses and notes`(_ words: String) throws {
    let anna = try TestPortal(ContactsModule()).register()
    _ = try anna.add(
      "Vera Brown",
      [
        "workplace": "City Library", "notes": "plays chess", "method_type": "email",
        "method_value": "vera@example.org",
      ])
    _ = try anna.add("Boris")
    let query = words.replacing(" ", with: "+").replacing("@", with: "%40")
    #expect(anna.names(on: "/contacts?q=\(query)") == ["Vera Brown"])
  }

  @Test(arguments: [(19, false), (20, true)])
  func `letters to jump by appear from twenty contacts on`(_ count: Int, _ areShown: Bool) throws {
    let portal = try TestPortal(ContactsModule())
    let anna = try portal.register()
    try portal.fill(anna, names: (1..<count).map { "Name \($0)" } + ["Бабушка"])
    func letters(_ page: String) -> [String] {
      anna.get(page).main.first { $0.hasClass("letters") }?.all("a").map(\.text) ?? []
    }
    #expect(letters("/contacts") == (areShown ? ["N", "Б"] : []))
    #expect(letters("/contacts?q=Name").isEmpty)
    let link = anna.get("/contacts").main.first { $0.hasClass("letters") }?.all("a").last
    guard let path = link?.attributes["href"]?.prefix(while: { $0 != "#" }) else { return }
    let meant = anna.get(String(path)).main.first { $0.attributes["id"] == "at" }
    #expect(meant?.text.contains("Бабушка") == true)
  }

  @Test func `a letter leads to the page and the name where it begins`() throws {
    let portal = try TestPortal(ContactsModule())
    let anna = try portal.register()
    try portal.fill(anna, names: (100..<160).map { "Anna \($0)" } + ["Boris", "Clara"])
    #expect(anna.get("/contacts").hasLink(to: "/contacts?letter=B#at"))
    func meant(_ letter: String) -> String? {
      anna.get("/contacts?letter=\(letter)").main.first { $0.attributes["id"] == "at" }?.text
    }
    #expect(meant("B")?.contains("Boris") == true && meant("%27")?.contains("Anna 100") == true)
    let last = anna.get("/contacts?letter=Z")
    #expect(last.contains("Clara") && !last.contains("Anna 100") && meant("Z") == nil)
  }

  @Test func `saving a contact is confirmed once and without its name in the address`() throws {
    let anna = try TestPortal(ContactsModule()).register()
    let path = try anna.add("Vera")
    #expect(!path.contains("?") && anna.get(path).hasNotice(.success, "The contact was saved."))
    #expect(!anna.get(path).hasNotice(.success))
  }

  @Test func `a search without results offers the whole list`() throws {
    let anna = try TestPortal(ContactsModule()).register()
    _ = try anna.add("Vera")
    let page = anna.get("/contacts?q=nobody")
    #expect(page.status == 200 && page.contains("role=\"status\">Nothing found<"))
    #expect(page.contains("id=\"results\"") && page.hasButton("Show all contacts"))
  }

  @Test func `a search with punctuation only shows the whole list`() throws {
    let anna = try TestPortal(ContactsModule()).register()
    #expect(anna.get("/contacts?q=%2C%20%21").hasSection("No contacts"))
    _ = try anna.add("Vera")
    #expect(anna.get("/contacts?q=%2C%20%21").contains(">1 contact<"))
  }

  @Test func `links to other pages keep the search`() throws {
    let portal = try TestPortal(ContactsModule())
    let anna = try portal.register()
    try portal.fill(anna, names: (100..<220).map { "Vera \($0)" } + ["Boris"])
    let page = anna.get("/contacts?q=vera&page=2")
    #expect(page.hasLink(to: "/contacts?q=vera&page=1"))
    #expect(page.hasLink(to: "/contacts?q=vera&page=3"))
    #expect(page.contains("Page 2 of 3"))
    #expect(anna.names(on: "/contacts?q=vera&page=3").count == 20)
  }

  @Test func `fifty contacts fit on one page`() throws {
    let portal = try TestPortal(ContactsModule())
    let anna = try portal.register()
    try portal.fill(anna, names: scatteredNames(50))
    #expect(!anna.get("/contacts").contains("class=\"pages\""))
  }

  @Test(arguments: ["<script>alert(1)</script>", "\"onfocus=alert(1)", "'; DROP TABLE contacts;--"])
  func `hostile search words are shown escaped`(_ words: String) throws {
    let anna = try TestPortal(ContactsModule()).register()
    _ = try anna.add("Vera")
    let page = anna.get("/contacts?q=" + words.utf8.map { "%" + hexadecimal($0) }.joined())
    #expect(page.status == 200)
    #expect(!page.contains("<script>a") && !page.contains("\"onfocus"))
  }

  private func hexadecimal(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }
}
