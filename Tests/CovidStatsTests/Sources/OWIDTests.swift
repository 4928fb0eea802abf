import Foundation
import PolyclinicCore
import Testing

@testable import CovidStats

/// Files in the format of Our World in Data.
@Suite struct OWIDTests {
  private static let head =
    "country,date,total_cases,new_cases,new_cases_smoothed,new_cases_per_million,total_deaths,new_deaths,"
    + "icu_patients,code,continent,population\n"

  private func read(_ rows: String, head: String = head) throws -> Figures {
    let file = try TemporaryFile(head + rows)
    return try OWIDSource().read([file.path], until: .today)
  }

  @Test func `figures are read by column name, with rates per million`() throws {
    let all = try read(
      """
      Belarus,2023-03-01,994037.0,1.0,0.5,,7118.0,0.0,,BLR,Europe,9534956.0
      Belarus,2023-03-02,994040.0,3.0,0.5,,7118.0,,,BLR,Europe,9534956.0

      """)
    let one = try #require(all.countries.first).figures
    #expect(one.country == "BY" && one.cases == 994_040 && one.deaths == 7_118)
    #expect(one.latest == .init(day: CalendarDate("2023-03-02"), cases: 3, deaths: nil))
    #expect(one.casesPerMillion == 994_040 * 1e6 / 9_534_956)
    #expect(one.recovered == nil && one.active == nil)
  }

  @Test func `columns in another order give the same figures`() throws {
    let all = try read(
      "9534956,BLR,7,1,3,994040,2023-03-02\n",
      head: "population,code,total_deaths,new_deaths,new_cases,total_cases,date\n")
    #expect(all.countries.first?.figures.cases == 994_040)
    #expect(all.countries.first?.figures.deaths == 7)
  }

  @Test func `Kosovo has a code of its own, and aggregates are left out`() throws {
    let all = try read(
      """
      Kosovo,2023-03-01,1,1,,,0,0,,OWID_KOS,Europe,1800000
      World,2023-03-01,9,9,,,9,9,,OWID_WRL,,7975105156
      "High-income countries, all",2023-03-01,9,9,,,9,9,,,,1250514600
      "Bonaire, Sint Eustatius and Saba",2023-03-01,2,2,,,0,0,,BES,North America,27052

      """)
    #expect(all.countries.map(\.figures.country) == ["XK", "BQ"])
    #expect(all.leftOut == 2)
  }

  @Test func `an invalid population gives no rate`() throws {
    for population in ["", "0", "-5", "0.000000001"] {
      let all = try read("X,2023-03-01,9,9,,,9,9,,BLR,Europe,\(population)\n")
      #expect(all.countries.first?.figures.casesPerMillion == nil, "\(population)")
    }
  }
}
