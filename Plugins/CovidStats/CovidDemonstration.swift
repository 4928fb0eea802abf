import Foundation
import PolyclinicCore
import PolyclinicPlaces

extension CovidStatsModule {
  /// Invented figures of real countries. Every page and card that shows them marks them as
  /// fictional.
  public var demonstration: Demonstration? {
    Demonstration { town, portal, work in
      let today = LocalDateTime(portal.now, in: portal.clinic.zone).date
      var figures = Figures()
      for country in Countries.all {
        figures.countries.append(InventedCountry(country).figures(until: today, &town.dice))
      }
      try figures.store(in: work)
      var state = RefreshState()
      state.revision = .random(in: 1 ... .max)
      state.isFictional = true
      state.day = today
      state.fetched = portal.now
      try state.save(in: work)
    }
  }
}

/// A country with invented waves of infection.
private struct InventedCountry {
  let code: String

  init(_ code: String) { self.code = code }

  /// The population of the countries that patients most likely look at, in 2023 (United Nations,
  /// World Population Prospects 2022). They have two years of reports, the others 90 days.
  private static let known = [
    "RU": 144_400_000, "BY": 9_500_000, "IL": 9_200_000, "DE": 83_300_000, "FR": 64_800_000,
    "GB": 67_700_000, "PL": 41_000_000, "UA": 36_700_000, "US": 340_000_000,
  ]
  private var days: Int { Self.known[code] == nil ? 90 : 730 }

  func figures(
    until today: CalendarDate, _ dice: inout Demonstration.Dice
  ) -> (figures: CountryFigures, series: Series) {
    let invented = Int.random(in: 200_000...20_000_000, using: &dice)
    let population = Self.known[code] ?? invented
    let series = series(of: population, until: today, &dice)
    let last = Int32(today.daysSince1970)
    var one = CountryFigures(code, series, latest: last)
    let cases = Int.random(in: population / 20...population / 7, using: &dice)
    one.cases = cases
    one.deaths = cases / 90
    // As with real sources, some countries do not report these figures.
    if Int.random(in: 0..<3, using: &dice) > 0 {
      one.active = cases / 200
      one.recovered = cases - cases / 90 - cases / 200
    }
    one.casesPerMillion = Double(cases) * 1e6 / Double(population)
    one.deathsPerMillion = Double(cases / 90) * 1e6 / Double(population)
    return (one, series)
  }

  /// Returns a series with fewer reports on Sundays and one negative correction.
  private func series(
    of population: Int, until today: CalendarDate, _ dice: inout Demonstration.Dice
  ) -> Series {
    let height = Double(population) / 50_000
    let begin = Double.random(in: 0..<6, using: &dice)
    let corrected = Int.random(in: 10..<60, using: &dice)
    var series = Series()
    for age in (0..<days).reversed() {
      let day = today.adding(days: -age)
      let wave = 1.2 + sin(begin + Double(days - age) / 24)
      // 1970-01-04 was a Sunday.
      let weekday = day.daysSince1970 % 7 == 3 ? 0.4 : 1.0
      let chance = Double.random(in: 0.8...1.2, using: &dice)
      var cases = Int32(height * wave * weekday * chance)
      if age == corrected { cases = -cases / 2 }
      series.days.append(
        DayCounts(day: Int32(day.daysSince1970), cases: cases, deaths: max(0, cases / 80)))
    }
    return series
  }
}
