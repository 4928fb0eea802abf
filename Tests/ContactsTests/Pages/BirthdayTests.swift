import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Contacts

/// The birthday card for the next 30 days; tests begin on 4 May 2026.
@Suite struct BirthdayTests {
  private static func day(_ text: String) throws -> CalendarDate {
    try #require(CalendarDate(text))
  }

  @Test func `birthdays in the next 30 days are on the dashboard in order, with the age`() throws {
    let anna = try TestPortal(ContactsModule()).register()
    let vera = try anna.add("Vera", ["birthday": "1985-05-20"])
    for (name, birthday) in [
      ("Today", "2000-05-04"), ("Tomorrow", "1996-05-05"), ("Last", "1976-06-03"),
      ("Late", "1976-06-04"), ("Over", "1976-05-03"), ("None", ""),
    ] {
      _ = try anna.add(name, ["birthday": birthday])
    }
    let page = anna.get("/")
    #expect(page.hasSection("Birthdays in the next 30 days"))
    #expect(page.link(to: "\(vera)") == "Vera")
    #expect(page.contains("20 May, turns 41") && page.contains("Today, turns 26"))
    #expect(page.contains("Tomorrow, turns 30") && page.contains("3 June, turns 50"))
    for name in ["Late", "Over", "None"] { #expect(!page.contains("<bdi>\(name)</bdi>")) }
    let order = ["Today", "Tomorrow", "Vera", "Last"].compactMap {
      page.body.range(of: "<bdi>\($0)</bdi>")?.lowerBound
    }
    #expect(order.count == 4 && order == order.sorted())
  }

  @Test func `without birthdays in the next 30 days there is no card`() throws {
    let anna = try TestPortal(ContactsModule()).register()
    _ = try anna.add("Vera", ["birthday": "1985-11-20"])
    #expect(!anna.get("/").contains("Birthdays"))
  }

  @Test func `the card lists ten birthdays and counts the rest`() throws {
    let anna = try TestPortal(ContactsModule()).register()
    for number in 10..<23 { _ = try anna.add("Vera \(number)", ["birthday": "1985-05-\(number)"]) }
    let page = anna.get("/")
    #expect(page.hasLink("Vera 19") && !page.contains("Vera 20") && page.contains("And 3 more."))
  }

  @Test(arguments: [
    ("2026-02-10", "2026-02-28", 26), ("2028-02-10", "2028-02-29", 28),
    ("2027-12-31", "2028-02-29", 28), ("2026-03-01", "2027-02-28", 27),
  ])
  func `a person born on 29 February has a birthday each year`(
    _ today: String, _ date: String, _ age: Int
  ) throws {
    var contact = Contact()
    contact.birthday = try Self.day("2000-02-29")
    let entry = Contact.Entry(contact, id: ID(1))
    let birthday = try #require(Birthday(of: entry, onOrAfter: Self.day(today)))
    #expect(birthday.date.description == date && birthday.age == age)
  }

  @Test func `a contact's page names the next birthday with its year`() throws {
    let anna = try TestPortal(ContactsModule()).register()
    let passed = try anna.add("Vera", ["birthday": "1960-04-26"])
    #expect(anna.get(passed).fact("Birthday") == "26 April 1960 (turns 67 on 26 April 2027)")
    let next = try anna.add("Boris", ["birthday": "1960-06-26"])
    #expect(anna.get(next).fact("Birthday") == "26 June 1960 (turns 66 on 26 June 2026)")
  }

  @Test func `a birthday after New Year has the age of the new year`() throws {
    var contact = Contact()
    contact.birthday = try Self.day("2000-01-02")
    let entry = Contact.Entry(contact, id: ID(1))
    let birthday = try #require(Birthday(of: entry, onOrAfter: Self.day("2026-12-30")))
    #expect(birthday.date.description == "2027-01-02" && birthday.age == 27)
  }

  @Test func `a birthday in the future is refused`() throws {
    let anna = try TestPortal(ContactsModule()).register()
    let page = try anna.submit("/contacts/new", ["name": "Baby", "birthday": "2064-05-20"])
    #expect(
      page.refuses("birthday") && page.value(of: "name") == "Baby")
    let path = try anna.add("Baby", ["birthday": "2026-05-04"])
    let edit = try anna.submit(path + "/edit", ["name": "Baby", "birthday": "2026-05-05"])
    #expect(edit.refuses("birthday"))
  }
}
