import PolyclinicCore

/// The stored figures: one row for each country, with its packed series in a second table.
enum FigureTables {
  static let schema: [SQL] = [
    """
    CREATE TABLE covid_stats_countries (
      country TEXT NOT NULL PRIMARY KEY,
      day \(.integer), new_cases \(.integer), new_deaths \(.integer),
      previous_day \(.integer), previous_cases \(.integer), previous_deaths \(.integer),
      is_weekly \(.integer) NOT NULL, stopped_on \(.integer),
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

  /// Replaces the stored figures. Throws ``SourceFault`` if the new ones have fewer than three
  /// quarters as many countries.
  static func replace(with figures: Figures, in work: Work) throws {
    let stored = try work.integer("SELECT count(*) FROM covid_stats_countries") ?? 0
    guard !figures.countries.isEmpty, figures.countries.count * 4 >= stored * 3 else {
      throw SourceFault(.fewCountries(figures.countries.count))
    }
    try work.run("DELETE FROM covid_stats_countries")
    for (country, series) in figures.countries { try insert(country, series, in: work) }
  }

  private static func insert(
    _ one: CountryFigures, _ series: Series, in work: Work
  ) throws {
    try work.run(
      """
      INSERT INTO covid_stats_countries (
        country, day, new_cases, new_deaths, previous_day, previous_cases, previous_deaths,
        is_weekly, stopped_on, cases, recovered, active, deaths, cases_per_million,
        deaths_per_million)
      VALUES (
        \(one.country), \(number(one.latest.day)), \(one.latest.cases), \(one.latest.deaths),
        \(number(one.previous.day)), \(one.previous.cases), \(one.previous.deaths),
        \(one.rhythm == .weekly), \(number(one.stopped)), \(one.cases), \(one.recovered),
        \(one.active), \(one.deaths), \(one.casesPerMillion), \(one.deathsPerMillion))
      """)
    if series.days.isEmpty { return }
    try work.run(
      """
      INSERT INTO covid_stats_series (country, days) VALUES (\(one.country), \(series.packed))
      """)
  }

  /// Returns the figures of a country; nil if none are stored.
  static func find(_ country: String, in work: Work) throws -> CountryFigures? {
    try work.row(
      "SELECT \(columns) FROM covid_stats_countries WHERE country = \(country)", read)
  }

  /// Returns the figures of all countries, ordered by code.
  static func all(in work: Work) throws -> [CountryFigures] {
    try work.rows("SELECT \(columns) FROM covid_stats_countries ORDER BY country", read)
  }

  /// Reads the figures for the list of countries, unordered, so that SQLite can scan the table.
  static func listed(in work: Work) throws -> [ListedCountry] {
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

  /// Returns the series of a country; empty if none is stored.
  static func series(of country: String, in work: Work) throws -> Series {
    try work.row("SELECT days FROM covid_stats_series WHERE country = \(country)") {
      try Series(packed: $0.bytes(0))
    } ?? Series()
  }

  private static let columns: SQL = """
    country, day, new_cases, new_deaths, previous_day, previous_cases, previous_deaths, is_weekly,
    stopped_on, cases, recovered, active, deaths, cases_per_million, deaths_per_million
    """

  @Sendable
  private static func read(_ row: Row) -> CountryFigures {
    var one = CountryFigures(row.string(0))
    one.latest = CountryFigures.Report(
      day: day(row, 1), cases: row.optional(2, Row.int), deaths: row.optional(3, Row.int))
    one.previous = CountryFigures.Report(
      day: day(row, 4), cases: row.optional(5, Row.int), deaths: row.optional(6, Row.int))
    one.rhythm = row.int(7) == 1 ? .weekly : .daily
    one.stopped = day(row, 8)
    one.cases = row.optional(9, Row.int)
    one.recovered = row.optional(10, Row.int)
    one.active = row.optional(11, Row.int)
    one.deaths = row.optional(12, Row.int)
    one.casesPerMillion = row.optional(13, Row.real)
    one.deathsPerMillion = row.optional(14, Row.real)
    return one
  }

  private static func day(_ row: Row, _ column: Int) -> CalendarDate? {
    row.optional(column, Row.int).map { CalendarDate(daysSince1970: $0) }
  }

  private static func number(_ day: CalendarDate?) -> Int? { day?.daysSince1970 }
}
