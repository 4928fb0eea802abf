import Foundation
import PolyclinicCore
import Testing

@testable import CovidStats

/// Files in the format of the World Health Organization.
@Suite struct WHOTests {
  private static let head =
    "\u{FEFF}Date_reported,Country_code,Country,WHO_region,New_cases,Cumulative_cases,New_deaths,"
    + "Cumulative_deaths\n"

  private func read(_ rows: String, head: String = head) throws -> Figures {
    let file = try TemporaryFile(head + rows)
    return try WHOSource().read([file.path], until: .today)
  }

  @Test func `figures contain the reports of the last day and the day before`() throws {
    let all = try read(
      """
      2020-03-01,BY,Belarus,EUR,,0,,0
      2020-03-02,BY,Belarus,EUR,5,5,,0
      2020-03-03,BY,Belarus,EUR,-2,3,1,1

      """)
    let one = try #require(all.countries.first).figures
    #expect(one.country == "BY" && one.rhythm == .daily)
    #expect(one.latest == .init(day: CalendarDate("2020-03-03"), cases: -2, deaths: 1))
    #expect(one.previous == .init(day: CalendarDate("2020-03-02"), cases: 5, deaths: nil))
    #expect(one.cases == 3 && one.deaths == 1 && one.recovered == nil && one.active == nil)
    #expect(all.day == CalendarDate("2020-03-03"))
  }

  @Test func `Namibia and Kosovo are read as countries, and ships are left out`() throws {
    let all = try read(
      #"""
      2020-03-01,NA,Namibia,AFR,1,1,0,0
      2020-03-01,XK,"Kosovo, in ""quotes""",EUR,2,2,0,0
      2020-03-01,XJ,Diamond Princess,OTHER,3,3,0,0
      2020-03-01,,International,OTHER,4,4,0,0

      """#)
    #expect(all.countries.map(\.figures.country) == ["NA", "XK"])
    #expect(all.leftOut == 2)
  }

  @Test func `reports seven days apart are recognized as weekly`() throws {
    let rows = (0..<70).map { day in
      let date = CalendarDate("2023-01-01")!.adding(days: day)
      return "\(date),DE,Germany,EUR,\(day % 7 == 6 ? 700 + day : 0),\(day),0,0"
    }
    let one = try #require(try read(rows.joined(separator: "\n")).countries.first).figures
    #expect(one.rhythm == .weekly && one.stopped == nil)
    #expect(one.latest == .init(day: CalendarDate("2023-03-11"), cases: 769, deaths: 0))
    #expect(one.previous.day == CalendarDate("2023-03-04"))
  }

  @Test func `a series that ends with eight weeks of zeros has stopped before them`() throws {
    let zeros = (1...56).map { day in
      "\(CalendarDate("2023-05-01")!.adding(days: day)),FR,France,EUR,0,9,0,1"
    }
    let rows = ["2023-05-01,FR,France,EUR,9,9,1,1"] + zeros
    let one = try #require(try read(rows.joined(separator: "\n")).countries.first).figures
    #expect(one.stopped == CalendarDate("2023-05-01"))
    #expect(one.latest == .init(day: CalendarDate("2023-05-01"), cases: 9, deaths: 1))
    let still = try #require(
      try read(rows.dropLast().joined(separator: "\n")).countries.first)
    #expect(still.figures.stopped == nil)
  }

  @Test(arguments: [
    ("2020-03-01,BY,Belarus,EUR,1,1,0", SourceFault(.width, line: 2)),
    ("2020-03-01,BY,Belarus,EUR,one,1,0,0", SourceFault(.number, line: 2)),
    ("01.03.2020,BY,Belarus,EUR,1,1,0,0", SourceFault(.date, line: 2)),
    ("2020-03-01,BY,Belarus,EUR,99999999999999,1,0,0", SourceFault(.number, line: 2)),
    ("2020-03-01,BY,B,EUR,1,1,0,0\n2020-03-01,BY,B,EUR,1,1,0,0", SourceFault(.repeatedDay)),
    ("2019-11-30,BY,Belarus,EUR,1,1,0,0", SourceFault(.day, line: 2)),
    ("2026-05-05,BY,Belarus,EUR,1,1,0,0", SourceFault(.day, line: 2)),
    ("2020-03-01,BY,Belarus,EUR,1\u{0},1,0,0", SourceFault(.number, line: 2)),
    ("2020-03-01,BY,Belarus,EUR,nan,1,0,0", SourceFault(.number, line: 2)),
    ("", SourceFault(.empty)),
  ])
  func `an invalid file is refused with the reason and the line`(
    _ rows: String, _ fault: SourceFault
  ) throws {
    #expect(throws: fault) { try read(rows) }
  }

  @Test func `a table with a missing column is refused with the column's name`() throws {
    #expect(throws: SourceFault(.column("Country_code"), line: 1)) {
      try read("", head: "Date_reported,Country,New_cases\n")
    }
    #expect(throws: SourceFault(.column("Date_reported"), line: 1)) {
      try read("", head: "<!DOCTYPE html>\n")
    }
  }

  @Test func `a day repeated many times is refused before the rest of the file is read`() throws {
    let row = "2020-03-01,BY,Belarus,EUR,1,1,0,0\n"
    let end = "not even a row"
    #expect(throws: SourceFault(.repeatedDay)) {
      try read(String(repeating: row, count: 3_000) + end)
    }
  }

  @Test func `CRLF line endings and a last line without an ending are accepted`() throws {
    let all = try read("2020-03-01,BY,B,EUR,1,1,0,0\r\n2020-03-02,BY,B,EUR,,,,")
    #expect(all.countries.first?.series.days.map(\.cases) == [1, nil])
    #expect(all.countries.first?.figures.cases == 1)
  }

  @Test func `a packed series is unpacked unchanged, and a truncated one is refused`() throws {
    let series = Series(days: [
      DayCounts(day: -5, cases: 1), DayCounts(day: 18_000, cases: -7, deaths: 0),
      DayCounts(day: 18_001, deaths: .max), DayCounts(day: 18_002),
    ])
    #expect(try Series(packed: series.packed) == series)
    #expect(throws: (any Error).self) { try Series(packed: series.packed.dropLast()) }
  }
}

extension CalendarDate {
  /// The first day of a ``TestPortal``.
  static let today = CalendarDate("2026-05-04")!
}

/// A temporary file that is deleted with its last reference.
final class TemporaryFile {
  let path: String

  init(_ text: String) throws {
    path = FileManager.default.temporaryDirectory.path + "/polyclinic-test-\(UUID().uuidString)"
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  deinit { unlink(path) }
}
