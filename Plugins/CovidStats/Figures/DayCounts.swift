import PolyclinicCore

/// The report of a country for one day, or for the week that ends with it.
struct DayCounts: Sendable, Equatable {
  /// The day, in days since 1970-01-01.
  let day: Int32
  /// The new cases; negative for a correction of earlier reports, nil if nothing was reported.
  var cases: Int32?
  /// The new deaths, with the same meaning of negative and nil as in ``cases``.
  var deaths: Int32?

  var date: CalendarDate { CalendarDate(daysSince1970: Int(day)) }

  /// True if the report contains a count other than zero.
  var isMove: Bool { (cases ?? 0) != 0 || (deaths ?? 0) != 0 }

  subscript(_ count: Count) -> Int32? { count == .cases ? cases : deaths }

  /// The kinds of counts.
  enum Count: String, CaseIterable, Sendable {
    case cases
    case deaths
  }
}

/// All reports of a country since the beginning, in the order of the days.
struct Series: Sendable, Equatable {
  var days: [DayCounts] = []

  /// Returns the days that reports may have. A source with other days would make every page read
  /// them.
  ///
  /// The first cases fell ill in December 2019 (WHO, Disease Outbreak News, 12 January 2020).
  static func possibleDays(until last: CalendarDate) -> ClosedRange<Int32> {
    let first: Int32 = 18_231
    return first...max(first, Int32(last.daysSince1970))
  }

  /// The interval at which a country reports.
  enum Rhythm: String, Sendable, Equatable {
    case daily
    /// Each report is the sum of a week.
    case weekly
  }

  /// The number of days without a count above or below zero (eight weeks) after which
  /// ``end(latest:)`` considers a series ended.
  static let silence: Int32 = 56

  /// The index of the last report with a count other than zero; nil if there is none.
  private var lastMove: Int? { days.lastIndex(where: \.isMove) }

  /// Returns the last report of a country that has stopped reporting; nil for any other.
  ///
  /// Sources write zeros for countries that have stopped. `latest` is the last day of the whole
  /// file.
  func end(latest: Int32) -> CalendarDate? {
    guard let last = lastMove, latest - days[last].day >= Self.silence else { return nil }
    return days[last].date
  }

  /// The interval, weekly if the last nonzero reports are whole weeks apart.
  var rhythm: Rhythm {
    let moves = days.suffix(12 * 7).filter(\.isMove).suffix(6).map(\.day)
    guard moves.count >= 3 else { return .daily }
    return zip(moves, moves.dropFirst()).allSatisfy { ($1 - $0).isMultiple(of: 7) }
      ? .weekly : .daily
  }

  /// Returns the latest report and the one before. For a weekly or ended series, returns the last
  /// two nonzero ones.
  func latestReports(of rhythm: Rhythm, isOver: Bool) -> (latest: DayCounts?, previous: DayCounts?)
  {
    let reports = days.filter { $0.cases != nil || $0.deaths != nil }
    guard rhythm == .weekly || isOver else {
      return (reports.last, reports.dropLast().last)
    }
    let moves = reports.filter(\.isMove)
    return (moves.last, moves.dropLast().last)
  }
}

extension Series {
  /// The series as bytes for one column of the database. Each day is stored as its distance from
  /// the previous day, flags for the counts that follow, and the counts.
  var packed: [UInt8] {
    var bytes = ByteWriter()
    var last: Int32 = 0
    bytes.write(count: days.count)
    for day in days {
      bytes.write(Int64(day.day - last))
      bytes.write(UInt8((day.cases == nil ? 0 : 1) | (day.deaths == nil ? 0 : 2)))
      if let cases = day.cases { bytes.write(Int64(cases)) }
      if let deaths = day.deaths { bytes.write(Int64(deaths)) }
      last = day.day
    }
    return bytes.bytes
  }

  /// Decodes a packed series. Throws `DecodingFailure` for other bytes.
  init(packed: [UInt8]) throws {
    var bytes = ByteReader(packed)
    var last: Int64 = 0
    for _ in 0..<(try bytes.count()) {
      last += try bytes.integer()
      guard let day = Int32(exactly: last) else { throw DecodingFailure() }
      let present = try bytes.byte()
      days.append(
        DayCounts(
          day: day, cases: present & 1 == 0 ? nil : try Self.number(&bytes),
          deaths: present & 2 == 0 ? nil : try Self.number(&bytes)))
    }
  }

  private static func number(_ bytes: inout ByteReader) throws -> Int32 {
    guard let number = Int32(exactly: try bytes.integer()) else { throw DecodingFailure() }
    return number
  }
}
