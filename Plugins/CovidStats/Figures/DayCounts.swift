import PolyclinicCore

/// The report of a country for one day, or for the week that ends with it.
struct DayCounts: Sendable, Equatable {
  /// In days since 1970-01-01.
  let day: Int32
  /// New cases; negative where earlier ones were taken back, nil where nothing was reported.
  var cases: Int32?
  /// New deaths, as ``cases``.
  var deaths: Int32?

  var date: CalendarDate { CalendarDate(daysSince1970: Int(day)) }

  /// True for a report that is not zero.
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

  /// The days that reports can be of: a source that names others would have every page read them.
  ///
  /// The first cases fell ill in December 2019 (WHO, Disease Outbreak News, 12 January 2020).
  static func possibleDays(until last: CalendarDate) -> ClosedRange<Int32> {
    let first: Int32 = 18_231
    return first...max(first, Int32(last.daysSince1970))
  }

  /// The interval at which a country reports.
  enum Rhythm: String, Sendable, Equatable {
    case daily
    /// Each report holds a week's sum.
    case weekly
  }

  /// The days of exact zeros or of silence, eight weeks, behind which ``end(latest:)`` takes a series that
  /// moved for one that has ended.
  static let silence: Int32 = 56

  /// The last day on which anything was reported that is not zero; nil for a series that never moved.
  private var lastMove: Int? { days.lastIndex(where: \.isMove) }

  /// The last report of a country that has stopped; nil for one that reports still.
  ///
  /// Sources write zeros for countries that have stopped. `latest` is the last day of the whole file.
  func end(latest: Int32) -> CalendarDate? {
    guard let last = lastMove, latest - days[last].day >= Self.silence else { return nil }
    return days[last].date
  }

  /// Weekly where the last reports that are not zero stand whole weeks apart.
  var rhythm: Rhythm {
    let moves = days.suffix(12 * 7).filter(\.isMove).suffix(6).map(\.day)
    guard moves.count >= 3 else { return .daily }
    return zip(moves, moves.dropFirst()).allSatisfy { ($1 - $0).isMultiple(of: 7) }
      ? .weekly : .daily
  }

  /// The latest report and the one before: of a weekly series those of the last two weeks that hold
  /// something.
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
  /// For one column of the database: of each day the distance from the day before, which counts there
  /// are, and these.
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

  /// Throws `DecodingFailure` for bytes that are no packed series.
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
