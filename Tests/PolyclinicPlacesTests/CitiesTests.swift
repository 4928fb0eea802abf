import Foundation
import PolyclinicCore
import Testing

@testable import PolyclinicPlaces

/// The list of larger towns.
@Suite struct CitiesTests {
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

  @Test func `the shipped list of towns covers more than 180 countries`() throws {
    let root = URL(filePath: #filePath).appending(path: "../../..").standardized
    let cities = try Cities(Array(Data(contentsOf: root.appending(path: "www/data/cities.txt"))))
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
  func `a malformed line of the list of towns is refused with its number`(line: String) {
    #expect(throws: CitiesError(line: 2)) { try Cities(Array("# x\n\(line)\n".utf8)) }
  }
}
