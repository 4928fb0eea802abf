import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// The form for a doctor's weekly hours.
@Suite struct WorkingHoursTests {
  private typealias Row = (weekday: String, starts: String, ends: String)

  private func fields(work: [Row], breaks: [Row] = []) -> [(String, String)] {
    work.flatMap {
      [("work_weekday", $0.weekday), ("work_starts", $0.starts), ("work_ends", $0.ends)]
    }
      + breaks.flatMap {
        [("break_weekday", $0.weekday), ("break_starts", $0.starts), ("break_ends", $0.ends)]
      }
  }

  @Test func `the form shows the stored hours`() throws {
    let town = try Town()
    let admin = try town.portal.administrator()
    let page = admin.get(town.doctorPath + "/hours")
    #expect(page.value(of: "work_weekday") == "1-5")
    #expect(page.contains("id=\"work_starts-1\"") && !page.contains("id=\"work_starts-2\""))
    #expect(page.hasFact("Mon–Fri 09:00–13:00, 14:00–17:00"))
    #expect(page.hasValue("09:00") && page.hasValue("14:00"))
    let details = admin.get(town.doctorPath)
    #expect(details.hasFact("09:00–17:00") && details.hasFact("break 13:00–14:00"))
    #expect(details.contains("Europe/Minsk"))
  }

  @Test func `saved hours replace the week, and 00:00 as an end means 24:00`() throws {
    let town = try Town()
    let admin = try town.portal.administrator()
    let sent = fields(
      work: [("1", "08:00", "12:00"), ("1", "13:00", "00:00"), ("7", "00:00", "00:00")],
      breaks: [("1", "09:00", "09:30")])
    let answer = try admin.submit(town.doctorPath + "/hours", pairs: sent)
    #expect(answer.status == 303 && answer.location == town.doctorPath)
    let page = admin.get(town.doctorPath)
    #expect(page.hasFact("08:00–12:00, 13:00–24:00"))
    #expect(page.contains("Sunday") && page.fact("Sunday") == "00:00–24:00")
    #expect(!page.contains("Tuesday"))
    let kept = admin.get(town.doctorPath + "/hours").hidden(of: town.doctorPath + "/hours")
    #expect(!kept.isEmpty)
    #expect(try town.portal.count("SELECT max(ends) FROM appointments_hours") == 1_440)
  }

  @Test func `the schedule uses the stored hours in the clinic's time zone`() throws {
    let town = try Town()
    let admin = try town.portal.administrator()
    _ = try admin.submit(
      town.doctorPath + "/hours", pairs: fields(work: [("1", "10:00", "11:00")]))
    let day = try #require(CalendarDate("2026-05-11"))
    let schedule = try town.portal.read {
      try DoctorSchedule.find(of: town.doctor, during: day...day, in: $0)
    }
    // Minsk is three hours ahead of UTC.
    let start = Instant(Int64(day.daysSince1970) * 86_400) + .hours(7)
    #expect(schedule?.working(on: day) == [start..<start + .hours(1)])
  }

  @Test(arguments: [
    ("1 09:00-12:00, 1 11:55-13:00", "", "work_starts-2"),
    ("1 09:00-12:00, 2 11:00-13:00, 1 08:00-20:00", "", "work_starts-3"),
    ("1 12:00-09:00", "", "work_ends-1"), ("1 12:00-12:00", "", "work_ends-1"),
    ("1 09:03-12:00", "", "work_starts-1"), ("1 09:00-11:59", "", "work_ends-1"),
    ("1 -12:00", "", "work_starts-1"), ("1 09:00-", "", "work_ends-1"),
    ("1 25:00-26:00", "", "work_starts-1"), ("8 09:00-12:00", "", "work_weekday-1"),
    ("1 09:00-24:00", "", "work_ends-1"), ("1 nine-12:00", "", "work_starts-1"),
    ("1 09:00-12:00", "1 11:00-12:05", "break_starts-1"),
    ("1 09:00-12:00", "2 10:00-10:30", "break_starts-1"),
    ("1 09:00-12:00", "1 10:00-10:30, 1 10:25-10:35", "break_starts-2"),
  ])
  func `invalid hours are refused with 422 and an error at their row`(
    _ work: String, _ breaks: String, _ field: String
  ) throws {
    let town = try Town()
    let admin = try town.portal.administrator()
    let sent = fields(work: rows(work), breaks: rows(breaks))
    let page = try admin.submit(town.doctorPath + "/hours", pairs: sent)
    #expect(page.refuses(field), "\(field)")
    #expect(page.hasLink(to: "#\(field)"))
    #expect(try town.portal.count("SELECT count(*) FROM appointments_hours") == 10)
  }

