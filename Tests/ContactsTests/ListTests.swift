import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Contacts

/// The list, its pages and its search.
@Suite struct ListTests {
  @Test func `an empty list says so and leads to the first contact`() throws {
    let page = try TestPortal(ContactsModule()).register().get("/contacts")
    #expect(page.status == 200)
    #expect(page.contains("No contacts") && page.contains("href=\"/contacts/new\""))
    #expect(!page.contains("role=\"search\""))
  }

  @Test func `a list is counted in the visitor's language`() throws {
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

  @Test func `the search finds words and numbers, and says how many`() throws {
    let anna = try TestPortal(ContactsModule()).register()
    _ = try anna.add("Vera Brown", ["method_type": "phone", "method_value": "+375 29 111-22-33"])
    _ = try anna.add("Boris Brown")
    #expect(anna.names(on: "/contacts?q=bro") == ["Boris Brown", "Vera Brown"])
    #expect(anna.names(on: "/contacts?q=29111") == ["Vera Brown"])
    let page = anna.get("/contacts?q=v%C3%A9r")
    #expect(page.contains("role=\"status\">1 contact found<"))
    #expect(page.contains("value=\"vér\"") && page.contains("data-live"))
  }

  @Test func `a search that finds nothing offers the whole list`() throws {
    let anna = try TestPortal(ContactsModule()).register()
    _ = try anna.add("Vera")
    let page = anna.get("/contacts?q=nobody")
    #expect(page.status == 200 && page.contains("role=\"status\">Nothing found<"))
    #expect(page.contains("id=\"results\"") && page.contains("Show all contacts"))
  }

  @Test func `a search of nothing but punctuation is the whole list`() throws {
    let anna = try TestPortal(ContactsModule()).register()
    #expect(anna.get("/contacts?q=%2C%20%21").contains("No contacts"))
    _ = try anna.add("Vera")
    #expect(anna.get("/contacts?q=%2C%20%21").contains(">1 contact<"))
  }

  @Test func `pages keep what was searched for`() throws {
    let portal = try TestPortal(ContactsModule())
    let anna = try portal.register()
    try portal.fill(anna, names: (100..<220).map { "Vera \($0)" } + ["Boris"])
    let page = anna.get("/contacts?q=vera&page=2")
    #expect(page.contains("href=\"/contacts?q=vera&amp;page=1\""))
    #expect(page.contains("href=\"/contacts?q=vera&amp;page=3\""))
    #expect(page.contains("Page 2 of 3"))
    #expect(anna.names(on: "/contacts?q=vera&page=3").count == 20)
  }

  @Test func `fifty contacts are one page`() throws {
    let portal = try TestPortal(ContactsModule())
    let anna = try portal.register()
    try portal.fill(anna, names: scatteredNames(50))
    #expect(!anna.get("/contacts").contains("class=\"pages\""))
  }

  @Test(arguments: ["<script>alert(1)</script>", "\"onfocus=alert(1)", "'; DROP TABLE contacts;--"])
  func `what was searched for is shown harmlessly`(_ words: String) throws {
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
