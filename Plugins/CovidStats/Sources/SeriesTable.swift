import PolyclinicCore

/// The indices of the columns in a record.
extension Int {
  fileprivate static let (day, country, cases, allCases, deaths, allDeaths) = (0, 1, 2, 3, 4, 5)
  fileprivate static let population = 6
}

/// Reads tables that have one row for each country and day.
struct SeriesTable {
  /// The names of the columns in a source.
  struct Columns {
    let day: String
    let country: String
    let cases: String
    let allCases: String
    let deaths: String
    let allDeaths: String
    /// The population column; nil if the source has none.
    var population: String?

    /// The names in the order of their indices.
    fileprivate var names: [String] {
      [day, country, cases, allCases, deaths, allDeaths] + (population.map { [$0] } ?? [])
    }
  }

  private let hasPopulation: Bool
  private let possibleDays: ClosedRange<Int32>
  /// The number of rows without a country.
  private var leftOut = 0
  private var countries: [Country] = []
  private var places: [ArraySlice<UInt8>: Int] = [:]

  /// Reads all files. `code` returns the alpha-2 code (ISO 3166-1) for a value of the country
  /// column, or nil if it is not a country. Throws ``SourceFault``.
  init(
    _ files: [String], until last: CalendarDate, _ columns: Columns,
    code: (ArraySlice<UInt8>) -> ArraySlice<UInt8>? = { $0 }
  ) throws {
    hasPopulation = columns.population != nil
    possibleDays = Series.possibleDays(until: last)
    for file in files {
      try TableFile(path: file).read(columns: columns.names) { record in
        if let code = code(record[.country]), let place = place(of: code) {
          try append(record, at: place)
        } else {
          leftOut += 1
        }
      }
    }
  }

  private struct Country {
    let code: String
    var series = Series()
    /// The totals since the beginning, with the day of their report.
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

  /// Returns the index of a country, and adds it if it is new. Returns nil if the code is not that
  /// of a country.
  private mutating func place(of code: ArraySlice<UInt8>) -> Int? {
    if let place = places[code] { return place }
    guard code.count == 2 else { return nil }
    let text = String(decoding: code, as: UTF8.self)
    guard Figures.isCountry(text) else { return nil }
    countries.append(Country(code: text))
    places[Array(code)[...]] = countries.count - 1
    return countries.count - 1
  }

  /// Adds a row to the country at this index. Throws ``SourceFault``.
  private mutating func append(_ record: TableFile.Record, at place: Int) throws {
    let day = Int32(try record.day(.day).daysSince1970)
    guard possibleDays.contains(day) else { throw SourceFault(.day, line: record.line) }
    // More records than days contain a duplicate day. Rejects them here, so that they cannot fill
    // the memory.
    guard countries[place].series.days.count < possibleDays.count else {
      throw SourceFault(.repeatedDay)
    }
    countries[place].series.days.append(
      DayCounts(
        day: day, cases: try Self.small(record.count(.cases), in: record),
        deaths: try Self.small(record.count(.deaths), in: record)))
    countries[place].cases.take(try record.count(.allCases), on: day)
    countries[place].deaths.take(try record.count(.allDeaths), on: day)
    if hasPopulation, let population = try record.number(.population), population >= 1 {
      countries[place].population = population
    }
  }

  /// Returns the collected figures. Throws ``SourceFault`` if a country has two rows of one day.
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
  /// Sorts the days. Throws ``SourceFault`` if a day occurs twice.
  mutating func sort() throws(SourceFault) {
    if zip(days, days.dropFirst()).allSatisfy({ $0.day < $1.day }) { return }
    days.sort { $0.day < $1.day }
    guard zip(days, days.dropFirst()).allSatisfy({ $0.day < $1.day }) else {
      throw SourceFault(.repeatedDay)
    }
  }
}