  /// Parses rows such as “1 09:00-12:00, 2 13:00-”.
  private func rows(_ text: String) -> [Row] {
    text.split(separator: ", ").map { row in
      let parts = row.split(separator: " ", omittingEmptySubsequences: false)
      let times = parts[1].split(separator: "-", omittingEmptySubsequences: false)
      return (String(parts[0]), String(times[0]), String(times[1]))
    }
  }

  @Test func `adjacent hours and hours on different days are accepted`() throws {
    let town = try Town()
    let admin = try town.portal.administrator()
    let sent = fields(
      work: [("1", "09:00", "12:00"), ("1", "12:00", "15:00"), ("2", "09:00", "15:00")])
    #expect(try admin.submit(town.doctorPath + "/hours", pairs: sent).status == 303)
  }

  @Test(arguments: [
    ("1-5", [1, 2, 3, 4, 5]), ("7-4", [1, 2, 3, 4, 7]), ("1-7", [1, 2, 3, 4, 5, 6, 7]),
  ])
  func `a row for several days stores and shows the hours of each`(days: String, numbers: [Int])
    throws
  {
    let town = try Town()
    let admin = try town.portal.administrator()
    let path = town.doctorPath + "/hours"
    let sent = fields(work: [(days, "08:00", "12:00")], breaks: [(days, "10:00", "10:15")])
    #expect(try admin.submit(path, pairs: sent).status == 303)
    let stored = try town.portal.read {
      try WorkingHours.find(of: town.doctor, in: $0)
    }
    #expect(stored.work.map(\.weekday.number) == numbers)
    #expect(stored.breaks.map(\.weekday.number) == numbers)
    #expect(admin.get(path).value(of: "work_weekday") == days)
    #expect(!admin.get(path).contains("id=\"work_starts-2\""))
  }

  @Test(arguments: [
    ("1-5 09:00-12:00, 3 11:00-13:00", "", "work_starts-2"),
    ("7-4 09:00-12:00, 1-7 08:00-10:00", "", "work_starts-2"),
    ("1-5 09:00-12:00", "1-7 10:00-10:30", "break_starts-1"),
    ("9-9 09:00-12:00", "", "work_weekday-1"),
  ])
  func `rows of several days must not overlap, nor have breaks on other days`(
    work: String, breaks: String, field: String
  ) throws {
    let town = try Town()
    let sent = fields(work: rows(work), breaks: rows(breaks))
    let page = try town.portal.administrator().submit(town.doctorPath + "/hours", pairs: sent)
    #expect(page.refuses(field))
  }

  @Test func `the preview shows typed hours in words and saves nothing`() throws {
    let town = try Town()
    let admin = try town.portal.administrator()
    let sent = fields(work: [("1-5", "08:00", "18:00"), ("6", "09:00", "12:00")])
    let page = try admin.submit(town.doctorPath + "/hours", pairs: sent + [("add", "preview")])
    #expect(page.status == 200)
    #expect(page.hasFact("Mon–Fri 08:00–18:00") && page.hasFact("Sat 09:00–12:00"))
    #expect(try town.portal.count("SELECT count(*) FROM appointments_hours") == 10)
  }

  @Test func `a row is added without a script, and an empty row is ignored`() throws {
    let town = try Town()
    let admin = try town.portal.administrator()
    let one = fields(work: [("1", "09:00", "12:00")])
    let added = try admin.submit(town.doctorPath + "/hours", pairs: one + [("add", "work")])
    #expect(added.status == 200 && added.contains("id=\"work_starts-2\""))
    let sent = fields(work: [("1", "09:00", "12:00"), ("3", "", "")])
    #expect(try admin.submit(town.doctorPath + "/hours", pairs: sent).status == 303)
    #expect(try town.portal.count("SELECT count(*) FROM appointments_hours") == 1)
  }

  @Test func `a doctor's page says when there are no working hours`() throws {
    let town = try Town()
    let admin = try town.portal.administrator()
    #expect(try admin.submit(town.doctorPath + "/hours", pairs: []).status == 303)
    #expect(admin.get(town.doctorPath).contains("No working hours yet"))
  }

  @Test func `a concurrent change of the hours is refused with 409`() throws {
    let town = try Town()
    let admin = try town.portal.administrator()
    let path = town.doctorPath + "/hours"
    let late = admin.get(path).hidden(of: path).filter { $0.0 != "work_row" && $0.0 != "break_row" }
    _ = try admin.submit(path, pairs: fields(work: [("1", "08:00", "12:00")]))
    let answer = admin.post(path, pairs: late + fields(work: [("2", "09:00", "12:00")]))
    #expect(answer.status == 409)
  }
}
