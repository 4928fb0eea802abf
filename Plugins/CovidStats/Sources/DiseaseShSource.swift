import Foundation
import PolyclinicCore

/// The responses of disease.sh: the Worldometer figures, which ended on 13 April 2024, and the
/// series of Johns Hopkins University, which ended on 10 March 2023.
struct DiseaseShSource: FigureSource {
  let name = "disease.sh"
  var publisher: Text { "source.disease-sh" }
  let home = "https://disease.sh"
  let addresses = [
    "https://disease.sh/v3/covid-19/countries?allowNull=true",
    "https://disease.sh/v3/covid-19/countries?allowNull=true&yesterday=true",
    "https://disease.sh/v3/covid-19/historical?lastdays=all",
  ]
  /// True, because the API sends a real 0 as null with `allowNull`, and null as 0 without it.
  let confusesZero = true
  let reportsRecovered = true

  /// Reads the files of the countries, of their figures of yesterday, and of the series. The last
  /// two are optional.
  func read(_ files: [String], until last: CalendarDate) throws -> Figures {
    guard let first = files.first else { throw SourceFault(.empty) }
    let possibleDays = Series.possibleDays(until: last)
    var all = Figures()
    var places: [String: Int] = [:]
    var updated: Double?
    try ArrayFile(path: first).read { (country: Country) in
      updated = [updated, country.updated].compactMap(\.self).max()
      // Two cruise ships have no code.
      guard let code = country.countryInfo.iso2, Figures.isCountry(code),
        !all.countries.contains(where: { $0.figures.country.isIdentical(to: code) })
      else {
        all.leftOut += 1
        return
      }
      places[try country.name] = all.countries.count
      all.countries.append((try country.figures(code), Series()))
    }
    guard !all.countries.isEmpty else { throw SourceFault(.empty) }
    if files.count > 1 {
      try ArrayFile(path: files[1]).read { (country: Country) in
        guard let place = places[country.country] else { return }
        all.countries[place].figures.previous = try country.report
      }
    }
    if files.count > 2 {
      for (place, series) in try Self.series(in: files[2], of: places, possibleDays) {
        all.countries[place].series = series
      }
    }
    all.received = try updated.map { try Self.moment($0, possibleDays) }
    return all
  }

  private static func moment(
    _ milliseconds: Double, _ possibleDays: ClosedRange<Int32>
  ) throws(SourceFault) -> Instant {
    guard let day = Int32(exactly: (milliseconds / 86_400_000).rounded(.down)),
      possibleDays.contains(day)
    else { throw SourceFault(.day) }
    return Instant(Int64(milliseconds / 1_000))
  }

  private struct Country: Decodable {
    struct Codes: Decodable {
      let iso2: String?
    }

    let country: String
    let countryInfo: Codes
    /// The time at which the figures were scraped, in milliseconds; not the day of the figures.
    let updated: Double?
    let cases: Double?
    let todayCases: Double?
    let deaths: Double?
    let todayDeaths: Double?
    let recovered: Double?
    let active: Double?
    let casesPerOneMillion: Double?
    let deathsPerOneMillion: Double?

    /// The name that identifies the country in the other responses. Throws ``SourceFault`` if it is
    /// too long.
    var name: String {
      get throws(SourceFault) {
        guard country.utf8.count <= 200 else { throw SourceFault(.shape) }
        return country
      }
    }

    /// The new counts of the response's day.
    var report: CountryFigures.Report {
      get throws(SourceFault) {
        .init(cases: try whole(todayCases), deaths: try whole(todayDeaths))
      }
    }

    func figures(_ code: String) throws(SourceFault) -> CountryFigures {
      var one = CountryFigures(code)
      one.latest = try report
      (one.cases, one.deaths) = (try whole(cases), try whole(deaths))
      one.recovered = try whole(recovered)
      // The API computes active cases with 0 for unreported recoveries, so they are valid only if
      // recoveries are reported.
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
}
