import PolyclinicCharts
import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import HealthMetrics

@Suite struct ChartTests {
  @Test func `averages are calculated for each time of day`() throws {
    let entries = try [
      reading("2026-05-01T05:00", 120), reading("2026-05-01T11:59", 130),
      reading("2026-05-01T12:00", 140), reading("2026-05-01T23:00", 150),
      reading("2026-05-02T04:59", 160),
    ]
    let parts = DayPart.averages(entries, PressureStatistic())
    #expect(parts.map(\.part) == [.morning, .afternoon, .night])
    #expect(parts.map(\.average.mean.systolic) == [125, 140, 155])
  }

  @Test func `periods are days, weeks or months, depending on the limit`() throws {
    let entries = try (1...28).map {
      try reading("2026-02-\($0 < 10 ? "0" : "")\($0)T08:00", 100 + $0)
    }
    let days = Period.all(of: entries, PressureStatistic(), atMost: 28)
    #expect(days.count == 28 && days[0].periodLength == .day)
    let weeks = Period.all(of: entries, PressureStatistic(), atMost: 27)
    #expect(weeks.map(\.periodLength) == Array(repeating: .week, count: 5))
    // 1 February 2026 is a Sunday, in a week that began in January.
    #expect(weeks[0].start.description == "2026-01-26" && weeks[0].average.count == 1)
    let months = Period.all(of: entries, PressureStatistic(), atMost: 4)
    #expect(months.map(\.start.description) == ["2026-02-01"])
  }

