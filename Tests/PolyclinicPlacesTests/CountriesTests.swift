import PolyclinicCore
import PolyclinicPlaces
import Testing

struct CountriesTests {
  @Test func `every country has a name in every language`() {
    #expect(Countries.all.count == 249)
    #expect(Countries.all == Countries.all.sorted())
    #expect(Set(Countries.all).count == 249)
    for language in Language.allCases {
      for code in Countries.all {
        let name = Countries.name(code, in: language)
        #expect(name != nil && name != code, "\(code)")
      }
      let sorted = Countries.sorted(in: language)
      #expect(Set(sorted.map(\.code)) == Set(Countries.all))
    }
    #expect(Countries.name("IL", in: .hebrew) == "ישראל")
    #expect(Countries.name("BY", in: .russian) == "Беларусь")
    #expect(
      Countries.sorted(in: .english).map(\.name).prefix(2) == ["Afghanistan", "Åland Islands"])
  }

  @Test(arguments: ["", "il", "XX", "ILL", "🇮🇱", "../"])
  func `an unknown country code has no name`(code: String) {
    #expect(Countries.name(code, in: .english) == nil)
  }
}
