import PolyclinicCore

/// The compact file of Our World in Data: new and total cases and deaths with the population, by
/// ISO 3166-1 alpha-3 codes.
struct OWIDSource: FigureSource {
  let name = "owid"
  var publisher: Text { "source.owid" }
  let home = "https://ourworldindata.org/coronavirus"
  let addresses = [
    "https://catalog.ourworldindata.org/garden/covid/latest/compact/compact.csv"
  ]

  func read(_ files: [String], until last: CalendarDate) throws -> Figures {
    // Skips continents, income groups and the world, because their codes are not country codes.
    var table = try SeriesTable(
      files, until: last,
      .init(
        day: "date", country: "code", cases: "new_cases", allCases: "total_cases",
        deaths: "new_deaths", allDeaths: "total_deaths", population: "population")
    ) { Alpha3Codes.alpha2(of: $0).map { Array($0.utf8)[...] } }
    return try table.figures()
  }
}
