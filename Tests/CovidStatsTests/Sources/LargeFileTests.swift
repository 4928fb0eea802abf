import Foundation
import PolyclinicCore
import PolyclinicPlaces
import Testing

@testable import CovidStats

/// Files as large as those of the sources.
@Suite struct LargeFileTests {
  private static let columns =
    "country,date,total_cases,new_cases,new_cases_smoothed,total_deaths,new_deaths,code,continent,"
    + "population" + (0..<51).map { ",other_\($0)" }.joined()

  @Test func `half a million lines of sixty-one columns are read in under a minute`() throws {
    let file = try TemporaryFile("")
    let handle = try #require(FileHandle(forWritingAtPath: file.path))
    handle.write(Data((Self.columns + "\n").utf8))
    let codes = Countries.all.compactMap(Self.alpha3) + ["OWID_WRL"]
    let rest = String(repeating: ",", count: 51)
    let start = CalendarDate("2020-01-01")!
    let days = 500_000 / codes.count
    for code in codes {
      var rows = ""
      for day in 0..<days {
        rows +=
          "X,\(start.adding(days: day)),\(day).0,1.0,,2.0,0.0,\(code),Europe,9000000.0\(rest)\n"
      }
      handle.write(Data(rows.utf8))
    }
    try handle.close()
    let began = ContinuousClock.now
    let all = try OWIDSource().read([file.path], until: .today)
    #expect(ContinuousClock.now - began < .seconds(60))
    #expect(all.countries.count == Countries.all.count)
    #expect(all.countries.allSatisfy { $0.series.days.count == days })
    #expect(all.leftOut == days)
  }

  /// The alpha-3 codes of the countries by alpha-2 code, found by trying all combinations.
  private static let alpha3Codes: [String: String] = {
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    var codes: [String: String] = [:]
    for first in letters {
      for second in letters {
        for third in letters {
          let code = "\(first)\(second)\(third)"
          if let alpha2 = Alpha3Codes.alpha2(of: Array(code.utf8)[...]) { codes[alpha2] = code }
        }
      }
    }
    return codes
  }()

  private static func alpha3(_ alpha2: String) -> String? { alpha3Codes[alpha2] }

  @Test func `each country has its own alpha-3 code`() {
    #expect(Set(Self.alpha3Codes.keys) == Set(Countries.all))
  }

  @Test func `a line of 3 MB is refused with its number`() throws {
    let file = try TemporaryFile("date,code" + String(repeating: "x", count: 3 << 20))
    #expect(throws: SourceFault(.longLine, line: 1)) {
      try OWIDSource().read([file.path], until: .today)
    }
  }
}
