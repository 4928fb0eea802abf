import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import HealthMetrics

/// The cards on the home page and on the module's first page.
@Suite struct MetricsCardsTests {
  private let portal: TestPortal
  private let anna: TestVisitor

  init() throws {
    portal = try TestPortal(HealthMetricsModule())
    anna = try portal.register()
  }

  @Test func `the weight's card shows the latest weight, its change and a small chart in words`()
    throws
  {
    _ = try anna.weigh("73.1", ["measured_at": "2026-04-10T08:00"])
    _ = try anna.weigh("72.5", ["measured_at": "2026-05-03T08:00"])
    let home = anna.get("/")
    #expect(home.contains("72.5 kg") && home.contains("−0.6 kg in 23 days"))
    let chart = try #require(home.main.first { $0.hasClass("spark") })
    #expect(
      chart.attributes["role"] == "img"
        && chart.attributes["aria-label"]?.contains("from 73.1 kg to 72.5 kg") == true)
  }

  @Test func `a change in Hebrew stands in one isolate apart from its unit`() throws {
    let boris = try portal.register(language: .hebrew)
    _ = try boris.weigh("73.1", ["measured_at": "2026-04-10T08:00"])
    _ = try boris.weigh("72.5", ["measured_at": "2026-05-03T08:00"])
    #expect(boris.get("/").contains("\u{2068}\u{200E}\u{2212}0.6\u{2069} ק״ג"))
  }

  @Test func `the reading's card names the next reading of a week at home`() throws {
    _ = try anna.measure(128, 76)
    #expect(!anna.get("/").hasLink(to: "/health-metrics/home-week"))
    _ = try anna.submit("/health-metrics/home-week/start", ["start": "2026-05-04"])
    let home = anna.get("/")
    #expect(home.hasLink(to: "/health-metrics/home-week") && home.hasBadge("Elevated"))
  }

  @Test(arguments: ["/", "/health-metrics", "/health-metrics/blood-pressure"])
  func `a very high reading stands out and its advice is one click away`(_ page: String) throws {
    let path = try anna.measure(190, 125)
    #expect(anna.get(page).hasBadge("Very high") && anna.get(page).hasLink(to: path))
    #expect(anna.get(path).hasNotice(.warning, "Stay calm"))
    _ = try anna.measure(133, 84, at: "2026-05-04T09:00")
    #expect(anna.get("/health-metrics").badges.first == "Elevated")
  }
}
