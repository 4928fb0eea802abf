import PolyclinicCore

/// Our World in Data's compact file: new and all cases and deaths with the population, by the alpha-3
/// codes of ISO 3166-1.
struct OWIDSource: FigureSource {
  let name = "owid"
  var publisher: Text { "source.owid" }
  let home = "https://ourworldindata.org/coronavirus"
  let addresses = [
    "https://catalog.ourworldindata.org/garden/covid/latest/compact/compact.csv"
  ]

  private static let columns = [
    "date", "code", "new_cases", "total_cases", "new_deaths", "total_deaths", "population",
  ]

  func read(_ files: [String]) throws -> Figures {
    var table = SeriesTable(
      .init(day: 0, cases: 2, allCases: 3, deaths: 4, allDeaths: 5))
    for file in files {
      try TableFile(path: file).read(columns: Self.columns) { record in
        // Continents, income groups and the world have codes of their own, which are no country's.
        guard let code = Alpha3Codes.alpha2(of: record[1]),
          let place = table.place(of: Array(code.utf8)[...])
        else {
          table.leftOut += 1
          return
        }
        try table.append(record, at: place)
        table.setPopulation(try record.number(6), at: place)
      }
    }
    return try table.figures()
  }
}
