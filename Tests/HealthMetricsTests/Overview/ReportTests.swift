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
}
