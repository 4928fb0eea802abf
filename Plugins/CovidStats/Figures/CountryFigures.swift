import PolyclinicCore
import PolyclinicPlaces

/// The figures of one country as its source reports them. A figure that the source does not report
/// is nil, never 0.
struct CountryFigures: Sendable, Equatable {
  /// ISO 3166-1 alpha-2, or `XK` for Kosovo.
  var country: String
  /// The new counts of the latest reporting day, or of the week that ends with it.
  var latest = Report()
  /// The new counts of the reporting day before.
  var previous = Report()
  var rhythm = Series.Rhythm.daily
  /// The last report of a country that has stopped reporting; nil for any other.
  var stopped: CalendarDate?
  var cases: Int?
  var recovered: Int?
  var active: Int?
  var deaths: Int?
  /// Cases per million people.
  var casesPerMillion: Double?
  var deathsPerMillion: Double?

  /// The new counts of one day or week.
  struct Report: Sendable, Equatable {
    /// The day; nil if the source does not name the day of its counts.
    var day: CalendarDate?
    var cases: Int?
    var deaths: Int?
  }

  init(_ country: String) { self.country = country }

  /// Derives from a series the latest reports, their interval, and the day on which they ended.
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

/// The figures of one country in the list of countries.
struct ListedCountry: Sendable {
  let country: String
  let newCases: Int?
  let cases: Int?
  let casesPerMillion: Double?
  let deaths: Int?
  let deathsPerMillion: Double?
}

/// The data of one refresh: the figures and the series of each country.
struct Figures: Sendable {
  var countries: [(figures: CountryFigures, series: Series)] = []
  /// The last day of the figures; nil if the source does not name it.
  var day: CalendarDate?
  /// The time at which the source received the figures, if it gives this instead of the day.
  var received: Instant?
  /// The number of rows without a country that were skipped: ships, regions, aggregates.
  var leftOut = 0

  /// True for a country of ISO 3166-1 and for Kosovo.
  static func isCountry(_ code: String) -> Bool {
    code.isIdentical(to: kosovo) || codes.contains(code)
  }

  /// The code for Kosovo: a user-assigned code of ISO 3166-1 that sources use for it.
  static let kosovo = "XK"
  private static let codes = Set(Countries.all)
}
