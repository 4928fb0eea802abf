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
    #expect(home.contains("72.5 kg") && home.contains("0.6 kg less than 23 days ago"))
    let chart = try #require(home.main.first { $0.hasClass("spark") })
    #expect(
      chart.attributes["role"] == "img"
        && chart.attributes["aria-label"]?.contains("from 73.1 kg to 72.5 kg") == true)
  }

  @Test func `a change is told in words in Hebrew, too, with its amount in one isolate`() throws {
    let boris = try portal.register(language: .hebrew)
    _ = try boris.weigh("73.1", ["measured_at": "2026-04-10T08:00"])
    _ = try boris.weigh("72.5", ["measured_at": "2026-05-03T08:00"])
    #expect(boris.get("/").contains("\u{2068}0.6 ק״ג\u{2069} פחות מלפני"))
  }

  @Test func `a week at home has a card with fourteen tiles, which fill as one measures`() throws {
    let week = "/health-metrics/home-week"
    _ = try anna.measure(128, 76)
    #expect(!anna.get("/").hasLink(to: week))
    _ = try anna.submit(week + "/start", ["start": "2026-05-03"])
    func tiles(_ page: String) -> [String] {
      anna.get(page).main.first { $0.hasClass("tiles") }?.all("i")
        .map { $0.attributes["class"] ?? "" } ?? []
    }
    let rest = Array(repeating: "", count: 5)
    let evenings = ["", " now"] + rest
    #expect(tiles("/") == ["", "half now"] + rest + evenings)
    _ = try anna.measure(126, 76)
    #expect(tiles("/health-metrics") == ["", "filled now"] + rest + evenings)
    for page in ["/", "/health-metrics"] {
      #expect(anna.get(page).contains("1 of 14 mornings and evenings measured"))
      #expect(anna.get(page).hasLink(to: week))
    }
  }

  @Test(arguments: [(Language.english, "S"), (.russian, "Вс"), (.hebrew, "א׳")])
  func `the tiles of a week have the letters of its days, which screen readers pass over`(
    _ language: Language, _ sunday: String
  ) throws {
    let boris = try portal.register(language: language)
    _ = try boris.submit("/health-metrics/home-week/start", ["start": "2026-05-03"])
    let tiles = try #require(boris.get("/").main.first { $0.hasClass("tiles") })
    let letters = tiles.all("b").map(\.text)
    #expect(letters.count == 7 && letters.first == sunday)
    #expect(tiles.attributes["aria-hidden"] == "true")
  }

  @Test func `the home page tells the next reading of a week once`() throws {
    let start = "/health-metrics/home-week/start"
    _ = try anna.submit(start, ["start": "2026-05-04"])
    #expect(anna.get("/").body.components(separatedBy: "Next: today").count == 2)
    #expect(anna.get("/health-metrics").contains("Next: today"))
    let boris = try portal.register()
    _ = try boris.submit(start, ["start": "2026-05-05"])
    #expect(boris.get("/").body.components(separatedBy: "Next: 5 May 2026").count == 2)
  }

  @Test func `the cards show blood pressure first, then the week at home and the weight`() throws {
    _ = try anna.weigh("73.1")
    _ = try anna.measure(128, 76)
    _ = try anna.submit("/health-metrics/home-week/start", ["start": "2026-05-03"])
    let home = anna.get("/")
    let titles = home.main.all { $0.hasClass("card") }.flatMap { $0.all("h2").map(\.text) }
    #expect(titles.prefix(3) == ["Blood pressure", "A week at home", "Weight"])
    #expect(home.link(to: "/health-metrics/blood-pressure") == "Blood pressure")
    #expect(home.link(to: "/health-metrics/weights") == "Weight")
  }

  @Test func `the small chart ends in dots, and says which limits its lines mark`() throws {
    for (day, systolic) in [(2, 128), (3, 124)] {
      _ = try anna.measure(systolic, 78, at: "2026-05-0\(day)T08:00")
    }
    let chart = try #require(anna.get("/").main.first { $0.hasClass("spark") })
    #expect(chart.all("text").map(\.text) == ["135", "85"] && chart.all("line").count == 2)
    #expect(chart.all("circle").count == 2)
    #expect(chart.attributes["aria-label"]?.hasSuffix("limit 135/85") == true)
  }

  @Test func `the facts of the latest reading stand on one line`() throws {
    _ = try anna.measure(128, 76, ["pulse": "64", "arm": "left"])
    for page in ["/", "/health-metrics"] {
      #expect(anna.get(page).contains("08:00 · pulse 64 · left arm"), "\(page)")
    }
  }

  @Test func `the next reading of a week at home is due on its day`() throws {
    #expect(anna.get("/").rows.isEmpty)
    _ = try anna.submit("/health-metrics/home-week/start", ["start": "2026-05-04"])
    let row = try #require(anna.get("/").rows.first)
    #expect(row.contains("Blood pressure") && row.contains("reading 1 of 2"))
    let boris = try portal.register()
    _ = try boris.submit("/health-metrics/home-week/start", ["start": "2026-05-05"])
    #expect(boris.get("/").rows.isEmpty)
  }

  @Test func `a very high reading of today is due first, until another one follows`() throws {
    _ = try anna.submit("/health-metrics/home-week/start", ["start": "2026-05-04"])
    let path = try anna.measure(205, 125)
    let home = anna.get("/")
    #expect(home.rows.first == "Very high reading, 08:00: measure again 205/125 mmHg")
    #expect(home.rows.count == 2 && home.hasLink(to: path))
    _ = try anna.measure(133, 84, at: "2026-05-04T08:10")
    #expect(!anna.get("/").hasRow("Very high"))
    let boris = try portal.register()
    _ = try boris.measure(205, 125, at: "2026-05-03T23:00")
    #expect(
      boris.get("/").rows == ["Very high reading, 3 May, 23:00: measure again 205/125 mmHg"])
  }

  @Test func `the headline is the average of the last seven days, above the next step`() throws {
    _ = try anna.measure(180, 110, at: "2026-04-27T08:00")
    for (day, systolic, diastolic) in [(1, 128, 80), (2, 130, 82), (3, 124, 78)] {
      _ = try anna.measure(systolic, diastolic, at: "2026-05-0\(day)T08:00")
    }
    _ = try anna.measure(138, 72, ["pulse": "64"])
    for path in ["/", "/health-metrics"] {
      let page = anna.get(path)
      let figure = try #require(page.main.first { $0.hasClass("figure") })
      #expect(figure.text == "130/78 mmHg" && page.badges == ["Elevated", "▲ High"], "\(path)")
      #expect(page.contains("Average of 28 Apr – 4 May, 4 readings"))
      #expect(page.contains("Last: 138/72, 08:00 · pulse 64"))
    }
    let overview = anna.get("/health-metrics")
    let order = overview.main.all {
      $0.name == "figure" || $0.attributes["href"] == "/health-metrics/blood-pressure/new"
    }
    #expect(order.first?.name == "a")
  }

  @Test func `readings of two days make no average`() throws {
    _ = try anna.measure(150, 95, at: "2026-05-03T08:00")
    _ = try anna.measure(110, 65)
    for path in ["/", "/health-metrics"] {
      let page = anna.get(path)
      let figure = try #require(page.main.first { $0.hasClass("figure") })
      #expect(figure.text == "110/65 mmHg" && page.badges.isEmpty && !page.contains("Last:"))
    }
    #expect(anna.get("/health-metrics").contains("Measure on at least three days"))
  }

  @Test(arguments: [
    (110, 65, "Below 120/70 (ESC 2024, measured at home)"),
    (128, 76, "From 120/70, below 135/85 (ESC 2024, measured at home)"),
    (140, 80, "135/85 and higher (ESC 2024, measured at home)"), (205, 125, "Above 180/120"),
    (88, 58, "Below 90/60"),
  ])
  func `the overview explains the class of the average`(
    _ systolic: Int, _ diastolic: Int, _ words: String
  ) throws {
    for day in 2...4 { _ = try anna.measure(systolic, diastolic, at: "2026-05-0\(day)T08:00") }
    let hints = anna.get("/health-metrics").main.all { $0.hasClass("hint") }.map(\.text)
    #expect(hints.first == words)
  }

  @Test(arguments: [
    (110, 70, "Below 120/80"), (125, 75, "From 120, below 130/80"),
    (125, 82, "From 130/80, below 140/90"), (150, 80, "From 140/90, below 181/121"),
  ])
  func `the overview explains the classes of the AHA`(
    _ systolic: Int, _ diastolic: Int, _ words: String
  ) throws {
    _ = try anna.submit("/health-metrics/preferences", ["unit": "kg", "scheme": "aha"])
    for day in 2...4 { _ = try anna.measure(systolic, diastolic, at: "2026-05-0\(day)T08:00") }
    let hints = anna.get("/health-metrics").main.all { $0.hasClass("hint") }.map(\.text)
    #expect(hints.first == "\(words) (AHA 2017)")
  }

  @Test(arguments: ["/", "/health-metrics", "/health-metrics/blood-pressure"])
  func `a very high reading stands out and its advice is one click away`(_ page: String) throws {
    let path = try anna.measure(190, 125)
    #expect(anna.get(page).hasBadge("Very high") && anna.get(page).hasLink(to: path))
    #expect(anna.get(path).hasNotice(.warning, "Stay calm"))
    _ = try anna.measure(133, 84, at: "2026-05-04T09:00")
    #expect(anna.get("/health-metrics").badges.isEmpty)
  }
}
