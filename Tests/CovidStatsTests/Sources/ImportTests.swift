import Foundation
import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import CovidStats

/// Answers of disease.sh, imported and compared with the figures that Foundation reads.
@Suite struct ImportTests {
  private static let small = """
    [
      {"updated":1587140875524,"country":"Afghanistan","countryInfo":{"_id":4,"iso2":"AF","iso3":"AFG",
       "lat":33,"long":65,"flag":"https://flags.example/af.png"},"cases":840,"todayCases":56,"deaths":30,
       "todayDeaths":5,"recovered":54,"active":756,"critical":0,"casesPerOneMillion":22,
       "deathsPerOneMillion":0.8,"tests":0,"testsPerOneMillion":0},
      {"updated":1587140875540,"country":"UK","countryInfo":{"_id":826,"iso2":"GB","iso3":"GBR"},
       "cases":103093,"todayCases":0,"deaths":13729,"todayDeaths":0,"recovered":0,"active":89364,
       "critical":1559,"casesPerOneMillion":1519,"deathsPerOneMillion":202,"tests":417649},
      {"updated":1587140875541,"country":"Namibia","countryInfo":{"_id":516,"iso2":"NA","iso3":"NAM"},
       "cases":16,"todayCases":null,"deaths":null,"todayDeaths":null,"recovered":null,"active":null,
       "casesPerOneMillion":6,"deathsPerOneMillion":null},
      {"updated":1587140875514,"country":"MS Zaandam","countryInfo":{"_id":null,"iso2":null,"iso3":null},
       "cases":9,"todayCases":0,"deaths":2,"todayDeaths":0,"recovered":0,"active":7,"critical":0}
    ]
    """

  @Test func `the figures of a small answer are stored as Foundation reads them`() throws {
    let file = try TemporaryFile(Self.small)
    #expect(try stored(file.path) == expected(file.path))
    #expect(try stored(file.path).count == 3)
  }

  /// A directory with real answers of disease.sh, which are not part of this repository.
  private static let directory = ProcessInfo.processInfo.environment["COVID_FIGURES"]

  @Test(.enabled(if: directory != nil, "COVID_FIGURES names no directory of disease.sh's answers"))
  func `the figures of a real answer are stored as Foundation reads them`() throws {
    let path = try #require(Self.directory) + "/disease.sh-v3-countries.json"
    let figures = try stored(path)
    #expect(figures == (try expected(path)))
    // 212 rows, two of them cruise ships.
    #expect(figures.count == 210)
  }

  @Test(.enabled(if: directory != nil, "COVID_FIGURES names no directory of disease.sh's answers"))
  func `the series of a real answer are the differences of its cumulative counts`() throws {
    let directory = try #require(Self.directory)
    let countries = directory + "/disease.sh-v3-countries.json"
    let historical = directory + "/disease.sh-v3-historical.json"
    let all = try DiseaseShSource().read([countries, countries, historical], until: .today)
    let expected = try newCases(historical)
    var compared = 0
    for row in try rows(countries) {
      guard let code = (row["countryInfo"] as? [String: Any])?["iso2"] as? String,
        let name = row["country"] as? String
      else { continue }
      let series = all.countries.first { $0.figures.country == code }?.series
      #expect(series?.days.map(\.cases) ?? [] == expected[name] ?? [], "\(name)")
      compared += expected[name] == nil ? 0 : 1
    }
    #expect(compared > 150)
  }

  private func rows(_ path: String) throws -> [[String: Any]] {
    let data = try Data(contentsOf: URL(filePath: path))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
  }

  /// Returns the figures in the database after `refresh --from`, by country code.
  private func stored(_ path: String) throws -> [String: [String: Double?]] {
    let portal = try TestPortal(CovidStatsModule())
    let told = try portal.run("covid-stats", ["refresh", "--from", path])
    try #require(told.status == 0, "\(told.text)")
    let all = try portal.read { try CountryFigures.all(in: $0) }
    return Dictionary(
      uniqueKeysWithValues: all.map { one in
        (
          one.country,
          [
            "cases": one.cases.map(Double.init), "todayCases": one.latest.cases.map(Double.init),
            "deaths": one.deaths.map(Double.init),
            "todayDeaths": one.latest.deaths.map(Double.init),
            "recovered": one.recovered.map(Double.init), "active": one.active.map(Double.init),
            "casesPerOneMillion": one.casesPerMillion, "deathsPerOneMillion": one.deathsPerMillion,
          ]
        )
      })
  }

  /// Returns the same figures, read from the file: without ships, which have no code, and without
  /// `active` if no recovered cases are reported.
  private func expected(_ path: String) throws -> [String: [String: Double?]] {
    var all: [String: [String: Double?]] = [:]
    for row in try rows(path) {
      guard let code = (row["countryInfo"] as? [String: Any])?["iso2"] as? String else { continue }
      var figures: [String: Double?] = [:]
      for name in [
        "cases", "todayCases", "deaths", "todayDeaths", "recovered", "active", "casesPerOneMillion",
        "deathsPerOneMillion",
      ] {
        figures[name] = .some((row[name] as? NSNumber)?.doubleValue)
      }
      if ((row["recovered"] as? NSNumber)?.intValue ?? 0) == 0 { figures["active"] = .some(nil) }
      all[code] = figures
    }
    return all
  }

  /// Returns the new cases of the second day by country: of the national row, else of all rows.
  private func newCases(_ path: String) throws -> [String: [Int32?]] {
    var sums: [String: (whole: [Int]?, parts: [Int])] = [:]
    for row in try rows(path) {
      let cases = try #require((row["timeline"] as? [String: Any])?["cases"] as? [String: NSNumber])
      let days = [try #require(cases["4/18/20"]).intValue, try #require(cases["4/19/20"]).intValue]
      let name = try #require(row["country"] as? String)
      var sum = sums[name] ?? (nil, [0, 0])
      if row["province"] is NSNull {
        sum.whole = days
      } else {
        sum.parts = [sum.parts[0] + days[0], sum.parts[1] + days[1]]
      }
      sums[name] = sum
    }
    return sums.mapValues { sum in
      let days = sum.whole ?? sum.parts
      return [Int32(days[1] - days[0])]
    }
  }
}
