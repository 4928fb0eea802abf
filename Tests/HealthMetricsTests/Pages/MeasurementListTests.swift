import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import HealthMetrics

/// The lists of measurements, and what is said after a change.
@Suite struct MeasurementListTests {
  private let portal: TestPortal
  private let anna: TestVisitor
  private let readings = "/health-metrics/blood-pressure"

  init() throws {
    portal = try TestPortal(HealthMetricsModule())
    anna = try portal.register()
  }

  @Test func `a reading has one row with its time, values and pulse, below its month`() throws {
    let evening = try anna.measure(121, 81, at: "2026-05-03T20:00")
    let morning = try anna.measure(120, 80, at: "2026-05-03T08:00", ["pulse": "64"])
    _ = try anna.measure(136, 80, at: "2026-05-03T08:02")
    _ = try anna.measure(122, 82, at: "2026-05-04T08:00")
    let list = anna.get(readings)
    #expect(list.sections == ["May 2026"])
    #expect(
      list.rows == [
        "4 May Morning 08:00 122/82", "3 May Evening 20:00 121/81",
        "3 May Morning 08:02 136/80 ▲ High", "3 May Morning 08:00 120/80 pulse 64",
      ])
    #expect(list.hasLink(to: morning) && list.hasLink(to: evening))
    // Only the first row of a day and of its part shows their names to the eye.
    let rows = try #require(list.main.first { $0.hasClass("readings") })
    let unseen = rows.all { $0.hasClass("hidden-text") }.map(\.text)
    #expect(unseen == ["3 May", "3 May", "Morning"])
    _ = try anna.weigh("72", ["measured_at": "2026-04-03T08:00"])
    _ = try anna.weigh("71", ["measured_at": "2026-04-04T08:00"])
    #expect(anna.get("/health-metrics/weights").sections == ["April 2026"])
  }

  @Test func `a month of the list shows its readings and leads to the months beside it`() throws {
    for month in ["03", "04", "05"] { _ = try anna.measure(120, 80, at: "2026-\(month)-02T08:00") }
    let april = anna.get(readings + "?month=2026-04")
    #expect(april.sections == ["April 2026"] && april.value(of: "month") == "2026-04")
    #expect(april.hasLink(to: readings + "?month=2026-03"))
    #expect(april.hasLink(to: readings + "?month=2026-05"))
    #expect(!anna.get(readings + "?month=2026-03").hasLink(to: readings + "?month=2026-02"))
    #expect(anna.get(readings + "?month=1").sections.count == 3)
    #expect(anna.get(readings + "?month=2020-01").sections.isEmpty)
  }

  @Test func `the choice of a month and the files are folded up until a month is chosen`() throws {
    _ = try anna.measure(120, 80)
    func tools(_ query: String) throws -> TestElement {
      try #require(anna.get(readings + query).main.first { $0.name == "details" })
    }
    let closed = try tools("")
    #expect(closed.attributes["open"] == nil && closed.first { $0.name == "form" } != nil)
    let links = closed.all { $0.name == "a" }.map { $0.attributes["href"] ?? "" }
    #expect(links == [readings + "/import", readings + "/export.csv"])
    #expect(try tools("?month=2026-05").attributes["open"] != nil)
  }

  @Test(arguments: [(Language.russian, "Май 2026"), (.hebrew, "מאי 2026")])
  func `the month of a list is named in full`(_ language: Language, _ month: String) throws {
    let boris = try portal.register(language: language)
    _ = try boris.measure(120, 80)
    #expect(boris.get(readings).sections == [month])
  }

  @Test func `saving a reading is confirmed once, above its page`() throws {
    let path = try anna.measure(120, 80)
    #expect(anna.get(path).hasNotice(.success, "The reading was saved."))
    #expect(!anna.get(path).hasNotice(.success))
  }

  @Test func `a second reading can be added at once`() throws {
    let fields = [
      "systolic": "120", "diastolic": "80", "measured_at": "2026-05-04T08:00", "again": "yes",
    ]
    let answer = try anna.submit(readings + "/new", fields)
    #expect(answer.status == 303 && answer.location == readings + "/new")
    let form = anna.get(answer.location)
    #expect(form.hasNotice(.success, "saved") && form.value(of: "systolic") == "")
    #expect(anna.get(readings).hasRow("120/80"))
  }

  @Test func `an undone deletion says what was restored`() throws {
    let path = try anna.weigh("72")
    let list = try anna.submit(path + "/delete", [:]).location
    let restored = anna.press("/account/deleted/restore", on: list)
    #expect(restored.location == path)
    #expect(anna.get(path).hasNotice(.success, "The weight was restored."))
  }

  @Test func `the weight's page leads to the height in the profile until it is known`() throws {
    #expect(anna.get(try anna.weigh("72")).hasLink(to: "/account/edit#height"))
    let tall = try portal.register(["height": "180"])
    #expect(!tall.get(try tall.weigh("72")).hasLink(to: "/account/edit#height"))
  }

  @Test func `a guardian is not led from the person's weight to the guardian's own profile`() throws
  {
    let mia = try portal.register()
    let weight = try mia.weigh("72")
    let page = anna.get(try anna.act(for: mia, .all) + weight)
    #expect(page.status == 200 && !page.contains("/account/edit#height"))
    #expect(mia.get(weight).hasLink(to: "/account/edit#height"))
  }

  @Test(arguments: [("kg", "7000", "700 kg"), ("lb", "7000", "1543 lb"), ("kg", "0.1", "0.2")])
  func `an impossible weight is refused with the limits of its unit`(
    _ unit: String, _ value: String, _ told: String
  ) throws {
    let answer = try anna.submit(
      "/health-metrics/weights/new",
      ["value": value, "unit": unit, "measured_at": "2026-05-04T08:00"])
    #expect(answer.refuses("value") && answer.error(of: "value")?.contains(told) == true)
  }
}
