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

  func read(_ files: [String], until last: CalendarDate) throws -> Figures {
    // Names have come in broken encodings: the code says which country it is.
    var table = try SeriesTable(
      files, until: last,
      .init(
        day: "Date_reported", country: "Country_code", cases: "New_cases",
        allCases: "Cumulative_cases", deaths: "New_deaths", allDeaths: "Cumulative_deaths"))
    return try table.figures()
  }
}
