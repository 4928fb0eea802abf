import PolyclinicCore
import Testing

@testable import PolyclinicPlaces

@Suite struct AddressTests {
  @Test(arguments: [
    ("US", "12a/3 Main Street"), ("GB", "12a/3 Main Street"), ("FR", "12a/3 Main Street"),
    ("IE", "12a/3 Main Street"), ("CA", "12a/3 Main Street"), ("AU", "12a/3 Main Street"),
    ("DE", "Main Street 12a/3"), ("IL", "Main Street 12a/3"), ("NL", "Main Street 12a/3"),
    ("PL", "Main Street 12a/3"), ("RU", "Main Street, 12a/3"), ("BY", "Main Street, 12a/3"),
    ("UA", "Main Street, 12a/3"), ("KZ", "Main Street, 12a/3"), ("??", "Main Street 12a/3"),
  ])
  func `the house number comes before or after the street, depending on the country`(
    country: String, line: String
  ) {
    let address = PostalAddress(
      street: "Main Street", houseNumber: "12a/3", city: "Town", country: country)
    #expect(address.lines(in: .english).prefix(2) == [line, "Town"])
  }

  @Test func `the country is the last line, in the reader's language`() {
    let address = PostalAddress(
      street: "ул. Ленина", houseNumber: "5", city: "Минск", country: "BY")
    #expect(address.lines(in: .russian) == ["ул. Ленина, 5", "Минск", "Беларусь"])
    #expect(address.lines(in: .hebrew).last == "בלארוס")
  }

  @Test func `empty parts of an address produce no lines`() {
    #expect(
      PostalAddress(street: "", houseNumber: "5", city: "", country: "RU").lines(in: .english)
        == ["5", "Russia"])
    #expect(
      PostalAddress(street: "", houseNumber: "", city: "", country: "").lines(in: .english) == [])
  }
}
