import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import HealthMetrics

@Suite struct ReportTests {
  @Test func `the report shows name, age and readings`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register(["birth_date": "1980-01-01"])
    _ = try anna.measure(120, 80, at: "2026-05-03T08:00", ["pulse": "60"])
    _ = try anna.weigh("72.5")
    let page = anna.get("/health-metrics/report")
    for text in ["Anna Petrova", "46 years", "120/80", "72.5", "not a diagnosis"] {
      #expect(page.contains(text), "\(text)")
    }
  }

  @Test func `the report begins with the average of the week at home`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let report = "/health-metrics/report"
    for day in 1...3 {
      for time in ["08:00", "08:02", "20:00", "20:02"] where day < 3 || time < "12" {
        _ = try anna.measure(day == 1 ? 150 : 124, 80, at: "2026-05-0\(day)T\(time)")
      }
    }
    #expect(!anna.get(report).contains("Week at home"))
    _ = try anna.submit("/health-metrics/home-week/start", ["start": "2026-05-01"])
    let page = anna.get(report)
    #expect(page.contains("Week at home, days 2–7: 124/80, 6 readings"))
    let choice = try #require(page.main.first { $0.name == "details" })
    #expect(choice.attributes["open"] == nil && choice.first { $0.name == "form" } != nil)
    #expect(page.hasButton("Print or save as PDF"))
  }

  @Test func `the report names the highest reading and marks those above the limit`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    _ = try anna.measure(120, 80, at: "2026-05-03T08:00")
    _ = try anna.measure(136, 80, at: "2026-05-03T09:00")
    _ = try anna.measure(205, 125, at: "2026-05-03T11:12")
    let page = anna.get("/health-metrics/report")
    let line = try #require(page.main.first { $0.hasClass("week") })
    #expect(
      line.text
        == "Highest: 205/125 on 3 May 2026 at 11:12 Very high · 2 readings at or above 135/85")
    let list = try #require(page.main.first { $0.hasClass("ledger") })
    #expect(
      list.all("li").map(\.text) == [
        "3 May, 08:00 120/80", "3 May, 09:00 ▲ 136/80", "3 May, 11:12 ▲ 205/125 Very high",
      ])
    #expect(page.contains("High (▲): 135/85 and higher"))
  }

  @Test func `the report of a month lists each reading with its arm and note`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    for day in 10...30 {
      for hour in ["07", "19"] {
        _ = try anna.measure(
          120, 80, at: "2026-04-\(day)T\(hour):00", ["arm": "left", "note": "day \(day)<"])
      }
    }
    _ = try anna.weigh("72.5", ["note": "after lunch"])
    let page = anna.get("/health-metrics/report?range=month")
    for text in ["left arm", "day 10&lt;", "day 30&lt;", "after lunch", "Readings"] {
      #expect(page.contains(text), "\(text)")
    }
    #expect(!anna.get("/health-metrics/report?range=year").contains("day 10&lt;"))
  }
}
