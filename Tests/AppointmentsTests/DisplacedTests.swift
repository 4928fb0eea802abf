import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// A day on which a doctor is ill or a clinic closed, and what was booked then.
@Suite struct DisplacedTests {
  /// Tuesday 12 May 2026, nine o'clock in Minsk.
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
    try town.portal.database.read { connection in
      try connection.rows("SELECT status, starts_at FROM appointments ORDER BY id_appointment") {
        ($0.string(0), $0.int(1))
      }
    }
  }

  @Test func `the page says how many are booked then, and names no patient`() throws {
    let times = [Self.morning, Self.morning + .hours(1), Self.morning + .days(1)]
    let (town, admin, _) = try town(bookedAt: times)
    let path = try beAway(town, admin)
    #expect(path == "/appointments/admin/exceptions/1")
    let page = admin.get(path)
    #expect(page.contains("2 appointments lie in this time."))
    #expect(page.contains("12 May 2026 at 09:00") && page.contains("12 May 2026 at 10:00"))
    #expect(!page.contains("13 May") && !page.contains("Petrova"))
  }

  @Test func `days on which nothing is booked lead back at once`() throws {
    let (town, admin, _) = try town(bookedAt: [Self.morning + .days(1)])
    #expect(try beAway(town, admin) == town.doctorPath)
    let page = admin.get("/appointments/admin/exceptions/1")
    #expect(page.contains("Nothing is booked in this time."))
  }

  @Test func `all are cancelled in one step, and each patient is told and reads why`() throws {
    let (town, admin, patients) = try town(bookedAt: [Self.morning, Self.morning + .hours(1)])
    let path = try beAway(town, admin)
    let answer = try admin.submit(path + "/cancel", ["cancellation_reason": "The doctor is away"])
    #expect(answer.location == path)
    #expect(admin.get(path).contains("Nothing is booked in this time."))
    #expect(try starts(town).map(\.status) == ["cancelled", "cancelled"])
    for patient in patients {
      #expect(patient.get("/notifications").contains("was cancelled: 12 May 2026"))
      let log = patient.get("/account/access-log")
      #expect(log.contains("Ada Min") && log.contains("Cancelled the appointment of 12 May 2026"))
    }
    let keys = try town.portal.keys(of: patients[0])
    let history = try town.portal.database.read {
      try AppointmentEvent.all(of: ID(1), by: keys, on: $0)
    }
    #expect(history.last?.note.reason == "The doctor is away")
    #expect(history.last?.role == .administrator)
    #expect(try town.portal.count("SELECT count(*) FROM appointments_grains") == 0)
  }

  @Test func `who was booked by the desk, or moved, is told of the cancellation too`() throws {
    let town = try Town()
    let anna = try town.portal.register(login: "anna")
    _ = try town.book("anna", "2026-05-12", "09:00", by: town.atDesk())
    let admin = try town.portal.administrator()
    let first = try beAway(town, admin)
    #expect(try admin.submit(first + "/move", [:]).status == 303)
    let second = try admin.submit(
      town.doctorPath + "/exceptions/new", ["exception": "off", "first_day": "2026-05-13"]
    ).location
    #expect(try admin.submit(second + "/cancel", [:]).status == 303)
    let inbox = anna.get("/notifications")
    for told in ["was booked for you: 12 May", "was moved to 13 May", "was cancelled: 13 May"] {
      #expect(inbox.contains(told))
    }
  }

  @Test func `all are moved to the next free times, one behind the other`() throws {
    let nextDay = Self.morning + .days(1)
    let (town, admin, patients) = try town(
      bookedAt: [Self.morning, Self.morning + .hours(1), nextDay])
    let path = try beAway(town, admin)
    #expect(admin.get(path + "/move").contains("2 appointments lie in this time."))
    #expect(try admin.submit(path + "/move", [:]).location == path)
    let moved = try starts(town)
    #expect(moved.map(\.status) == ["booked", "booked", "booked"])
    // The first slot of the next day is taken.
    #expect(
      moved.map(\.start) == [
        Int((nextDay + .minutes(10)).seconds), Int((nextDay + .minutes(20)).seconds),
        Int(nextDay.seconds),
      ])
    #expect(patients[0].get("/notifications").contains("was moved to 13 May 2026 at 09:10"))
    #expect(!patients[2].get("/notifications").contains("was moved"))
  }

  @Test func `where one finds no other time nothing is moved`() throws {
    let (town, admin, _) = try town(bookedAt: [Self.morning])
    let path = try beAway(town, admin)
    #expect(try admin.submit(town.doctorPath + "/hours", pairs: []).status == 303)
    let answer = try admin.submit(path + "/move", [:])
    #expect(answer.status == 409 && answer.contains("nothing was moved"))
    #expect(try starts(town).map(\.start) == [Int(Self.morning.seconds)])
  }

  @Test func `a patient is not moved into another appointment of the same patient`() throws {
    let (town, admin, patients) = try town(bookedAt: [Self.morning])
    let person = try town.portal.person(of: patients[0])
    try town.portal.database.write { connection in
      _ = try connection.run(
        """
        INSERT INTO appointments_doctors (person, name, department)
        VALUES (NULL, 'Dr. Wilson', \(town.department))
        """)
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

  @Test func `a closed clinic displaces what is booked with any of its doctors`() throws {
    let (town, admin, _) = try town(bookedAt: [Self.morning])
    let answer = try admin.submit(
      town.clinicPath + "/exceptions/new", ["first_day": "2026-05-11", "last_day": "2026-05-12"])
    #expect(answer.location == "/appointments/admin/exceptions/1")
    #expect(admin.get(answer.location).contains("1 appointment lies in this time."))
  }

  @Test func `who waits for something earlier is told of no time at which nobody is there`()
    throws
  {
    let (town, admin, _) = try town(bookedAt: [Self.morning])
    let waiting = try town.portal.register()
    let person = try town.portal.person(of: waiting)
    try town.portal.database.write { connection in
      _ = try connection.run(
        """
        INSERT INTO appointments_wishes (person, doctor, created_at)
        VALUES (\(person), \(town.doctor), 0)
        """)
    }
    let path = try beAway(town, admin)
    #expect(try admin.submit(path + "/cancel", [:]).status == 303)
    #expect(!waiting.get("/notifications").contains("Dr. House"))
  }

  @Test func `extra hours displace nothing`() throws {
    let (town, admin, _) = try town(bookedAt: [Self.morning])
    let answer = try admin.submit(
      town.doctorPath + "/exceptions/new",
      ["exception": "extra", "first_day": "2026-05-12", "starts": "08:00", "ends": "12:00"])
    #expect(answer.location == town.doctorPath)
  }
}
