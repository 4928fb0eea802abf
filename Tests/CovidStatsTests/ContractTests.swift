import CovidStats
import PolyclinicTesting
import Testing

/// The contract of every module, checked for this one.
@Suite struct ContractTests {
  @Test func `the module fulfils the module contract`() throws {
    let file = try TemporaryFile(smallFile)
    let contract = ModuleContract(CovidStatsModule(), settings: ["source": .text(file.path)]) {
      anna in
      _ = anna.press(
        "/covid-stats/country", on: "/covid-stats/countries", ["country": "BY"], evenIfAbsent: true)
    }
    let broken = contract.broken()
    #expect(broken == [])
  }
}
