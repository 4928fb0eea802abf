import Foundation
import PolyclinicCore
import Testing

@testable import CovidStats

/// Files as large as the sources' own.
@Suite struct LargeFileTests {
  private static let columns =
    "country,date,total_cases,new_cases,new_cases_smoothed,total_deaths,new_deaths,code,continent,"
    + "population" + (0..<51).map { ",other_\($0)" }.joined()

  @Test func `half a million lines of sixty-one columns are read within the bounds`() throws {
    let file = try TemporaryFile("")
    let handle = try #require(FileHandle(forWritingAtPath: file.path))
    handle.write(Data((Self.columns + "\n").utf8))
    let codes = ["BLR", "RUS", "ISR", "DEU", "OWID_WRL"]
    let rest = String(repeating: ",", count: 51)
    let start = CalendarDate(daysSince1970: -30_000)
    for code in codes {
      var rows = ""
      for day in 0..<100_000 {
        rows += "X,\(Self.date(start, day)),\(day).0,1.0,,2.0,0.0,\(code),Europe,9000000.0\(rest)\n"
      }
      handle.write(Data(rows.utf8))
    }
    try handle.close()
    let began = ContinuousClock.now
    let all = try OWIDSource().read([file.path])
    #expect(ContinuousClock.now - began < .seconds(60))
    #expect(all.countries.map(\.figures.country).sorted() == ["BY", "DE", "IL", "RU"])
    #expect(all.countries.allSatisfy { $0.series.days.count == 100_000 })
    #expect(all.leftOut == 100_000)
  }

  private static func date(_ start: CalendarDate, _ day: Int) -> CalendarDate {
    start.adding(days: day)
  }

  @Test func `a line that never ends is refused before it fills the memory`() throws {
    let file = try TemporaryFile("date,code" + String(repeating: "x", count: 3 << 20))
    #expect(throws: SourceFault(.longLine, line: 1)) { try OWIDSource().read([file.path]) }
  }
}
