import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import HealthMetrics

@Suite struct HomeWeekTests {
  @Test func `a home week counts two readings per morning and evening from day two`() throws {
    let start = try #require(CalendarDate("2026-05-01"))
    let entries = try [
      reading("2026-05-01T08:00", 200), reading("2026-05-02T08:00", 120),
      reading("2026-05-02T08:02", 130), reading("2026-05-02T08:04", 180),
      reading("2026-05-02T14:00", 190), reading("2026-05-07T20:00", 140),
      reading("2026-05-08T08:00", 190),
    ]
    let week = HomeWeek(start: start, entries)
    #expect(week.average.count == 3 && week.average.mean.systolic == 130)
    let next = week.next(at: try moment("2026-05-07T20:05"))
    #expect(next == HomeWeek.Step(day: 6, part: .evening, number: 2))
    #expect(week.isOver(at: try moment("2026-05-08T00:00")))
  }

  @Test func `a home week is started, shows the next reading and is ended`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let path = "/health-metrics/home-week"
    #expect(anna.get(path).hasLink(to: path + "/start"))
    #expect(try anna.submit(path + "/start", ["start": "2020-01-01"]).status == 422)
    #expect(try anna.submit(path + "/start", ["start": "2026-05-03"]).location == path)
    _ = try anna.measure(120, 80, at: "2026-05-04T08:00")
    let page = anna.get(path)
    #expect(page.hasNotice(.plain, "of 2"))
    #expect(page.hasRow("120/80") && page.contains("12 readings"))
    // With large text each day is a card, whose cells name their part of the day.
    let cells = page.main.all { $0.name == "td" }.prefix(2).map { $0.attributes["data-label"] }
    #expect(cells == ["Morning", "Evening"])
    #expect(!page.hasLink(to: path + "/start"), "in the midst of a week")
    #expect(page.hasLink(to: path + "/end"))
    let question = anna.get(path + "/end")
    #expect(question.contains("120/80") && question.contains("Your readings stay in your list"))
    #expect(anna.press(path + "/end", on: path + "/end").location == path)
    let ended = anna.get(path)
    #expect(ended.hasNotice(.success, "The week is ended"))
    #expect(ended.hasLink(to: path + "/start"))
    #expect(anna.get("/health-metrics/blood-pressure").hasRow("120/80"))
  }

  @Test func `a reading of a past day is entered from the table of the week`() throws {
    let portal = try TestPortal(HealthMetricsModule())
    let anna = try portal.register()
    let week = "/health-metrics/home-week"
    let start = LocalDateTime(portal.now, in: TestPortal.minsk).date.adding(days: -8)
    _ = try anna.submit(week + "/start", ["start": "\(start)"])
    let form = week + "/readings/\(start)-evening"
    let page = anna.get(week)
    #expect(page.hasLink(to: form) && !page.hasLink(to: week + "/start"))
    for minute in ["20:00", "20:02"] {
      #expect(anna.get(form).hasValue("\(start)T\(minute)", of: "measured_at"))
      let fields = ["systolic": "131", "diastolic": "82", "measured_at": "\(start)T\(minute)"]
      #expect(try anna.submit(form, fields).location == week)
    }
    #expect(anna.get(week).hasRow("131/82") && !anna.get(week).hasLink(to: form))
    let other = start.adding(days: 7)
    for slot in ["\(other)-morning", "\(start)-night", "evening"] {
      #expect(anna.get(week + "/readings/\(slot)").status == 404)
    }
  }

  @Test func `readings at night and third readings are counted beside the table`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    _ = try anna.submit("/health-metrics/home-week/start", ["start": "2026-05-03"])
    for time in ["06:00", "06:02"] { _ = try anna.measure(120, 80, at: "2026-05-04T\(time)") }
    #expect(!anna.get("/health-metrics/home-week").contains("not in the table"))
    for time in ["01:58", "06:04"] { _ = try anna.measure(131, 81, at: "2026-05-04T\(time)") }
    let page = anna.get("/health-metrics/home-week")
    #expect(page.contains("2 readings of this week are not in the table"))
    #expect(!page.hasRow("131/81"))
  }
}
