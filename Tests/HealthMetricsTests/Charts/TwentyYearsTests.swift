import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import HealthMetrics

/// Two readings a day for twenty years.
@Suite struct TwentyYearsTests {
  private static let count = 14_600

  /// Returns a reading for every twelve hours until now, one of them far above the others.
  private static func readings(until now: Instant) -> [BloodPressure] {
    (0..<count).map { number in
      var reading = BloodPressure()
      reading.systolic = number == 5_000 ? 233 : 120 + number % 17
      reading.diastolic = 70 + number % 13
      reading.pulse = 60 + number % 11
      reading.measuredAt = ZonedTime(now - .hours(12 * (count - number)), in: .utc)
      return reading
    }
  }

  @Test func `list, chart and report cover 14 600 readings, and the chart their extremes`() throws {
    let portal = try TestPortal(HealthMetricsModule())
    let anna = try portal.register()
    let keys = try portal.keys(of: anna)
    let readings = Self.readings(until: portal.now)
    let entries = readings.enumerated().map { number, reading in
      BloodPressure.Entry(reading, id: ID(Int64(number + 1)))
    }
    // The pages read only the index.
    try portal.write { try BloodPressure.index.rebuild(entries, in: $0.with(keys)) }
    let list = anna.get("/health-metrics/blood-pressure")
    #expect(list.contains("14,600 readings") && list.contains("Page 1 of 292"))
    let chart = anna.get("/health-metrics/blood-pressure/chart?range=all")
    #expect(chart.status == 200 && chart.contains("systolic 120–233"))
    #expect(chart.main.all { $0.hasClass("bar") && $0.name == "line" }.count <= 150)
    let axis = chart.main.all { $0.name == "text" && $0.attributes["dx"] == "-6" }.map(\.text)
    #expect(axis.contains("250"))
    #expect(chart.body.utf8.count < 120_000)
    #expect(anna.get("/health-metrics/report?range=all").status == 200)
  }

  @Test func `a file with two thousand readings is imported`() throws {
    let portal = try TestPortal(HealthMetricsModule())
    let anna = try portal.register()
    let lines = Self.readings(until: portal.now).prefix(2_000).map { reading in
      let sent = BloodPressure.form.fields(of: reading)
      return BloodPressure.columns.map { sent[$0] }.joined(separator: ",")
    }
    let text = ([BloodPressure.columns.joined(separator: ",")] + lines).joined(separator: "\r\n")
    let path = "/health-metrics/blood-pressure/import"
    let sent = anna.upload(path, "file", Array(text.utf8), named: "file.csv")
    let taken = try anna.submit(sent.location, [:])
    #expect(taken.location == "/health-metrics/blood-pressure?imported=2000")
    #expect(try portal.problems().isEmpty)
  }
}
