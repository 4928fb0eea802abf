import Foundation
import PolyclinicCore

/// The series of disease.sh, with one row for each country or for each of its provinces.
extension DiseaseShSource {
  /// Returns the series by the countries' indices. Throws ``SourceFault``.
  ///
  /// A row without a province is the whole country without overseas parts. If a country has only
  /// rows with provinces, they are summed.
  static func series(
    in file: String, of places: [String: Int], _ possibleDays: ClosedRange<Int32>
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

  /// The totals since the beginning, by day.
  private struct DailySums {
    private let possibleDays: ClosedRange<Int32>
    private var cases: [Int32: Double] = [:]
    private var deaths: [Int32: Double] = [:]

    init(_ possibleDays: ClosedRange<Int32>) { self.possibleDays = possibleDays }

    mutating func add(_ counts: Counts) throws(SourceFault) {
      for (day, count) in counts.cases { cases[try self.day(day), default: 0] += count ?? 0 }
      for (day, count) in counts.deaths { deaths[try self.day(day), default: 0] += count ?? 0 }
    }

    /// The new counts of each day: its total minus the total of the day before.
    /// - A total that drops to 0 means that the country has stopped reporting it.
    /// - The first day has no new count, because there is no total before it.
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

    /// Parses a day in the format `M/D/YY`.
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
