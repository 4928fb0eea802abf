import Foundation
import PolyclinicCore

/// The series of disease.sh, one row for each country or for each of its provinces.
enum DiseaseShSeries {
  /// Returns the series by the places of the countries' names. Throws ``SourceFault``.
  ///
  /// A row without a province is the whole country's, overseas parts apart; where a country has provinces
  /// alone, they are summed.
  static func read(
    _ file: String, of places: [String: Int], _ possibleDays: ClosedRange<Int32>
  ) throws -> [Int: Series] {
    var wholes: [Int: DailySums] = [:]
    var provinces: [Int: DailySums] = [:]
    try ArrayFile(path: file).read { (row: Row) in
      guard let place = places[row.country] else { return }
      if row.province == nil {
        try wholes[place, default: DailySums(possibleDays)].add(row.timeline)
      } else {
        try provinces[place, default: DailySums(possibleDays)].add(row.timeline)
      }
    }
    return provinces.merging(wholes) { _, whole in whole }.mapValues(\.series)
  }

  private struct Row: Decodable {
    let country: String
    let province: String?
    let timeline: Counts
  }

  private struct Counts: Decodable {
    let cases: [String: Double?]
    let deaths: [String: Double?]
  }

  /// Sums since the beginning, by day.
  private struct DailySums {
    private let possibleDays: ClosedRange<Int32>
    private var cases: [Int32: Double] = [:]
    private var deaths: [Int32: Double] = [:]

    init(_ possibleDays: ClosedRange<Int32>) { self.possibleDays = possibleDays }

    mutating func add(_ counts: Counts) throws(SourceFault) {
      for (day, count) in counts.cases { cases[try self.day(day), default: 0] += count ?? 0 }
      for (day, count) in counts.deaths { deaths[try self.day(day), default: 0] += count ?? 0 }
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
