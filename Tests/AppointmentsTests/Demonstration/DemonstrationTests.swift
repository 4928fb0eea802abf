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
    #expect(try count("SELECT max(ahead) FROM (\(ahead)) AS patients") == 5)
    #expect(try count("SELECT count(*) FROM appointments_tickets") == 4)
    #expect(try portal.problems().isEmpty)
  }

  @Test(arguments: [0, 1, 24])
  func `the demonstration entered just after midnight has no open waiting list`(minutes: Int) throws
  {
    let portal = try TestPortal(AppointmentsModule())
    let midnight = try #require(Zone("Europe/Minsk")).start(
      of: #require(CalendarDate(year: 2026, month: 5, day: 5)))
    portal.now = midnight + .minutes(minutes)
    try portal.demonstrate()
    #expect(try portal.count("SELECT count(*) FROM appointments_sessions") == 0)
  }

  @Test func `the first patient has a reminder, a change and an access log`() throws {
    let portal = try TestPortal(AppointmentsModule())
    try portal.demonstrate()
    #expect(try portal.count("SELECT count(DISTINCT person) FROM access_log WHERE count > 0") == 1)
    let care = "SELECT count(*) FROM access_log WHERE reason = 'care' AND count > 0" as SQL
    #expect(try portal.count(care) == 1)
    #expect(try portal.count("SELECT count(*) FROM appointments_history WHERE sequence = 1") > 0)
    #expect(try portal.count("SELECT count(*) FROM notifications") >= 2)
  }

  @Test func `a map of the town is drawn`() throws {
    let portal = try TestPortal(AppointmentsModule())
    try portal.demonstrate()
    let page = portal.visitor(language: .hebrew).get("/appointments/clinics/map")
    #expect(page.contains("class=\"main-road\"") && page.contains("class=\"water\""))
    #expect(page.body.utf8.count < 60_000)
    let clinic = portal.visitor().get("/appointments/clinics/1")
    #expect(clinic.contains("class=\"map place\"") && clinic.contains("class=\"main-road\""))
  }

  @Test func `a children's doctor who speaks Russian can be found for Saturday`() throws {
    let portal = try TestPortal(AppointmentsModule())
    try portal.demonstrate()
    let words = "q=child%27s+doctor+on+Saturday+who+speaks+Russian"
    #expect(portal.visitor().get("/appointments/doctors?\(words)").hasRow("Linden"))
  }
}
