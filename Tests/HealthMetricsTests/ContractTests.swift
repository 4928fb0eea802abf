import HealthMetrics
import PolyclinicTesting
import Testing

/// The contract of every module, checked for this one.
@Suite struct ContractTests {
  @Test func `the module fulfils the module contract`() throws {
    let contract = ModuleContract(HealthMetricsModule()) { anna in
      let time = "2026-05-04T08:00"
      _ = try anna.submit(
        "/health-metrics/weights/new", ["value": "72.5", "unit": "kg", "measured_at": time])
      _ = try anna.submit(
        "/health-metrics/blood-pressure/new",
        ["systolic": "120", "diastolic": "80", "measured_at": time])
      _ = try anna.submit("/health-metrics/preferences", ["unit": "lb", "scheme": "aha"])
    }
    let broken = contract.broken()
    #expect(broken == [])
  }
}
