import PolyclinicCore

/// Collects the rows of a table with one row for each country and day.
struct SeriesTable {
  /// The places of the columns in a record.
  struct Columns {
    var day: Int
    var cases: Int
    var allCases: Int
    var deaths: Int
    var allDeaths: Int
  }

  let columns: Columns
  /// Rows that are of no country.
  var leftOut = 0
  private var countries: [Country] = []
  private var places: [ArraySlice<UInt8>: Int] = [:]

  init(_ columns: Columns) { self.columns = columns }

  private struct Country {
    let code: String
    var series = Series()
    /// Sums since the beginning, with the day that each was reported on.
    var cases = Total()
    var deaths = Total()
    var population: Double?
  }

  private struct Total {
    var count: Int?
    var day = Int32.min

    mutating func take(_ newer: Int?, on day: Int32) {
      if let newer, day > self.day { (count, self.day) = (newer, day) }
    }
  }

  /// Where the rows of a country are collected; nil for a code of ISO 3166-1 alpha-2 that is no country's.
  mutating func place(of code: ArraySlice<UInt8>) -> Int? {
    if let place = places[code] { return place }
    guard code.count == 2 else { return nil }
    let text = String(decoding: code, as: UTF8.self)
    guard Figures.isCountry(text) else { return nil }
    countries.append(Country(code: text))
    places[Array(code)[...]] = countries.count - 1
    return countries.count - 1
  }

  /// Takes a row of the country at a place; throws ``SourceFault``.
  mutating func append(_ record: TableFile.Record, at place: Int) throws {
    let day = Int32(try record.day(columns.day).daysSince1970)
    countries[place].series.days.append(
      DayCounts(
        day: day, cases: try Self.small(record.count(columns.cases), in: record),
        deaths: try Self.small(record.count(columns.deaths), in: record)))
    countries[place].cases.take(try record.count(columns.allCases), on: day)
    countries[place].deaths.take(try record.count(columns.allDeaths), on: day)
  }

  mutating func setPopulation(_ population: Double?, at place: Int) {
    if let population, population > 0 { countries[place].population = population }
  }

  /// All that was collected; throws ``SourceFault`` where a country has two rows of one day.
  mutating func figures() throws -> Figures {
    for place in countries.indices { try countries[place].series.sort() }
    guard let latest = countries.compactMap(\.series.days.last?.day).max() else {
      throw SourceFault(.empty)
    }
    var all = Figures()
    all.day = CalendarDate(daysSince1970: Int(latest))
    all.leftOut = leftOut
    all.countries = countries.map { country in
      var one = CountryFigures(country.code, country.series, latest: latest)
      one.cases = country.cases.count
      one.deaths = country.deaths.count
      if let population = country.population {
        one.casesPerMillion = one.cases.map { Double($0) * 1e6 / population }
        one.deathsPerMillion = one.deaths.map { Double($0) * 1e6 / population }
      }
      return (one, country.series)
    }
    return all
  }

  private static func small(
    _ count: Int?, in record: TableFile.Record
  ) throws(SourceFault) -> Int32? {
    guard let count else { return nil }
    guard let small = Int32(exactly: count) else { throw SourceFault(.number, line: record.line) }
    return small
  }
}

extension Series {
  /// Puts the days in order; throws ``SourceFault`` for a day that is there twice.
  mutating func sort() throws(SourceFault) {
    if zip(days, days.dropFirst()).allSatisfy({ $0.day < $1.day }) { return }
    days.sort { $0.day < $1.day }
    guard zip(days, days.dropFirst()).allSatisfy({ $0.day < $1.day }) else {
      throw SourceFault(.repeatedDay)
    }
  }
}
