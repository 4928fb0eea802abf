import PolyclinicCore

/// The figures of one country, as a source reports them. A figure that it does not report is nil, never 0.
struct CountryFigures: Sendable, Equatable {
  /// ISO 3166-1 alpha-2, or `XK` for Kosovo.
  let country: String
  /// New counts of the latest reporting day, or of the week that ends with it.
  var latest = Report()
  /// Those of the reporting day before.
  var previous = Report()
  var rhythm = Series.Rhythm.daily
  /// The last report of a country that reports no longer; nil for one that does.
  var stopped: CalendarDate?
  var cases: Int?
  var recovered: Int?
  var active: Int?
  var deaths: Int?
  /// Of a million people.
  var casesPerMillion: Double?
  var deathsPerMillion: Double?

  /// New counts of one day or week.
  struct Report: Sendable, Equatable {
    /// The day; nil where the source does not say of which day its counts are.
    var day: CalendarDate?
    var cases: Int?
    var deaths: Int?
  }

  init(_ country: String) { self.country = country }

  /// Takes from a series the latest reports, their interval, and whether they have ended.
  /// `latest` is the last day of all countries.
  init(_ country: String, _ series: Series, latest day: Int32) {
    self.init(country)
    rhythm = series.rhythm
    stopped = series.end(latest: day)
    let reports = series.latestReports(of: rhythm, isOver: stopped != nil)
    latest = reports.latest.map(Report.init) ?? Report()
    previous = reports.previous.map(Report.init) ?? Report()
  }
}

extension CountryFigures.Report {
  init(_ counts: DayCounts) {
    day = counts.date
    cases = counts.cases.map(Int.init)
    deaths = counts.deaths.map(Int.init)
  }
}

/// The figures of one country in the list of all.
struct ListedCountry: Sendable {
  let country: String
  let newCases: Int?
  let cases: Int?
  let casesPerMillion: Double?
  let deaths: Int?
  let deathsPerMillion: Double?
}

/// All that a source has sent: of each country its figures and its series.
struct Figures: Sendable {
  var countries: [(figures: CountryFigures, series: Series)] = []
  /// The last day that the figures are of; nil where the source does not say.
  var day: CalendarDate?
  /// The moment at which the source itself got them, where it says this in place of the day.
  var received: Instant?
  /// The number of rows that were left out, because they are of no country: ships, regions, aggregates.
  var leftOut = 0

  /// True for a country of ISO 3166-1 and for Kosovo.
  static func isCountry(_ code: String) -> Bool {
    code.isIdentical(to: kosovo) || codes.contains(code)
  }

  /// A code that ISO 3166-1 leaves to its users, and that sources use for Kosovo.
  static let kosovo = "XK"
  private static let codes = Set(Countries.all)
}
