import Testing

@testable import PolyclinicCore
@testable import PolyclinicPlaces

@Suite struct UsefulContactsTests {
  private static let shipped = UsefulContacts.shipped.sorted { $0.key < $1.key }

  @Test func `contacts are shipped for six places`() {
    #expect(UsefulContacts().countries == ["BY", "EU", "GB", "IL", "RU", "US"])
  }

  @Test(arguments: shipped)
  func `each shipped number has a dated source and can be dialled`(
    country: String, contacts: [UsefulContact]
  ) {
    let numbers = contacts.filter { $0.phone != nil }
    #expect(numbers.count(where: \.isEmergency) == 1)
    for contact in numbers {
      #expect(contact.source != nil && contact.call != nil, "\(contact.name.key)")
    }
    #expect(contacts.contains { !$0.isEmergency && $0.phone != nil })
    #expect(contacts.contains { $0.name == "contacts.who" })
    for contact in contacts where contact.phone == nil {
      #expect(contact.web != nil, "\(contact.name.key)")
    }
  }

  @Test(arguments: Language.allCases)
  func `each shipped contact has a name in each language`(language: Language) throws {
    let phrases = try Catalog.shared.phrases(in: language)
    for contact in Self.shipped.flatMap(\.value) {
      #expect(phrases[contact.name.key] != nil, "\(contact.name.key)")
    }
  }

  @Test func `a member state without contacts of its own gets those of the European Union`() {
    let contacts = UsefulContacts()
    #expect(contacts.key(of: "DE") == "EU" && contacts["DE"] == contacts["EU"])
    #expect(contacts["DE"].first(where: \.isEmergency)?.call?.description == "tel:112")
  }

  @Test func `a country without contacts gets only the World Health Organization's site`() {
    let contacts = UsefulContacts()
    #expect(contacts.key(of: "JP") == nil)
    #expect(contacts["JP"].map(\.web?.host) == ["www.who.int"])
  }

  @Test func `configured contacts replace those of their country and leave the others unchanged`() {
    let own = UsefulContact("contacts.name", phone: "15")
    let contacts = UsefulContacts(replacing: ["FR": [own], "RU": [own]])
    #expect(contacts["FR"] == [own] && contacts["RU"] == [own])
    #expect(contacts["BY"] == UsefulContacts()["BY"])
    #expect(contacts.countries.contains("FR"))
  }

  @Test func `contacts configured for the European Union apply to its member states`() {
    let own = UsefulContact("contacts.name", phone: "15")
    #expect(UsefulContacts(replacing: ["EU": [own]])["FR"] == [own])
  }

  @Test(arguments: [("javascript:alert(1)", "2026-11-23"), ("https://who.int", "23.11.2026")])
  func `a source without a valid address or date is refused`(address: String, day: String) {
    #expect(SourcePage(address, read: day) == nil)
  }
}
