import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// The days off that a doctor enters on a page of their own.
@Suite struct OwnHoursTests {
  private let town: Town
  private let anna: TestVisitor
  private var portal: TestPortal { town.portal }
  private var doctor: TestVisitor { town.doctorVisitor }

  private static let page = "/appointments/hours"
  private static let dayOff = ["exception": "off", "first_day": "2026-05-12"]

  init() throws {
    town = try Town()
    anna = try town.portal.register()
  }

  @Test func `the doctor's day leads to the hours, which list weekly hours and days off`() throws {
    #expect(doctor.get("/appointments/day").hasLink(to: Self.page))
    let page = doctor.get(Self.page)
    #expect(page.hasFact("09:00–13:00, 14:00–17:00") && page.hasLink(to: Self.page + "/new"))
    #expect(try doctor.submit(Self.page + "/new", Self.dayOff).location == Self.page)
    #expect(doctor.get(Self.page).hasRow("12 May 2026"))
    for (date, isFree) in [("2026-05-12", false), ("2026-05-13", true)] {
      let times = anna.get("/appointments/book?doctor=\(town.doctor)&date=\(date)")
      #expect(times.hasLink(with: "date=\(date)&time=") == isFree, "\(date)")
    }
  }

  @Test func `booked appointments are pointed out, and cancelled by the doctor at once`() throws {
    try town.book(anna, "2026-05-12", "09:00")
    let path = try doctor.submit(Self.page + "/new", Self.dayOff).location
    #expect(path == Self.page + "/1")
    #expect(doctor.get(path).hasRow("12 May 2026 at 09:00"))
    #expect(doctor.get(path).hasRow("Anna Petrova"))
    #expect(doctor.get(path).hasLink(to: "/appointments/1"))
    #expect(anna.get("/account/access-log").hasRow("treatment"))
    #expect(doctor.get(Self.page).hasNotice(.warning))
    let answer = try doctor.submit(path + "/cancel", ["cancellation_reason": "Away"])
    #expect(answer.location == path + "?cancelled=1" && doctor.get(path).rows.isEmpty)
    #expect(portal.notified(anna, "was cancelled: 12 May 2026"))
    let history = try portal.read {
      try HistoryEntry.all(of: ID(1), in: $0.with(portal.keys(of: anna)))
    }
    #expect(history.last?.role == .doctor && history.last?.note.reason == "Away")
  }

  @Test func `appointments on a day off are pointed out to the doctor and the reception`() throws {
    let desk = try town.atReception()
    try town.book(anna, "2026-05-12", "09:00")
    let days = ["/appointments/day?date=2026-05-12", "/appointments/desk?date=2026-05-12"]
    #expect(!doctor.get(days[0]).hasBadge("Day off") && !desk.get(days[1]).hasBadge("Day off"))
    _ = try doctor.submit(
      Self.page + "/new", Self.dayOff.merging(["starts": "08:00", "ends": "10:00"]) { $1 })
    for (visitor, day) in [(doctor, days[0]), (desk, days[1])] {
      let page = visitor.get(day)
      #expect(page.hasBadge("Day off") && page.text.contains("08:00–10:00"), "\(day)")
      #expect(page.hasNotice(.warning, "1 appointment"), "\(day)")
      #expect(page.hasLink(to: Self.page + "/1") == (visitor === doctor), "\(day)")
    }
    #expect(try desk.submit("/appointments/1/withdraw", [:]).status == 303)
    let page = desk.get(days[1])
    #expect(page.hasBadge("Day off") && !page.hasNotice(.warning))
  }

  @Test func `a doctor's home points out today's day off and the appointments in it`() throws {
    try town.book(anna, "2026-05-04", "15:00")
    let today = ["exception": "off", "first_day": "2026-05-04"]
    let path = try doctor.submit(Self.page + "/new", today).location
    let home = doctor.get("/")
    #expect(home.hasBadge("Day off") && home.hasNotice(.warning) && home.hasLink(to: path))
  }

  @Test func `booked appointments are moved to the doctor's next free time`() throws {
    try town.book(anna, "2026-05-12", "09:00")
    let path = try doctor.submit(Self.page + "/new", Self.dayOff).location
    #expect(doctor.get(path + "/move").hasRow("12 May 2026 at 09:00 moves to 13 May 2026 at 09:00"))
    let moved = try doctor.submit(path + "/move", [:]).location
    #expect(moved == path + "?moved=1")
    let page = doctor.get(moved)
    #expect(page.hasNotice(.success, "1 appointment was moved"))
    #expect(page.hasRow("13 May 2026 at 09:00") && page.hasRow("Anna Petrova"))
    #expect(portal.notified(anna, "has a new time: 13 May 2026 at 09:00"))
  }

  @Test func `the doctor deletes own days off`() throws {
    _ = try doctor.submit(Self.page + "/new", Self.dayOff)
    #expect(try doctor.submit(Self.page + "/1/delete", [:]).location == Self.page)
    #expect(try town.count("SELECT count(*) FROM appointments_exceptions") == 0)
  }

  @Test func `the days of another doctor and of the clinic are not found`() throws {
    let other = try portal.person(of: portal.doctor())
    try portal.write { connection in
      try town.insertDoctor("Dr. Wilson", other, on: connection)
      try connection.run(
        """
        INSERT INTO appointments_exceptions (doctor, clinic, date, starts, ends, kind)
        VALUES (2, NULL, '2026-05-12', 0, 1440, 'off'),
          (NULL, \(town.clinic), '2026-05-13', 0, 1440, 'off')
        """)
    }
    for id in 1...2 {
      for action in ["", "/cancel", "/move", "/delete"] {
        #expect(doctor.get("\(Self.page)/\(id)\(action)").status == 404, "\(id)\(action)")
      }
      #expect(doctor.push("\(Self.page)/\(id)/delete").status == 404)
    }
    #expect(try town.count("SELECT count(*) FROM appointments_exceptions") == 2)
  }

  @Test func `only a doctor whom a clinic has entered has hours`() throws {
    #expect(anna.get(Self.page).status == 403 && anna.get(Self.page + "/new").status == 403)
    let newcomer = try portal.doctor()
    #expect(newcomer.get(Self.page).status == 200 && newcomer.get(Self.page + "/new").status == 404)
  }

  @Test func `appointments outside the hours are listed for their doctor, who can move them`()
    throws
  {
    try town.book(anna, "2026-05-12", "09:00")
    _ = try doctor.submit(Self.page + "/new", Self.dayOff)
    let outside = Self.page + "/outside"
    #expect(doctor.get(Self.page).hasLink(to: outside))
    #expect(doctor.get(outside).hasRow("Anna Petrova"))
    #expect(anna.get(outside).status == 403)
    let moved = try doctor.submit(outside + "/move", [:]).location
    #expect(doctor.get(moved).hasNotice(.success) && doctor.get(moved).hasRow("13 May 2026"))
    #expect(!doctor.get(Self.page).hasLink(to: outside))
  }

  @Test func `a day off today warns of the open waiting list until it is closed`() throws {
    _ = town.pressQueue("open")
    let today = ["exception": "off", "first_day": "2026-05-04"]
    let path = try doctor.submit(Self.page + "/new", today).location
    #expect(path == Self.page + "/1")
    #expect(doctor.get(path).hasNotice(.warning, "The waiting list is still open"))
    #expect(doctor.get(path).hasLink(to: "/appointments/queue"))
    _ = town.pressQueue("close")
    #expect(!doctor.get(path).hasNotice(.warning))
  }
}
