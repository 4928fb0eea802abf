import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import CovidStats

/// Figures of three countries in the format of the WHO.
let smallFile = """
  Date_reported,Country_code,Country,WHO_region,New_cases,Cumulative_cases,New_deaths,Cumulative_deaths
  2026-04-28,RU,Russia,EUR,1200,24000000,,400000
  2026-04-29,RU,Russia,EUR,1300,24001300,7,400007
  2026-04-28,BY,Belarus,EUR,5,1000,0,10
  2026-04-29,BY,Belarus,EUR,-3,997,0,10
  2026-04-29,XK,Kosovo,EUR,1,1,0,0
  """

/// Returns a portal with the figures of ``smallFile``, open to everyone if `isPublic`.
func portalWithFigures(isPublic: Bool = false, country: String = "RU") throws -> TestPortal {
  let portal = try TestPortal(
    CovidStatsModule(), settings: ["public": .boolean(isPublic), "country": .text(country)])
  let file = try TemporaryFile(smallFile)
  let told = try portal.run("covid-stats", ["refresh", "--from", file.path])
  #expect(told.text.contains("3 countries"))
  return portal
}
