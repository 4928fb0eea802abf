import PolyclinicTesting
import Testing

@testable import HealthMetrics

/// The measurements of the town's patients.
@Suite struct DemonstrationTests {
  @Test func `the first patient of the demonstration has measured for a year until today`() throws {
    let portal = try TestPortal(HealthMetricsModule())
    try portal.demonstrate()
    let patient = portal.visitor()
    _ = try patient.signIn("patient", "four kind otters rowing home")
    func times(in file: String) -> [Substring] {
      patient.get("/health-metrics/\(file)/export.csv").body.split(separator: "\r\n").dropFirst()
        .map { $0.prefix(13) }
    }
    let weights = times(in: "weights")
    let readings = times(in: "blood-pressure")
    #expect(weights.count > 200 && readings.count > 700)
    #expect(readings.first == "2025-05-05T08")
    // The portal's clock shows noon, before the readings of the evening.
    #expect(weights.last == "2026-05-04T07" && readings.last == "2026-05-04T08")
    #expect(patient.get("/health-metrics/home-week").hasNotice(.plain, "Evening · reading 1 of 2"))
  }
}
