import PolyclinicCore

/// The World Health Organization's daily file: new and all cases and deaths, neither recovered nor
/// active, and no population.
struct WHOSource: FigureSource {
  let name = "who"
  var publisher: Text { "source.who" }
  let home = "https://data.who.int/dashboards/covid19"
  let addresses = [
    "https://srhdpeuwpubsa.blob.core.windows.net/whdh/COVID/WHO-COVID-19-global-daily-data.csv"
  ]

  private static let columns = [
    "Date_reported", "Country_code", "New_cases", "Cumulative_cases", "New_deaths",
    "Cumulative_deaths",
  ]

  func read(_ files: [String]) throws -> Figures {
    var table = SeriesTable(
      .init(day: 0, cases: 2, allCases: 3, deaths: 4, allDeaths: 5))
    for file in files {
      try TableFile(path: file).read(columns: Self.columns) { record in
        // Names have come in broken encodings: the code says which country it is.
        guard let place = table.place(of: record[1]) else {
          table.leftOut += 1
          return
        }
        try table.append(record, at: place)
      }
    }
    return try table.figures()
  }
}
