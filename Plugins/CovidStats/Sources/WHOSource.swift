import PolyclinicCore

/// The daily file of the World Health Organization: new and total cases and deaths. It has no
/// recovered or active cases and no population.
struct WHOSource: FigureSource {
  let name = "who"
  var publisher: Text { "source.who" }
  let home = "https://data.who.int/dashboards/covid19"
  let addresses = [
    "https://srhdpeuwpubsa.blob.core.windows.net/whdh/COVID/WHO-COVID-19-global-daily-data.csv"
  ]

  func read(_ files: [String], until last: CalendarDate) throws -> Figures {
    // Identifies countries by code, because the file's names have had broken encodings.
    var table = try SeriesTable(
      files, until: last,
      .init(
        day: "Date_reported", country: "Country_code", cases: "New_cases",
        allCases: "Cumulative_cases", deaths: "New_deaths", allDeaths: "Cumulative_deaths"))
    return try table.figures()
  }
}
