import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import HealthMetrics

/// The readings of children, to whom the limits of adults do not apply.
@Suite struct ChildrenTests {
  private static let sentence = "For children and teenagers other limits apply: ask the doctor."
  /// Words of classes, limits and alarms.
  private static let judgements = [
    "Not elevated", "Elevated", "Hypertension", "Very high", "very high", "is low",
    "is high", "135/85", "ambulance",
  ]
  private static let pages = [
    "/", "/health-metrics", "/health-metrics/blood-pressure",
    "/health-metrics/blood-pressure/chart?range=all", "/health-metrics/report",
    "/health-metrics/home-week",
  ]

  private let portal: TestPortal

  init() throws { portal = try TestPortal(HealthMetricsModule()) }

  /// Registers somebody born on a day, who has a low, a usual and a very high reading in a week at
  /// home, and returns the pages of these readings too.
  private func person(born day: String) throws -> (visitor: TestVisitor, pages: [String]) {
    let visitor = try portal.register(["birth_date": day])
    _ = try visitor.submit("/health-metrics/home-week/start", ["start": "2026-05-01"])
    let readings = [
      try visitor.measure(84, 52, at: "2026-05-03T08:00"),
      try visitor.measure(118, 68, at: "2026-05-03T20:00"),
      try visitor.measure(190, 100),
    ].map { String($0.prefix { $0 != "?" }) }
    return (visitor, Self.pages + readings)
  }

  @Test func `a child's readings have no class, no limit and no alarm on any page`() throws {
    let (mia, pages) = try person(born: "2012-03-04")
    for page in pages {
      let shown = mia.get(page)
      #expect(shown.status == 200 && shown.contains(Self.sentence), "\(page)")
      for word in Self.judgements {
        #expect(!shown.text.contains(word), "\(page) says \(word)")
      }
      #expect(!shown.text.split(separator: " ").contains("Low"), "\(page)")
    }
    let report = mia.get("/health-metrics/report")
    #expect(report.contains("190/100") && !report.contains("▲"))
  }

  @Test func `the form for the next reading gives a child no advice on the one before`() throws {
    let (mia, _) = try person(born: "2012-03-04")
    _ = try mia.measure(190, 100, at: "2026-05-04T11:55")
    let form = mia.get("/health-metrics/blood-pressure/new")
    #expect(form.contains("190/100") && !form.contains("ambulance"))
    #expect(!form.text.contains("Very high"))
  }

  @Test(arguments: ["2008-05-04", "1980-01-01"])
  func `who is of age gets classes and alarms`(born day: String) throws {
    let (anna, pages) = try person(born: day)
    for page in pages { #expect(!anna.get(page).contains(Self.sentence), "\(page)") }
    #expect(anna.get(pages[pages.count - 1]).contains("ambulance"))
    #expect(anna.get("/health-metrics/report").text.contains("▲ 190/100"))
  }

  @Test func `whose date of birth is unknown is judged as an adult`() throws {
    let anna = try portal.register()
    let reading = try anna.measure(190, 100)
    #expect(anna.get(reading).contains("ambulance"))
  }
}
