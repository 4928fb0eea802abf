import Foundation
import Testing

@testable import PolyclinicCore

@Suite struct AddressTests {
  @Test(arguments: [
    ("US", "12a/3 Main Street"), ("GB", "12a/3 Main Street"), ("FR", "12a/3 Main Street"),
    ("IE", "12a/3 Main Street"), ("CA", "12a/3 Main Street"), ("AU", "12a/3 Main Street"),
    ("DE", "Main Street 12a/3"), ("IL", "Main Street 12a/3"), ("NL", "Main Street 12a/3"),
    ("PL", "Main Street 12a/3"), ("RU", "Main Street, 12a/3"), ("BY", "Main Street, 12a/3"),
    ("UA", "Main Street, 12a/3"), ("KZ", "Main Street, 12a/3"), ("??", "Main Street 12a/3"),
  ])
  func `the house number stands where the country has it`(country: String, line: String) {
    let address = PostalAddress(
      street: "Main Street", houseNumber: "12a/3", city: "Town", country: country)
    #expect(address.lines(in: .english).prefix(2) == [line, "Town"])
  }

  @Test func `the country comes last, in the reader's language`() {
    let address = PostalAddress(
      street: "ул. Ленина", houseNumber: "5", city: "Минск", country: "BY")
    #expect(address.lines(in: .russian) == ["ул. Ленина, 5", "Минск", "Беларусь"])
    #expect(address.lines(in: .hebrew).last == "בלארוס")
  }

  @Test func `empty parts leave no trace`() {
    #expect(
      PostalAddress(street: "", houseNumber: "5", city: "", country: "RU").lines(in: .english)
        == ["5", "Russia"])
    #expect(
      PostalAddress(street: "", houseNumber: "", city: "", country: "").lines(in: .english) == [])
  }

  @Test func `towns are suggested by country and language`() throws {
    let file = "# source\nBY|Minsk|Минск|מינסק\nUS|New York||\nBY|Brest|Брест|\n"
    let cities = try Cities(Array(file.utf8))
    #expect(cities.suggestions(in: "BY", language: .russian, limit: 9) == ["Минск", "Брест"])
    #expect(cities.suggestions(in: "BY", language: .hebrew, limit: 9) == ["מינסק", "Brest"])
    #expect(cities.suggestions(in: "BY", language: .english, limit: 1) == ["Minsk"])
    #expect(cities.suggestions(in: "FR", language: .english, limit: 9) == [])
    let first = try Cities(Array(file.utf8), limit: 1)
    #expect(first.suggestions(in: "BY", language: .english, limit: 9) == ["Minsk"])
  }

  @Test func `the list of towns that ships is whole`() throws {
    let root = URL(filePath: #filePath).appending(path: "../../..").standardized
    let cities = try Cities(Array(Data(contentsOf: root.appending(path: "www/cities.txt"))))
    #expect(
      cities.suggestions(in: "BY", language: .russian, limit: 3) == ["Минск", "Гомель", "Гродно"])
    #expect(cities.suggestions(in: "IL", language: .hebrew, limit: 1) == ["ירושלים"])
    #expect(cities.suggestions(in: "FR", language: .english, limit: 1) == ["Paris"])
    let known = Countries.all.filter {
      !cities.suggestions(in: $0, language: .english, limit: 1).isEmpty
    }
    #expect(known.count > 180)
  }

  @Test(arguments: [
    "BY", "BY|", "BY|||", "by|Minsk||", "BY|Minsk|", "BY|a|b|c|d", "BYX|a||", "|||",
  ])
  func `a line that is no town is refused by its number`(line: String) {
    #expect(throws: CitiesError(line: 2)) { try Cities(Array("# x\n\(line)\n".utf8)) }
  }
}
