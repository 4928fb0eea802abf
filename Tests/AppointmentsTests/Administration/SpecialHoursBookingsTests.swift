import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// Bookings on days when the doctor is off or the clinic is closed.
@Suite struct SpecialHoursBookingsTests {
  /// Tuesday, 12 May 2026, 09:00 in Minsk.
  private static let morning = Instant(1_778_565_600)

  private func town(
    bookedAt starts: [Instant]
  ) throws -> (town: Town, admin: TestVisitor, patients: [TestVisitor]) {
    let town = try Town()
    let patients = try starts.map { start in
      let patient = try town.portal.register()
      let person = try town.portal.person(of: patient)
      try town.book(person, start..<start + .minutes(10), at: TestPortal.start)
      return patient
    }
    return (town, try town.portal.administrator(["name": "Ada", "surname": "Min"]), patients)
  }

  private func beAway(_ town: Town, _ admin: TestVisitor) throws -> String {
    try admin.submit(
      town.doctorPath + "/exceptions/new", ["exception": "off", "first_day": "2026-05-12"]
    ).location
  }

  private func starts(_ town: Town) throws -> [(status: String, start: Int)] {
    try town.portal.read { connection in
      try connection.rows("SELECT status, starts_at FROM appointments ORDER BY id_appointment") {
        ($0.string(0), $0.int(1))
      }
    }
  }

  @Test func `the page of a day off lists its bookings without patients' names`() throws {
    let times = [Self.morning, Self.morning + .hours(1), Self.morning + .days(1)]
    let (town, admin, _) = try town(bookedAt: times)
    let path = try beAway(town, admin)
    #expect(path == "/appointments/admin/exceptions/1")
    let page = admin.get(path)
    #expect(page.contains("2 appointments are booked at this time."))
    #expect(page.hasRow("12 May 2026 at 09:00") && page.hasRow("12 May 2026 at 10:00"))
    #expect(!page.contains("13 May") && !page.contains("Petrova"))
  }

  @Test func `entering a day off without bookings leads back to the doctor's page`() throws {
    let (town, admin, _) = try town(bookedAt: [Self.morning + .days(1)])
    #expect(try beAway(town, admin) == town.doctorPath)
    let page = admin.get("/appointments/admin/exceptions/1")
    #expect(page.contains("There are no appointments at this time."))
  }

  @Test func `all bookings on a day off are cancelled at once, notifying each patient`() throws {
    let (town, admin, patients) = try town(bookedAt: [Self.morning, Self.morning + .hours(1)])
    let path = try beAway(town, admin)
    let answer = try admin.submit(path + "/cancel", ["cancellation_reason": "The doctor is away"])
    #expect(answer.location == path + "?cancelled=1%2C2")
    let done = admin.get(answer.location)
    #expect(done.hasNotice(.success, "2 appointments were cancelled."))
    #expect(!done.contains("no account"))
    #expect(admin.get(path).contains("There are no appointments at this time."))
    #expect(try starts(town).map(\.status) == ["cancelled", "cancelled"])
    for patient in patients {
      #expect(town.portal.notified(patient, "was cancelled: 12 May 2026"))
      let log = patient.get("/account/access-log")
      #expect(log.hasRow("Ada Min") && log.hasRow("Cancelled the appointment of 12 May 2026"))
    }
    let keys = try town.portal.keys(of: patients[0])
    let history = try town.portal.read {
      try HistoryEntry.all(of: ID(1), in: $0.with(keys))
    }
    #expect(history.last?.note.reason == "The doctor is away")
    #expect(history.last?.role == .administrator)
    #expect(try town.portal.count("SELECT count(*) FROM appointments_claimed_units") == 0)
  }

  @Test func `a patient is notified when staff book, reschedule and cancel`() throws {
    let town = try Town()
    let anna = try town.portal.register(login: "anna")
    _ = try town.book("anna", "2026-05-12", "09:00", by: town.atReception())
    let admin = try town.portal.administrator()
    let first = try beAway(town, admin)
    #expect(try admin.submit(first + "/move", [:]).status == 303)
    let second = try admin.submit(
      town.doctorPath + "/exceptions/new", ["exception": "off", "first_day": "2026-05-13"]
    ).location
    #expect(try admin.submit(second + "/cancel", [:]).status == 303)
    let inbox = anna.get("/notifications")
    for told in ["was booked for you: 12 May", "has a new time: 13 May", "was cancelled: 13 May"] {
      #expect(inbox.contains(told))
    }
  }

