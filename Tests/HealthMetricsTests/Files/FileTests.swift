import PolyclinicCore
import PolyclinicFormats
import PolyclinicTesting
import Testing

@testable import HealthMetrics

@Suite struct FileTests {
  @Test func `the order of day and month is taken from any unambiguous line, or asked for`() throws
  {
    func order(_ days: String..., answered: String = "") throws -> (
      WrittenTime.Order, isAsked: Bool
    ) {
      let file = "date,value\n" + days.map { "\($0),72 kg\n" }.joined()
      var options = FileOptions()
      options.dateOrder = answered
      let questions = FileQuestions(try MeasurementTable(Array(file.utf8), of: .weights), options)
      return (questions.order, questions.problems.map(\.field) == ["date_order"])
    }
    #expect(try order("05/04/2026", "05/13/2026") == (.monthFirst, false))
    #expect(try order("05/04/2026", "13/05/2026") == (.dayFirst, false))
    #expect(try order("05/04/2026", answered: "month-first") == (.monthFirst, false))
    #expect(try order("05/04/2026").isAsked)
    #expect(try !order("05/05/2026").isAsked)
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
      decoding: Observation(reading, ID(7)).json.encoded, as: UTF8.self)
    for part in [
      "\"85354-9\"", "\"8480-6\"", "\"8462-4\"", "\"mm[Hg]\"", "\"value\":120", "\"final\"",
      "\"vital-signs\"", "\"Patient/person\"", "\"2026-05-04T08:00:00+02:00\"", "\"368208006\"",
    ] {
      #expect(text.contains(part), "\(part)")
    }
  }
}
