import PolyclinicCore

/// The stored figures: one row for each country, with its packed series in a second table.
extension Figures {
  static let schema: [SQL] = [
    """
    CREATE TABLE covid_stats_countries (
      country TEXT NOT NULL PRIMARY KEY,
      day TEXT, new_cases \(.integer), new_deaths \(.integer),
      previous_day TEXT, previous_cases \(.integer), previous_deaths \(.integer),
      is_weekly \(.integer) NOT NULL, stopped_on TEXT,
      cases \(.integer), recovered \(.integer), active \(.integer), deaths \(.integer),
      cases_per_million \(.real), deaths_per_million \(.real)
    ) \(.strict)
    """,
    // A separate table, so that the list of countries does not read the series.
    """
    CREATE TABLE covid_stats_series (
      country TEXT NOT NULL PRIMARY KEY REFERENCES covid_stats_countries (country)
        ON DELETE CASCADE,
      days \(.bytes) NOT NULL
    ) \(.strict)
    """,
  ]

  /// Stores them in place of the earlier ones. Throws ``SourceFault`` if they have fewer than three
  /// quarters as many countries.
  func store(in work: Work) throws {
    let stored = try work.integer("SELECT count(*) FROM covid_stats_countries") ?? 0
    guard !countries.isEmpty, countries.count * 4 >= stored * 3 else {
      throw SourceFault(.fewCountries(countries.count))
    }
    try work.run("DELETE FROM covid_stats_countries")
    for (one, series) in countries {
      try work.run(CountryFigures.table.insertion(of: one))
      if series.days.isEmpty { continue }
      try work.run(
        """
        INSERT INTO covid_stats_series (country, days) VALUES (\(one.country), \(series.packed))
        """)
    }
  }
}

extension CountryFigures {
  /// Returns the figures of a country; nil if none are stored.
  static func find(_ country: String, in work: Work) throws -> CountryFigures? {
    try work.row(
      "SELECT \(table.columns) FROM covid_stats_countries WHERE country = \(country)",
      table.record)
  }

  /// Returns the figures of all countries, ordered by code.
  static func all(in work: Work) throws -> [CountryFigures] {
    try work.rows(
      "SELECT \(table.columns) FROM covid_stats_countries ORDER BY country",
      table.record)
  }

  static let table = SQL.Table<CountryFigures>(
    "covid_stats_countries", of: CountryFigures(""),
    .init("country", \.country), .init("day", \.latest.day), .init("new_cases", \.latest.cases),
    .init("new_deaths", \.latest.deaths), .init("previous_day", \.previous.day),
    .init("previous_cases", \.previous.cases), .init("previous_deaths", \.previous.deaths),
    .init("is_weekly", \.isWeekly), .init("stopped_on", \.stopped), .init("cases", \.cases),
    .init("recovered", \.recovered), .init("active", \.active), .init("deaths", \.deaths),
    .init("cases_per_million", \.casesPerMillion),
    .init("deaths_per_million", \.deathsPerMillion))

  private var isWeekly: Bool {
    get { rhythm == .weekly }
    set { rhythm = newValue ? .weekly : .daily }
  }
}

extension ListedCountry {
  /// Reads the figures for the list of countries, unordered, so that SQLite can scan the table.
  static func all(in work: Work) throws -> [ListedCountry] {
    try work.rows(
      """
      SELECT country, new_cases, cases, cases_per_million, deaths, deaths_per_million
      FROM covid_stats_countries
      """
    ) { row in
      ListedCountry(
        country: row.string(0), newCases: row.optional(1, Row.int),
        cases: row.optional(2, Row.int), casesPerMillion: row.optional(3, Row.real),
        deaths: row.optional(4, Row.int), deathsPerMillion: row.optional(5, Row.real))
    }
  }
}

extension Series {
  /// Returns the series of a country; empty if none is stored.
  static func find(_ country: String, in work: Work) throws -> Series {
    try work.row("SELECT days FROM covid_stats_series WHERE country = \(country)") {
      try Series(packed: $0.bytes(0))
    } ?? Series()
  }
}