  @Test func `all bookings on a day off are rescheduled to the next free slots in order`() throws {
    let nextDay = Self.morning + .days(1)
    let (town, admin, patients) = try town(
      bookedAt: [Self.morning, Self.morning + .hours(1), nextDay])
    let path = try beAway(town, admin)
    #expect(admin.get(path + "/move").contains("2 appointments are booked at this time."))
    let moved = try admin.submit(path + "/move", [:]).location
    #expect(moved == path + "?moved=1%2C2")
    #expect(admin.get(moved).hasNotice(.success) && !admin.get(moved).contains("Petrova"))
    let moves = try starts(town)
    #expect(moves.map(\.status) == ["booked", "booked", "booked"])
    // The first slot of the next day is taken.
    #expect(
      moves.map(\.start) == [
        Int((nextDay + .minutes(10)).seconds), Int((nextDay + .minutes(20)).seconds),
        Int(nextDay.seconds),
      ])
    #expect(town.portal.notified(patients[0], "has a new time: 13 May 2026 at 09:10"))
    #expect(!town.portal.notified(patients[2], "has a new time"))
  }

  @Test func `rescheduling a day off is refused with 409 if a booking finds no free slot`() throws {
    let (town, admin, _) = try town(bookedAt: [Self.morning])
    let path = try beAway(town, admin)
    #expect(try admin.submit(town.doctorPath + "/hours", pairs: []).status == 303)
    let answer = try admin.submit(path + "/move", [:])
    #expect(answer.status == 409 && answer.hasNotice(.warning, "Nothing was moved"))
    #expect(try starts(town).map(\.start) == [Int(Self.morning.seconds)])
  }

  @Test func `a booking is not rescheduled into another appointment of the same patient`() throws {
    let (town, admin, patients) = try town(bookedAt: [Self.morning])
    let person = try town.portal.person(of: patients[0])
    try town.portal.write { connection in
      try town.insertDoctor("Dr. Wilson", nil, on: connection)
      let start = Self.morning + .days(1)
      _ = try connection.run(
        """
        INSERT INTO appointments (person, created_at, doctor, status, starts_at, ends_at, time_zone)
        VALUES (\(person), 0, 2, 'booked', \(start), \(start + .minutes(15)), 'Europe/Minsk')
        """)
    }
    let path = try beAway(town, admin)
    #expect(try admin.submit(path + "/move", [:]).status == 303)
    let expected = Self.morning + .days(1) + .minutes(20)
    #expect(try starts(town)[0].start == Int(expected.seconds))
  }

  @Test func `the page of a clinic's closed days lists the bookings of its doctors`() throws {
    let (town, admin, _) = try town(bookedAt: [Self.morning])
    let answer = try admin.submit(
      town.clinicPath + "/exceptions/new", ["first_day": "2026-05-11", "last_day": "2026-05-12"])
    #expect(answer.location == "/appointments/admin/exceptions/1")
    #expect(admin.get(answer.location).contains("1 appointment is booked at this time."))
  }

  @Test func `a cancellation on a day off sends no alert for an earlier time`() throws {
    let (town, admin, _) = try town(bookedAt: [Self.morning])
    let waiting = try town.portal.register()
    let person = try town.portal.person(of: waiting)
    try town.portal.write { connection in
      _ = try connection.run(
        """
        INSERT INTO appointments_earlier_time_alerts (person, doctor, created_at)
        VALUES (\(person), \(town.doctor), 0)
        """)
    }
    let path = try beAway(town, admin)
    #expect(try admin.submit(path + "/cancel", [:]).status == 303)
    #expect(!town.portal.notified(waiting, "Dr. House"))
  }

  @Test func `extra hours affect no bookings`() throws {
    let (town, admin, _) = try town(bookedAt: [Self.morning])
    let answer = try admin.submit(
      town.doctorPath + "/exceptions/new",
      ["exception": "extra", "first_day": "2026-05-12", "starts": "08:00", "ends": "12:00"])
    #expect(answer.location == town.doctorPath)
  }

  @Test func `patients without an account are listed to call, by name only for their doctor`()
    throws
  {
    let town = try Town()
    let (desk, admin) = (try town.atReception(), try town.portal.administrator())
    _ = try town.bookForNewPatient("2026-05-12", "09:00", by: desk)
    let path = try beAway(town, admin)
    for action in ["/move", "/cancel"] {
      let question = admin.get(path + action)
      #expect(question.contains("1 patient has no account") && !question.contains("Novak"))
      #expect(question.hasRow("12 May 2026 at 09:00"))
    }
    let own = path.replacing("admin/exceptions", with: "hours")
    let question = town.doctorVisitor.get(own + "/move")
    #expect(question.contains("Please call them:") && question.hasRow("Eva Novak"))
    #expect(question.hasRow("12 May 2026 at 09:00 · +375 29 1234567"))
    let moved = town.doctorVisitor.get(try town.doctorVisitor.submit(own + "/move", [:]).location)
    #expect(moved.hasRow("13 May 2026 at 09:00 · +375 29 1234567"))
  }

  @Test func `the reception can call a patient without an account whose appointment is cancelled`()
    throws
  {
    let town = try Town()
    let (desk, admin) = (try town.atReception(), try town.portal.administrator())
    let booking = try town.bookForNewPatient("2026-05-12", "09:00", by: desk)
    let answer = try admin.submit(try beAway(town, admin) + "/cancel", [:])
    let page = admin.get(answer.location)
    #expect(page.contains("Ask the reception to call them") && page.hasRow("12 May 2026 at 09:00"))
    #expect(desk.get(booking).fact("Phone") == "+375 29 1234567")
  }

  @Test func `a patient who has arrived is not moved or cancelled with the others`() throws {
    let town = try Town()
    let (desk, admin) = (try town.atReception(), try town.portal.administrator())
    let anna = try town.portal.register()
    let here = try town.book(anna, "2026-05-04", "12:10")
    try town.book(try town.portal.register(), "2026-05-04", "14:00")
    #expect(desk.push(here + "/arrived").status == 303)
    let path = try town.takeOff("2026-05-04", admin)
    #expect(admin.get(path).contains("1 appointment is booked at this time."))
    #expect(desk.get("/appointments/desk").hasNotice(.warning, "1 appointment is still booked"))
    #expect(try admin.submit(path + "/move", [:]).location == path + "?moved=2")
    #expect(anna.get(here).fact("Status") == "Arrived")
  }
}
