import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

@Suite struct DemonstrationTests {
  @Test func `the demonstration has clinics, doctors, bookings and a waiting list`() throws {
    let portal = try TestPortal(AppointmentsModule())
    try portal.demonstrate()
    func count(_ statement: SQL) throws -> Int {
      try portal.database.read { try $0.integer(statement) ?? 0 }
    }
    #expect(try count("SELECT count(*) FROM appointments_clinics") == 8)
    #expect(try count("SELECT count(*) FROM appointments_departments") == 24)
    #expect(try count("SELECT count(*) FROM appointments_doctors") == 40)
    #expect(try count("SELECT count(*) FROM appointments WHERE status = 'fulfilled'") > 300)
    #expect(try count("SELECT count(*) FROM appointments WHERE status = 'booked'") > 500)
    let ahead: SQL = """
      SELECT count(*) AS ahead FROM appointments WHERE starts_at > \(portal.now) GROUP BY person
      """
    #expect(try count("SELECT max(ahead) FROM (\(ahead))") == 5)
    #expect(try count("SELECT count(*) FROM appointments_tickets") == 4)
    #expect(try portal.problems().isEmpty)
  }

  @Test(arguments: [0, 1, 24])
  func `the demonstration can be entered just after midnight`(minutes: Int) throws {
    let portal = try TestPortal(AppointmentsModule())
    let midnight = try #require(Zone("Europe/Minsk")).start(
      of: #require(CalendarDate(year: 2026, month: 5, day: 5)))
    portal.now = midnight + .minutes(minutes)
    try portal.demonstrate()
    let tickets = try portal.database.read {
      try $0.integer("SELECT count(*) FROM appointments_tickets")
    }
    #expect(tickets == 4)
  }
}