  @Test func `a chart shows the readings in its range and summarizes them in words`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    _ = try anna.measure(120, 80, at: "2026-05-03T08:00", ["pulse": "60"])
    _ = try anna.measure(130, 84, at: "2026-05-04T08:00", ["pulse": "70"])
    _ = try anna.measure(150, 95, at: "2026-01-04T08:00")
    let page = anna.get("/health-metrics/blood-pressure/chart?range=week")
    #expect(page.status == 200 && page.contains("<svg role=\"img\""))
    #expect(page.contains("2 readings, 28 April 2026 – 4 May 2026: average 125/82"))
    #expect(page.hasRow("125/82") && !page.contains("150/95"))
    #expect(!page.contains("style="))
    let all = anna.get("/health-metrics/blood-pressure/chart?range=all")
    #expect(all.contains("3 readings"))
  }

  @Test func `a day has bars for its morning and its evening, and one sentence`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    _ = try anna.measure(118, 76, at: "2026-05-03T08:00")
    _ = try anna.measure(124, 80, at: "2026-05-03T08:02")
    _ = try anna.measure(132, 84, at: "2026-05-03T20:00")
    _ = try anna.measure(130, 82, at: "2026-05-04T08:00")
    let page = anna.get("/health-metrics/blood-pressure/chart?range=week")
    #expect(page.main.all { $0.hasClass("bar") && $0.name == "line" }.count == 2)
    let single = page.main.all { $0.hasClass("single") }.map { $0.attributes["cx"] ?? "" }
    #expect(single.count == 8 && Set(single).count == 3)
    let sentences = page.main.all { $0.hasClass("hit") }.map(\.text)
    #expect(sentences.count == 2 && sentences[0].contains("125/80 mmHg on average of 3 readings"))
    let readout = try #require(page.main.first { $0.hasClass("readout") })
    // The chart begins with the figure of the whole range.
    #expect(page.main.first { $0.hasClass("figure") }?.text.contains("126/81") == true)
    #expect(readout.text == "Average of 4 readings")
    #expect(readout.attributes["aria-live"] == "polite")
    #expect(page.main.all { $0.hasClass("value") }.map(\.text) == ["130", "82"])
    #expect(page.hasRow("118–132 / 76–84"))
  }

  @Test(arguments: Language.allCases)
  func `a pair of ranges has the systolic one first in every language`(_ language: Language) throws
  {
    let anna = try TestPortal(HealthMetricsModule()).register(language: language)
    _ = try anna.measure(118, 74, at: "2026-05-03T08:00")
    _ = try anna.measure(137, 87, at: "2026-05-03T20:00")
    let page = anna.get("/health-metrics/blood-pressure/chart?range=week")
    let overview = anna.get("/health-metrics")
    let readout = try #require(overview.main.first { $0.hasClass("readout") })
    // The whole pair is one isolate in sentences from right to left.
    let isolate = language == .hebrew ? "\u{2068}118–137 / 74–87\u{2069}" : "118–137 / 74–87"
    #expect(readout.text.contains(isolate) && page.hasRow("118–137 / 74–87"))
  }

  @Test(arguments: [("esc-home", "135/85"), ("esc-office", "140/90"), ("aha", "130/80")])
  func `the chart has lines at the guideline's limit of hypertension`(
    _ scheme: String, _ limit: String
  ) throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    _ = try anna.submit("/health-metrics/preferences", ["unit": "kg", "scheme": scheme])
    _ = try anna.measure(128, 76, at: "2026-05-03T08:00")
    let page = anna.get("/health-metrics/blood-pressure/chart?range=week")
    let keys = page.main.all { $0.hasClass("key") && $0.hasClass("limit") }.map(\.text)
    #expect(keys == ["High from \(limit)"])
    #expect(page.main.all { $0.name == "line" && $0.hasClass("limit") }.count == 2)
    let labels = page.main.all { $0.name == "text" && $0.hasClass("limit") }.map(\.text)
    #expect(labels.joined(separator: "/") == limit)
    #expect(page.main.all { $0.hasClass("band") }.isEmpty)
  }

  @Test func `only what is above a limit is drawn as high`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    func high() -> [TestElement] {
      anna.get("/health-metrics/blood-pressure/chart?range=week").main.all { $0.hasClass("high") }
    }
    _ = try anna.measure(134, 84, at: "2026-05-03T08:00")
    _ = try anna.measure(120, 80, at: "2026-05-03T08:02")
    #expect(high().isEmpty)
    _ = try anna.measure(142, 82, at: "2026-05-03T08:04")
    #expect(high().map(\.name) == ["line", "circle"])
  }

  @Test func `the axis covers a very high reading, whose values stand highest`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    for day in 10...25 {
      _ = try anna.measure(day == 20 ? 205 : 122, day == 20 ? 125 : 78, at: "2026-04-\(day)T08:00")
    }
    _ = try anna.measure(130, 80, at: "2026-04-20T08:02")
    let page = anna.get("/health-metrics/blood-pressure/chart?range=month")
    #expect(page.contains("systolic 122–205"))
    let axis = page.main.all { $0.name == "text" && $0.attributes["dx"] == "-6" }.map(\.text)
    #expect(axis.contains("135") && axis.compactMap { Int($0) }.max() ?? 0 >= 205)
    #expect(page.main.all { $0.hasClass("beside") }.isEmpty)
    // Now the bars of that morning would be one stroke from 76 to 205.
    _ = try anna.measure(118, 76, at: "2026-04-20T08:04")
    let crossing = anna.get("/health-metrics/blood-pressure/chart?range=month")
    #expect(crossing.main.all { $0.name == "g" && $0.hasClass("beside") }.count == 1)
  }

  @Test func `targets are shown only to people who say that they are treated`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    _ = try anna.measure(128, 76, at: "2026-05-03T08:00")
    let chart = "/health-metrics/blood-pressure/chart?range=week"
    func targets() -> Bool { anna.get(chart).contains("Target systolic") }
    #expect(!targets())
    let preferences = "/health-metrics/preferences"
    _ = try anna.submit(preferences, ["unit": "kg", "scheme": "esc-home", "treated": "yes"])
    #expect(targets())
    _ = try anna.submit(preferences, ["unit": "kg", "scheme": "esc-home", "treated": ""])
    #expect(!targets())
  }

  @Test func `each target is named and drawn differently`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    _ = try anna.submit(
      "/health-metrics/preferences", ["unit": "kg", "scheme": "esc-home", "treated": "yes"])
    _ = try anna.measure(190, 125, at: "2026-05-03T08:00")
    _ = try anna.measure(125, 76, at: "2026-05-04T08:00")
    let page = anna.get("/health-metrics/blood-pressure/chart?range=week")
    let bands = page.main.all { $0.name == "rect" && $0.hasClass("band") }
    #expect(bands.map { $0.hasClass("second") } == [false, true])
    #expect(page.main.all { $0.attributes["fill"] == "url(#pressure-hatch)" }.count == 1)
    let names = Set(page.main.all { $0.name == "text" && $0.hasClass("name") }.map(\.text))
    #expect(names.count == 2)
    #expect(page.main.all { $0.hasClass("key") && $0.hasClass("band") }.count == 2)
  }

  @Test func `a few new measurements have an axis of a week instead of a quarter`() throws {
    let zone = try #require(Zone("Europe/Minsk"))
    let today = try #require(CalendarDate("2026-05-30"))
    let span = DaySpan(.quarter, until: today)
    func days(since first: String) throws -> Int {
      let moments = span.moments(from: try moment("\(first)T08:00"), in: zone)
      return Int((moments.upperBound - moments.lowerBound).count / 86_400)
    }
    #expect(try days(since: "2026-05-28") == 7)
    #expect(try days(since: "2026-05-01") == 30)
    #expect(try days(since: "2026-03-05") == 91)
  }

  @Test func `a pause of six days among daily weights is a gap`() throws {
    let start = try moment("2026-05-01T08:00").instant
    let days = [0, 1, 2, 3, 5, 6, 12, 13, 14]
    let points = days.map { Chart.Point(at: start + .days($0), value: 70) }
    #expect(Chart.gap(between: points) < .days(6))
  }

  @Test func `a month has a line of averages, and the average of the month before`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    for day in 1...20 {
      let date = day < 10 ? "0\(day)" : "\(day)"
      _ = try anna.measure(day == 20 ? 150 : 120, 80, at: "2026-04-\(date)T08:00")
    }
    for day in 10...20 { _ = try anna.measure(130, 84, at: "2026-03-\(day)T08:00") }
    let page = anna.get("/health-metrics/blood-pressure/chart?range=month&to=2026-04-20")
    let lines = page.main.all { $0.name == "polyline" }
    #expect(lines.count == 2)
    #expect(page.main.first { $0.hasClass("averaged") } != nil)
    let figure = try #require(page.main.first { $0.name == "figure" })
    #expect(figure.text.contains("Average of 20 readings · 1 of them high"))
    let custom = anna.get(
      "/health-metrics/blood-pressure/chart?range=custom&from=2026-04-01&to=2026-04-20")
    #expect(
      custom.contains("compared with the 20 days before: systolic 8 lower, diastolic 4 lower"))
  }

  @Test func `the readout says which value has not changed`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    for day in [10, 11] { _ = try anna.measure(130, 80, at: "2026-04-\(day)T08:00") }
    for day in [12, 13] { _ = try anna.measure(130, 81, at: "2026-04-\(day)T08:00") }
    let chart = "/health-metrics/blood-pressure/chart?range=custom&from=2026-04-12&to=2026-04-13"
    #expect(
      anna.get(chart).contains(
        "compared with the 2 days before: systolic unchanged, diastolic 1 higher"))
  }

  @Test func `the averages of a week that has not ended stay within the chart`() throws {
    let portal = try TestPortal(HealthMetricsModule())
    let anna = try portal.register()
    let keys = try portal.keys(of: anna)
    // More days than a chart has bars, up to a Monday.
    let entries = (0..<80).map { day in
      var reading = BloodPressure()
      reading.systolic = 120 + day % 7
      reading.diastolic = 80
      reading.measuredAt = ZonedTime(portal.now - .days(79 - day), in: .utc)
      return BloodPressure.Entry(reading, id: ID(Int64(day + 1)))
    }
    try portal.write { try BloodPressure.index.rebuild(entries, in: $0.with(keys)) }
    let page = anna.get("/health-metrics/blood-pressure/chart?range=quarter")
    let lines = page.main.all { $0.name == "polyline" }.map { $0.attributes["points"] ?? "" }
    let places = lines.flatMap { $0.split(separator: " ") }.compactMap { point in
      Int(point.prefix { $0 != "," })
    }
    #expect(lines.count == 2 && places.count > 20)
    #expect(places.allSatisfy { (0...4_000).contains($0) })
  }

  @Test func `links lead to the days before and after a range`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    _ = try anna.measure(118, 76, at: "2026-05-03T08:00")
    _ = try anna.measure(140, 90, at: "2026-04-24T08:00")
    let path = "/health-metrics/blood-pressure/chart"
    func turn(_ rel: String, _ page: TestPage) -> String? {
      page.main.first { $0.attributes["rel"] == rel }?.attributes["href"]
    }
    let week = anna.get("\(path)?range=week")
    #expect(week.main.first { $0.name == "strong" }?.text == "28 Apr – 4 May")
    #expect(turn("next", week) == nil)
    let earlier = try #require(turn("prev", week))
    #expect(earlier == "\(path)?range=week&to=2026-04-27")
    let before = anna.get(earlier)
    #expect(before.hasRow("140/90") && !before.hasRow("118/76"))
    #expect(turn("next", before) == "\(path)?range=week&to=2026-05-04")
    let custom = anna.get("\(path)?range=custom&from=2026-04-20&to=2026-04-29")
    #expect(turn("prev", custom) == "\(path)?range=custom&from=2026-04-10&to=2026-04-19")
    #expect(turn("next", custom) == "\(path)?range=custom&from=2026-04-30&to=2026-05-09")
    #expect(turn("prev", anna.get("\(path)?range=all")) == nil)
    #expect(anna.get("\(path)?range=week&to=x").status == 422)
  }

  @Test func `each day of a week has its number at the axis of a narrow chart`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    _ = try anna.measure(118, 76, at: "2026-05-03T08:00")
    let page = anna.get("/health-metrics/blood-pressure/chart?range=week")
    let labels = page.main.all { $0.hasClass("time") && $0.hasClass("brief") }.map(\.text)
    #expect(labels == ["28", "29", "30", "1", "2", "3", "4"])
  }

  @Test func `other dates are folded until they are chosen`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    _ = try anna.weigh("72")
    func isOpen(_ query: String) throws -> Bool {
      let page = anna.get("/health-metrics/weights/chart?\(query)")
      let folded = try #require(page.main.first { $0.name == "details" })
      return folded.attributes["open"] != nil
    }
    #expect(try !isOpen("range=month"))
    #expect(try isOpen("range=custom&from=2026-04-01&to=2026-05-01"))
    #expect(try isOpen("range=custom&from=x&to="))
  }

  @Test(arguments: [
    ("from=2026-05-01&to=2026-04-01", 422), ("from=x&to=2026-04-01", 422), ("", 422),
    ("from=2026-04-01&to=2026-05-01", 200), ("from=0001-01-01&to=9999-12-31", 200),
  ])
  func `an invalid custom range is refused, and a valid one accepted`(
    _ query: String, _ status: Int
  ) throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    _ = try anna.weigh("72")
    for page in ["weights/chart", "blood-pressure/chart", "report"] {
      #expect(anna.get("/health-metrics/\(page)?range=custom&\(query)").status == status)
    }
  }
}
