import Foundation
import PolyclinicCore

/// The answers of disease.sh: what Worldometer said of countries until 13 April 2024, and the series of
/// Johns Hopkins University, which ended on 10 March 2023.
struct DiseaseShSource: FigureSource {
  let name = "disease.sh"
  var publisher: Text { "source.disease-sh" }
  let home = "https://disease.sh"
  let addresses = [
    "https://disease.sh/v3/covid-19/countries?allowNull=true",
    "https://disease.sh/v3/covid-19/countries?allowNull=true&yesterday=true",
    "https://disease.sh/v3/covid-19/historical?lastdays=all",
  ]
  /// With `allowNull` a true 0 is sent as null, and without it null as 0.
  let confusesZero = true

  /// Bytes; half as much again as its largest answer has. Reading takes many times as much memory.
  private static let byteLimit = 24 << 20

  /// Reads the countries, those of yesterday, and the series, the last two where they are given.
  func read(_ files: [String], until last: CalendarDate) throws -> Figures {
    guard let first = files.first else { throw SourceFault(.empty) }
    let countries: [Country] = try Self.decoded(first)
    let possibleDays = Series.possibleDays(until: last)
    let earlier: [Country] = try files.count > 1 ? Self.decoded(files[1]) : []
    let series: [String: Series] =
      try files.count > 2
      ? Self.series(Self.decoded(files[2]), of: countries, possibleDays) : [:]
    let yesterday = Dictionary(
      earlier.map { ($0.country, $0) }, uniquingKeysWith: { one, _ in one })
    var all = Figures()
    var seen: Set<String> = []
    for country in countries {
      // Two cruise ships have no code.
      guard let code = country.countryInfo.iso2, Figures.isCountry(code),
        seen.insert(code).inserted
      else {
        all.leftOut += 1
        continue
      }
      let figures = try country.figures(code, yesterday: yesterday[country.country])
      all.countries.append((figures, series[code] ?? Series()))
    }
    guard !all.countries.isEmpty else { throw SourceFault(.empty) }
    all.received = try countries.compactMap(\.updated).max().map { milliseconds in
      guard let day = Int32(exactly: (milliseconds / 86_400_000).rounded(.down)),
        possibleDays.contains(day)
      else { throw SourceFault(.day) }
      return Instant(Int64(milliseconds / 1_000))
    }
    return all
  }

  private static func decoded<Value: Decodable>(_ path: String) throws -> [Value] {
    let data = try FigureFile(path: path).open(limit: byteLimit).readToEnd() ?? Data()
    if data.isEmpty { throw SourceFault(.empty) }
    do { return try JSONDecoder().decode([Value].self, from: data) } catch is DecodingError {
      // The error would quote what was sent.
      throw SourceFault(.shape)
    }
  }

  private struct Country: Decodable {
    struct Codes: Decodable {
      let iso2: String?
    }

    let country: String
    let countryInfo: Codes
    /// When it was scraped, in milliseconds; not the day that the figures are of.
    let updated: Double?
    let cases: Double?
    let todayCases: Double?
    let deaths: Double?
    let todayDeaths: Double?
    let recovered: Double?
    let active: Double?
    let casesPerOneMillion: Double?
    let deathsPerOneMillion: Double?

    func figures(_ code: String, yesterday: Country?) throws(SourceFault) -> CountryFigures {
      var one = CountryFigures(code)
      one.latest = .init(cases: try whole(todayCases), deaths: try whole(todayDeaths))
      one.previous = .init(
        cases: try whole(yesterday?.todayCases), deaths: try whole(yesterday?.todayDeaths))
      (one.cases, one.deaths) = (try whole(cases), try whole(deaths))
      one.recovered = try whole(recovered)
      // It is computed, with 0 in place of those recovered where they are not reported.
      one.active = (one.recovered ?? 0) > 0 ? try whole(active) : nil
      one.casesPerMillion = try possible(casesPerOneMillion)
      one.deathsPerMillion = try possible(deathsPerOneMillion)
      return one
    }

    private func whole(_ number: Double?) throws(SourceFault) -> Int? {
      try possible(number).map { Int($0.rounded()) }
    }

    private func possible(_ number: Double?) throws(SourceFault) -> Double? {
      if let number, abs(number) >= 1e12 { throw SourceFault(.number) }
      return number
    }
  }

  private struct Timeline: Decodable {
    struct Counts: Decodable {
      let cases: [String: Double?]
      let deaths: [String: Double?]
    }

    let country: String
    let province: String?
    let timeline: Counts
  }

  /// The series by code. A row without a province is the whole country's, overseas parts apart; where a
  /// country has provinces alone, they are summed.
  private static func series(
    _ rows: [Timeline], of countries: [Country], _ possibleDays: ClosedRange<Int32>
  ) throws -> [String: Series] {
    let codes = Dictionary(
      countries.map { ($0.country, $0.countryInfo.iso2) }, uniquingKeysWith: { one, _ in one })
    var sums: [String: DailySums] = [:]
    let whole = Set(rows.filter { $0.province == nil }.map(\.country))
    for row in rows where row.province == nil || !whole.contains(row.country) {
      guard let code = codes[row.country] ?? nil, Figures.isCountry(code) else { continue }
      try sums[code, default: DailySums(possibleDays: possibleDays)].add(
        row.timeline.cases, row.timeline.deaths)
    }
    return sums.mapValues(\.series)
  }

  /// Sums since the beginning, by day.
  private struct DailySums {
    let possibleDays: ClosedRange<Int32>
    private var cases: [Int32: Double] = [:]
    private var deaths: [Int32: Double] = [:]

    init(possibleDays: ClosedRange<Int32>) { self.possibleDays = possibleDays }

    mutating func add(
      _ cases: [String: Double?], _ deaths: [String: Double?]
    ) throws(SourceFault) {
      for (day, count) in cases { self.cases[try self.day(day), default: 0] += count ?? 0 }
      for (day, count) in deaths { self.deaths[try self.day(day), default: 0] += count ?? 0 }
    }

    /// New counts: each day's sum without that of the day before. A sum that drops to 0 is reported no
    /// longer; the first day has none before it.
    var series: Series {
      var days: [DayCounts] = []
      var (lastCases, lastDeaths): (Double?, Double?)
      for day in Set(cases.keys).union(deaths.keys).sorted() {
        var counts = DayCounts(day: day)
        counts.cases = Self.step(&lastCases, to: cases[day])
        counts.deaths = Self.step(&lastDeaths, to: deaths[day])
        if counts.cases != nil || counts.deaths != nil { days.append(counts) }
      }
      return Series(days: days)
    }

    private static func step(_ last: inout Double?, to sum: Double?) -> Int32? {
      guard let sum, sum > 0 || (last ?? 0) == 0 else { return nil }
      defer { last = sum }
      return last.flatMap { Int32(exactly: (sum - $0).rounded()) }
    }

    /// A day written as `M/D/YY`.
    private func day(_ text: String) throws(SourceFault) -> Int32 {
      let parts = text.utf8.count <= 8 ? text.split(separator: "/").compactMap { Int($0) } : []
      guard parts.count == 3,
        let date = CalendarDate(year: 2000 + parts[2], month: parts[0], day: parts[1])
      else { throw SourceFault(.date) }
      let day = Int32(date.daysSince1970)
      guard possibleDays.contains(day) else { throw SourceFault(.day) }
      return day
    }
  }
}
