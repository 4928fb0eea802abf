import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// Rescheduling by a receptionist.
@Suite struct StaffRescheduleTests {
  @Test func `a receptionist reschedules to a free time, and the patient is notified`() throws {
    let town = try Town()
    let desk = try town.atReception()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-05", "09:00", purpose: "Chest pain")
    let edit = path + "/reschedule"
    #expect(desk.get("/appointments/desk?date=2026-05-05").hasLink(to: edit))
    let month = desk.get(edit)
    #expect(month.contains("\(edit)?doctor=1&amp;date=2026-05-06"))
    #expect(!month.contains("/appointments/wishes"))
    #expect(desk.get(edit + "?doctor=1&date=2026-05-06").hasLink(with: "time=10%3A00"))
    let last = desk.get(town.reschedule(path, "2026-05-06", "10:00"))
    #expect(
      last.contains("Anna Petrova") && last.contains("We will tell the patient the new time."))
    #expect(last.contains("Tuesday, 5 May 2026, 09:00") && !last.contains("Chest pain"))
    let answer = try desk.submit(
      town.reschedule(path, "2026-05-06", "10:00"), ["reason": "A burst pipe"])
    #expect(answer.location == "/appointments/desk?date=2026-05-06&changed=1#changed")
    #expect(
      desk.get(answer.location).hasNotice(
        .success, "Anna Petrova · Dr. House · Wednesday, 6 May 2026, 10:00"))
    #expect(town.portal.notified(anna, "has a new time: 6 May 2026 at 10:00"))
    let page = anna.get(path)
    #expect(page.fact("Reason for the visit") == "Chest pain" && page.hasRow("A burst pipe"))
    #expect(page.hasRow("Olga Desk, receptionist"))
    let log = anna.get("/account/access-log")
    #expect(log.hasRow("Changed the time of the appointment of 5 May 2026 at 09:00"))
  }

  @Test func `both pages of a reschedule name the patient and belong to the staff's entry`() throws
  {
    let town = try Town()
    let desk = try town.atReception()
    let path = try town.book(try town.portal.register(), "2026-05-05", "09:00")
    let times = "\(path)/reschedule?doctor=\(town.doctor)&date=2026-05-06"
    let time = "doctor=\(town.doctor)&date=2026-05-06&time=10:00"
    let last = "\(path)/reschedule?\(time)"
    #expect(desk.get(last).hasLink(to: times) && !desk.get(last).heading.contains("your"))
    let readers = [(desk, "/appointments/desk"), (town.doctorVisitor, "/appointments/day")]
    for (visitor, entry) in readers {
      for page in [path, path + "/reschedule", last, path + "/withdraw", path + "/again?\(time)"] {
        let shown = visitor.get(page)
        #expect(shown.currentEntry == entry, "\(page)")
        #expect(shown.contains("Anna Petrova") || page.contains("/again"), "\(page)")
      }
    }
    #expect(town.doctorVisitor.get("/appointments/hours").currentEntry == "/appointments/day")
  }

  @Test func `rescheduling to the same time fails with 422 and sends no notification`() throws {
    let town = try Town()
    let desk = try town.atReception()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-05", "09:00")
    let answer = try desk.submit(town.reschedule(path, "2026-05-05", "09:00"), ["reason": "Typed"])
    #expect(answer.status == 422 && answer.hasError("already at this time"))
    #expect(answer.value(of: "reason") == "Typed")
    #expect(!town.portal.notified(anna, "has a new time"))
    #expect(try town.count("SELECT count(*) FROM appointments_history") == 1)
  }

  @Test func `a receptionist can reschedule late and for a patient without an account`() throws {
    let town = try Town()
    let desk = try town.atReception()
    let path = try town.bookForNewPatient("2026-05-04", "12:20", by: desk)
    let form = town.reschedule(path, "2026-05-04", "15:00")
    #expect(desk.get(form).contains("we cannot tell them. Please call:"))
    #expect(try desk.submit(form, [:]).status == 303)
    #expect(desk.get(path).hasFact("15:00–15:10"))
    #expect(desk.get(path).hasRow("Moved to 4 May 2026 at 15:00"))
    town.portal.now = town.portal.now + .hours(3)
    _ = try desk.signIn(desk.login)
    #expect(
      desk.get(path).contains(path + "/noshow") && desk.get(path).hasLink(to: path + "/reschedule"))
  }

  @Test func `a patient who is late gets a later time, until the visit or the no-show is marked`()
    throws
  {
    let town = try Town()
    let desk = try town.atReception()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-04", "12:10")
    town.portal.now = .start(15)
    for page in [path, "/appointments/desk"] {
      #expect(desk.get(page).hasLink(to: path + "/reschedule"), "\(page)")
    }
    #expect(try desk.submit(town.reschedule(path, "2026-05-04", "15:00"), [:]).status == 303)
    #expect(desk.get(path).hasFact("15:00–15:10"))
    #expect(town.portal.notified(anna, "has a new time: 4 May 2026 at 15:00"))
    let taken = try town.portal.database.read {
      try ClaimedTime.taken(
        of: town.doctor, within: .start(0)..<Instant.start(60), on: $0)
    }
    #expect(taken.isEmpty)
    town.portal.now = .start(185)
    _ = try desk.signIn(desk.login)
    #expect(desk.press(path + "/noshow", on: path).status == 303)
    #expect(!desk.get(path).hasLink(to: path + "/reschedule"))
  }

  @Test func `a taken time is refused with 409, and an overlap needs confirmation`() throws {
    let town = try Town()
    let desk = try town.atReception()
    let (anna, boris) = (try town.portal.register(), try town.portal.register())
    let path = try town.book(anna, "2026-05-05", "09:00")
    try town.book(boris, "2026-05-05", "10:00")
    let taken = try desk.submit(town.reschedule(path, "2026-05-05", "10:00"), [:])
    #expect(taken.status == 409 && taken.contains("10:10"))
    let person = try town.portal.person(of: anna)
    try town.portal.write { connection in
      try town.insertDoctor("Dr. Wilson", nil, on: connection)
      // 1777968000 is 11:00 in Minsk on the same day.
      try connection.run(
        """
        INSERT INTO appointments (person, created_at, doctor, status, starts_at, ends_at, time_zone)
        VALUES (\(person), 0, 2, 'booked', 1777968000, 1777968600, 'Europe/Minsk')
        """)
    }
    let form = town.reschedule(path, "2026-05-05", "11:00")
    let overlap = try desk.submit(form, [:])
    #expect(
      overlap.status == 409 && overlap.hasNotice(.warning, "another appointment at this time"))
    #expect(try desk.submit(form, ["instead": "overlap-1777968000"]).status == 303)
  }

  @Test func `rescheduling a changed or cancelled appointment is refused with 409`() throws {
    let town = try Town()
    let desk = try town.atReception()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-05", "09:00")
    let form = town.reschedule(path, "2026-05-05", "10:00")
    let hidden = desk.get(form).hidden(of: path + "/reschedule")
    _ = try anna.submit(
      town.reschedule(path, "2026-05-06", "09:00").replacing("reschedule", with: "edit"), [:])
    let late = desk.post(path + "/reschedule", pairs: hidden)
    #expect(late.status == 409 && late.hasNotice(.warning, "has changed since"))
    _ = try anna.submit(path + "/cancel", [:])
    #expect(desk.get(path + "/reschedule").status == 409)
    #expect(desk.get(form).status == 409)
  }

  @Test func `rescheduling by another patient, doctor or receptionist returns 404`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-05", "09:00")
    let form = town.reschedule(path, "2026-05-05", "10:00")
    let others = [
      try town.portal.register(), try town.portal.doctor(), try town.portal.receptionist(),
    ]
    for other in others {
      for page in [path + "/reschedule", path + "/reschedule?doctor=1&date=2026-05-05", form] {
        #expect(other.get(page).status == 404)
      }
      #expect(other.push(path + "/reschedule").status == 404)
    }
  }
}

extension Town {
  /// Returns the path of the last page of a reschedule.
  func reschedule(_ path: String, _ date: String, _ time: String) -> String {
    "\(path)/reschedule?doctor=\(doctor)&date=\(date)&time=\(time)"
  }
}

extension TestPage {
  /// The link of the navigation's entry that is marked as current.
  fileprivate var currentEntry: String? {
    body.firstMatch(of: #/<a href="([^"]*)" ?aria-current="page"/#).map { String($0.1) }
  }
}
