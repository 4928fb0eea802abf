import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// Days off and extra hours of doctors, and closed days of clinics.
@Suite struct SpecialHoursTests {
  private func days(of town: Town, _ first: String, _ last: String) throws -> [Int] {
    let first = try #require(CalendarDate(first))
    let last = try #require(CalendarDate(last))
    let schedule = try town.portal.read {
      try DoctorSchedule.find(of: town.doctor, during: first...last, in: $0)
    }
    return (first.daysSince1970...last.daysSince1970).map { day in
      let spans = schedule?.working(on: CalendarDate(daysSince1970: day)) ?? []
      return spans.reduce(0) { $0 + Int(($1.upperBound - $1.lowerBound).count / 60) }
    }
  }

  @Test func `a holiday of several days is listed as one range and has no working time`() throws {
    let town = try Town()
    let admin = try town.portal.administrator()
    let answer = try admin.submit(
      town.doctorPath + "/exceptions/new",
      ["exception": "off", "first_day": "2026-05-12", "last_day": "2026-05-14"])
    #expect(answer.location == town.doctorPath)
    let page = admin.get(town.doctorPath)
    #expect(page.hasRow("12 May 2026 – 14 May 2026") && page.hasRow("all day"))
    #expect(try days(of: town, "2026-05-11", "2026-05-15") == [420, 0, 0, 0, 420])
  }

  @Test func `time off for part of a day and extra hours change the working time`() throws {
    let town = try Town()
    let admin = try town.portal.administrator()
    let path = town.doctorPath + "/exceptions/new"
    _ = try admin.submit(
      path,
      ["exception": "off", "first_day": "2026-05-11", "starts": "15:00", "ends": "00:00"])
    _ = try admin.submit(
      path,
      ["exception": "extra", "first_day": "2026-05-10", "starts": "10:00", "ends": "12:00"])
    #expect(try days(of: town, "2026-05-10", "2026-05-11") == [120, 300])
    #expect(admin.get(town.doctorPath).hasRow("15:00–24:00"))
  }

  @Test func `a closed day of the clinic removes its doctors' working time`() throws {
    let town = try Town()
    let admin = try town.portal.administrator()
    let answer = try admin.submit(
      town.clinicPath + "/exceptions/new", ["first_day": "2026-05-11"])
    #expect(answer.location == town.clinicPath)
    #expect(admin.get(town.clinicPath).hasRow("11 May 2026"))
    #expect(try days(of: town, "2026-05-11", "2026-05-12") == [0, 420])
  }

  @Test func `deleting a holiday restores the working time of all its days`() throws {
    let town = try Town()
    let admin = try town.portal.administrator()
    _ = try admin.submit(
      town.doctorPath + "/exceptions/new",
      ["exception": "off", "first_day": "2026-05-12", "last_day": "2026-05-14"])
    let path = "/appointments/admin/exceptions/2/delete"
    #expect(admin.get(path).contains("12 May 2026 – 14 May 2026"))
    #expect(try admin.submit(path, [:]).location == town.doctorPath)
    #expect(try days(of: town, "2026-05-12", "2026-05-14") == [420, 420, 420])
    #expect(admin.get(path).status == 404)
  }

  @Test func `overlapping days off are stored once per day`() throws {
    let town = try Town()
    let admin = try town.portal.administrator()
    for last in ["2026-05-13", "2026-05-14"] {
      _ = try admin.submit(
        town.doctorPath + "/exceptions/new",
        ["exception": "off", "first_day": "2026-05-12", "last_day": last])
    }
    #expect(try town.portal.count("SELECT count(*) FROM appointments_exceptions") == 3)
  }

  @Test func `a past day off is not listed`() throws {
    let town = try Town()
    let admin = try town.portal.administrator()
    _ = try admin.submit(
      town.doctorPath + "/exceptions/new", ["exception": "off", "first_day": "2026-05-04"])
    #expect(admin.get(town.doctorPath).hasRow("all day"))
    town.portal.now = TestPortal.start + .days(1)
    _ = try admin.signIn(admin.login)
    #expect(!admin.get(town.doctorPath).hasRow("all day"))
  }

  @Test(arguments: [
    ("first_day=", "first_day"), ("first_day=2026-02-30", "first_day"),
    ("first_day=2026-05-03", "first_day"), ("last_day=2026-05-11", "last_day"),
    ("last_day=2027-05-14", "last_day"), ("last_day=9999-12-31", "last_day"),
    ("starts=09:00", "ends"), ("ends=09:00", "starts"), ("starts=10:00 ends=09:00", "ends"),
    ("starts=10:01 ends=11:00", "starts"), ("exception=extra", "starts"),
    ("exception=holiday", "exception"), ("starts=1000 ends=11:00", "starts"),
  ])
  func `invalid days and times are refused with 422 and an error beside the field`(
    _ changes: String, _ field: String
  ) throws {
    let town = try Town()
    let admin = try town.portal.administrator()
    var fields = ["exception": "off", "first_day": "2026-05-12"]
    for change in changes.split(separator: " ") {
      let parts = change.split(separator: "=", omittingEmptySubsequences: false)
      fields[String(parts[0])] = String(parts[1])
    }
    let page = try admin.submit(town.doctorPath + "/exceptions/new", fields)
    #expect(page.refuses(field), "\(changes)")
    #expect(try town.portal.count("SELECT count(*) FROM appointments_exceptions") == 0)
  }
}
