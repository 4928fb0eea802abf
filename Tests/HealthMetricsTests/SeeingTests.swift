import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import HealthMetrics

@Suite struct SeeingTests {
  private static func reading(_ time: String, _ systolic: Int) throws -> BloodPressure.Entry {
    var reading = BloodPressure()
    reading.systolic = systolic
    reading.diastolic = 80
    reading.measuredAt = try moment(time)
    return BloodPressure.Entry(reading, id: ID(1))
  }

  @Test func `averages are told by range and time of day`() throws {
    let entries = try [
      Self.reading("2026-05-01T05:00", 120), Self.reading("2026-05-01T11:59", 130),
      Self.reading("2026-05-01T12:00", 140), Self.reading("2026-05-01T23:00", 150),
      Self.reading("2026-05-02T04:59", 160),
    ]
    let parts = DayPart.averages(entries, PressureStatistic())
    #expect(parts.map(\.part) == [.morning, .afternoon, .night])
    #expect(parts.map(\.average.mean.systolic) == [125, 140, 155])
  }

  @Test func `periods are as fine as fit`() throws {
    let entries = try (1...28).map {
      try Self.reading("2026-02-\($0 < 10 ? "0" : "")\($0)T08:00", 100 + $0)
    }
    let days = Period.all(of: entries, PressureStatistic(), atMost: 28)
    #expect(days.count == 28 && days[0].grain == .day)
    let weeks = Period.all(of: entries, PressureStatistic(), atMost: 27)
    #expect(weeks.map(\.grain) == Array(repeating: .week, count: 5))
    // 1 February 2026 is a Sunday: its week began in January.
    #expect(weeks[0].start.description == "2026-01-26" && weeks[0].average.count == 1)
    let months = Period.all(of: entries, PressureStatistic(), atMost: 4)
    #expect(months.map(\.start.description) == ["2026-02-01"])
  }

  @Test func `a chart shows what lies in its range, and says it in words`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    _ = try anna.measure(120, 80, at: "2026-05-03T08:00", ["pulse": "60"])
    _ = try anna.measure(130, 84, at: "2026-05-04T08:00", ["pulse": "70"])
    _ = try anna.measure(150, 95, at: "2026-01-04T08:00")
    let page = anna.get("/health-metrics/blood-pressure/chart?range=week")
    #expect(page.status == 200 && page.contains("<svg role=\"img\""))
    #expect(page.contains("2 readings, 28 April 2026 – 4 May 2026: average 125/82"))
    #expect(page.contains("125/82") && !page.contains("150/95"))
    #expect(!page.contains("style="))
    let all = anna.get("/health-metrics/blood-pressure/chart?range=all")
    #expect(all.contains("3 readings"))
  }

  @Test(arguments: [
    ("from=2026-05-01&to=2026-04-01", 422), ("from=x&to=2026-04-01", 422), ("", 422),
    ("from=2026-04-01&to=2026-05-01", 200), ("from=0001-01-01&to=9999-12-31", 200),
  ])
  func `days of one's own are checked`(_ query: String, _ status: Int) throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    _ = try anna.weigh("72")
    for page in ["weights/chart", "blood-pressure/chart", "report"] {
      #expect(anna.get("/health-metrics/\(page)?range=custom&\(query)").status == status)
    }
  }

  @Test func `the report names the person and lists the readings`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register(["birth_date": "1980-01-01"])
    _ = try anna.measure(120, 80, at: "2026-05-03T08:00", ["pulse": "60"])
    _ = try anna.weigh("72.5")
    let page = anna.get("/health-metrics/report")
    for text in ["Anna Petrova", "46 years", "120/80", "72.5", "not a diagnosis"] {
      #expect(page.contains(text), "\(text)")
    }
  }

  @Test func `a week at home counts two readings of each morning and evening but the first day's`()
    throws
  {
    let start = try #require(CalendarDate("2026-05-01"))
    let entries = try [
      Self.reading("2026-05-01T08:00", 200), Self.reading("2026-05-02T08:00", 120),
      Self.reading("2026-05-02T08:02", 130), Self.reading("2026-05-02T08:04", 180),
      Self.reading("2026-05-02T14:00", 190), Self.reading("2026-05-07T20:00", 140),
      Self.reading("2026-05-08T08:00", 190),
    ]
    let week = HomeWeek(start: start, entries)
    #expect(week.average.count == 3 && week.average.mean.systolic == 130)
    let next = week.next(at: try moment("2026-05-07T20:05"))
    #expect(next == HomeWeek.Step(day: 6, part: .evening, number: 2))
    #expect(week.isOver(at: try moment("2026-05-08T00:00")))
  }

  @Test func `a week is begun, led through, and ended`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let path = "/health-metrics/home-week"
    #expect(anna.get(path).contains("Begin a week"))
    #expect(try anna.submit(path + "/start", ["start": "2020-01-01"]).status == 422)
    #expect(try anna.submit(path + "/start", ["start": "2026-05-03"]).location == path)
    _ = try anna.measure(120, 80, at: "2026-05-04T08:00")
    let page = anna.get(path)
    #expect(page.contains("reading 2 of 2") || page.contains("reading 1 of 2"))
    #expect(page.contains("120/80") && page.contains("from 12 readings on"))
    #expect(anna.press(path + "/end", on: path).status == 303)
    #expect(anna.get(path).contains("Seven days") || anna.get(path).contains("seven days"))
  }
}
