import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import PolyclinicDemonstration

@Suite struct DemonstrationTests {
  @Test func `each demonstration login works with the published password`() throws {
    let portal = try TestPortal()
    try portal.demonstrate()
    for kind in TownPeople.counts {
      let visitor = portal.visitor()
      let fields = ["login": kind.login, "password": TownPeople.password]
      let answer = try visitor.submit("/login", fields)
      #expect(answer.status == 303)
      #expect(visitor.get("/account").status == 200)
    }
    #expect(try portal.problems().isEmpty)
  }

  @Test func `the same seed makes the same people`() {
    var (one, other) = (Demonstration.Dice(seed: 7), Demonstration.Dice(seed: 7))
    let today = CalendarDate(daysSince1970: 20_000)
    let people = TownPeople.invent(&one, on: today)
    let names = people.map(\.profile.displayName)
    #expect(names == TownPeople.invent(&other, on: today).map(\.profile.displayName))
    #expect(names.count == TownPeople.counts.map(\.count).reduce(0, +))
    #expect(names.allSatisfy { $0.contains(" ") })
    #expect(people.allSatisfy { !$0.profile.phone.hasSuffix("00") })
    #expect(people.allSatisfy { $0.age >= 18 || $0.roles == [.patient] })
  }

  @Test(arguments: [
    ("Лесной", "Анна", "Лесная"), ("Лесной", "Глеб", "Лесной"), ("Озёрный", "Дарья", "Озёрная"),
    ("Васильковский", "Вера", "Васильковская"), ("Горностаев", "Ирина", "Горностаева"),
    ("Зимин", "Жанна", "Зимина"), ("Зимин", "Борис", "Зимин"),
  ])
  func `a Russian surname agrees in gender with the given name`(
    family: String, given: String, name: String
  ) {
    #expect(TownPeople.surname(family, after: given) == name)
  }

  @Test func `a portal with accounts is not filled with demonstration data`() throws {
    let portal = try TestPortal()
    _ = try portal.register()
    let before = try portal.rowCounts()
    try portal.demonstrate()
    #expect(try portal.rowCounts() == before)
  }
}
