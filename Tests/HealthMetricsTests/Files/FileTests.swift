import PolyclinicCore
import PolyclinicFormats
import PolyclinicTesting
import Testing

@testable import HealthMetrics

@Suite struct FileTests {
  private static let zone = Zone("Europe/Minsk") ?? .utc

  @Test(arguments: [
    ("2026-05-04T11:00:00+03:00", "2026-05-04T11:00:00+03:00"),
    ("2026-05-04 11:00", "2026-05-04T11:00:00+03:00"),
    ("2026-05-04 11:00:31.123", "2026-05-04T11:00:00+03:00"),
    ("1703175193324", "2023-12-21T19:13:00+03:00"), ("4.5.2026", "2026-05-04T00:00:00+03:00"),
    ("2026/05/04 9:05", "2026-05-04T09:05:00+03:00"),
    ("25/04/2026 11:00 PM", "2026-04-25T23:00:00+03:00"),
    ("25-04-2026, 12:05 am", "2026-04-25T00:05:00+03:00"),
  ])
  func `times are read in the formats of exported files`(_ text: String, _ time: String) throws {
    let written = try #require(WrittenTime(text))
    #expect(written.time(in: Self.zone, .dayFirst)?.description == time)
  }

  @Test(arguments: ["", "soon", "2026-13-04", "2026-05-04T25:00", "1/2/26", "1/2/3/2026", "99"])
  func `a malformed time is refused`(_ text: String) {
    #expect(WrittenTime(text)?.time(in: Self.zone, .dayFirst) == nil)
  }

  @Test func `the order of day and month is taken from any unambiguous line, or asked for`() throws
  {
    func table(_ days: String...) throws -> MeasurementTable {
      try MeasurementTable(Array(("date,value\n" + days.map { "\($0),72\n" }.joined()).utf8))
    }
    #expect(try table("05/04/2026", "05/13/2026").order(answered: "") == .monthFirst)
    #expect(try table("05/04/2026", "13/05/2026").order(answered: "") == .dayFirst)
    #expect(try table("05/04/2026").order(answered: "month-first") == .monthFirst)
    #expect(throws: Refusal.invalid("date_order", "import.ask.date-order")) {
      try table("05/04/2026").order(answered: "")
    }
  }

  @Test func `weights are exported with the columns of the form`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    _ = try anna.weigh(
      "160", ["unit": "lb", "measured_at": "2026-05-01T07:30", "note": "=1+1, \"x\""])
    let answer = anna.get("/health-metrics/weights/export.csv")
    #expect(answer.header("Content-Type") == "text/csv; charset=utf-8")
    #expect(answer.contains("measured_at,value,unit,note\r\n"))
    #expect(answer.contains(",160,lb,\"'=1+1, \"\"x\"\"\"\r\n"))
    #expect(CSVText.plain("'=1+1") == "=1+1" && CSVText.plain("'tis") == "'tis")
  }

  @Test func `an observation has LOINC and UCUM codes`() throws {
    var reading = BloodPressure()
    (reading.systolic, reading.diastolic, reading.arm) = (120, 80, "left")
    reading.measuredAt = try moment("2026-05-04T08:00")
    let text = String(
      decoding: Observation.bloodPressure(reading, ID(7)).encoded, as: UTF8.self)
    for part in [
      "\"85354-9\"", "\"8480-6\"", "\"8462-4\"", "\"mm[Hg]\"", "\"value\":120", "\"final\"",
      "\"vital-signs\"", "\"Patient/person\"", "\"2026-05-04T08:00:00+02:00\"", "\"368208006\"",
    ] {
      #expect(text.contains(part), "\(part)")
    }
  }
}
