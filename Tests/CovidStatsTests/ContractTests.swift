import CovidStats
import PolyclinicTesting
import Testing

/// The promises of every module, of this one.
@Suite struct ContractTests {
  @Test func `the module keeps its promises`() throws {
    let file = try TemporaryFile(smallFile)
    let contract = ModuleContract(CovidStatsModule(), settings: ["source": .text(file.path)]) {
      anna in
      _ = anna.press(
        "/covid-stats/country", on: "/covid-stats/countries", ["country": "BY"], evenIfAbsent: true)
    }
    let broken = try contract.broken()
    #expect(broken == [])
  }
}
