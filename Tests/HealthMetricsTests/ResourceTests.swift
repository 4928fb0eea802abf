import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import HealthMetrics

/// Measurements over JSON, by the forms of the pages.
@Suite struct ResourceTests {
  private let portal: TestPortal
  private let anna: TestVisitor
  private let program: TestProgram

  init() throws {
    portal = try TestPortal(HealthMetricsModule())
    anna = try portal.register(login: "anna")
    program = TestProgram(portal, token: try anna.makeToken(["health-metrics": "write"]))
  }

  @Test func `a weight stored by a program stands on the page, and the other way round`() throws {
    let made = program.post(
      "/api/v1/health-metrics/weights",
      "{\"value\": 72.5, \"unit\": \"kg\", \"measured_at\": \"2026-05-04T08:00:00Z\"}")
    #expect(made.status == 201)
    #expect(anna.get("/health-metrics/weights").contains("72.5 kg"))
    _ = try anna.measure(120, 80, at: "2026-05-04T08:00", ["arm": "right"])
    let reading = try program.get("/api/v1/health-metrics/blood-pressure/1").json()
    #expect(reading["arm"]?.text == "right")
    let time = try #require(reading["measured_at"]?.text.flatMap { ZonedTime($0) })
    #expect(time.local.description == "2026-05-04T08:00")
  }

  @Test(arguments: [
    "{\"systolic\": 80, \"diastolic\": 120, \"measured_at\": \"2026-05-04T08:00:00Z\"}",
    "{\"systolic\": 120, \"diastolic\": 80, \"measured_at\": \"2026-05-04T08:00\"}",
    "{\"systolic\": 120, \"diastolic\": 80, \"measured_at\": \"2027-05-04T08:00:00Z\"}",
    "{\"systolic\": 120, \"diastolic\": 80}", "{\"systolic\": 1e309, \"diastolic\": 80}",
    "{\"systolic\": 120, \"diastolic\": 80, \"arm\": \"middle\", \"measured_at\": \"2026-05-04T08:00:00Z\"}",
  ])
  func `what no page takes, no program stores`(_ sent: String) throws {
    let answer = program.post("/api/v1/health-metrics/blood-pressure", sent)
    #expect([400, 422].contains(answer.status))
    #expect(try portal.rowCounts()["health_metrics_pressures"] == 0)
  }
}
