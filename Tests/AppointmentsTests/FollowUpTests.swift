import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// Another appointment for a patient who has one.
@Suite struct FollowUpTests {
  @Test func `the desk books again for somebody without an account`() throws {
    let town = try Town()
    let desk = try town.atDesk()
    let first = "/appointments/desk/new?doctor=\(town.doctor)&date=2026-05-05&time=09:00"
    _ = try desk.submit(first, ["name": "Eva", "surname": "Novak", "phone": "+375 29 1"])
    let again = "/appointments/1/again?doctor=\(town.doctor)"
    #expect(desk.get("/appointments/1").contains("href=\"\(again)\""))
    #expect(desk.get("/appointments/1/again").contains("Dr. House"))
    #expect(desk.get(again).contains("/appointments/1/again?doctor=\(town.doctor)&amp;date="))
    let last = again + "&date=2026-05-06&time=09:00"
    #expect(desk.get(last).contains("Eva Novak") && desk.get(last).contains("+375 29 1"))
    #expect(try desk.submit(last, [:]).location == "/appointments/desk?date=2026-05-06&changed=2")
    #expect(desk.get("/appointments/desk?date=2026-05-06").contains("Eva Novak"))
    #expect(try town.count("SELECT count(DISTINCT person) FROM appointments") == 1)
  }

  @Test func `the doctor books again for a patient, who is told`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-04", "15:00")
    let doctor = town.doctorVisitor
    let again = path + "/again?doctor=\(town.doctor)"
    #expect(doctor.get(path + "/again").location == again)
    #expect(doctor.get(again + "&date=2026-05-06").contains("09:00"))
    let answer = try doctor.submit(again + "&date=2026-05-06&time=09:00", [:])
    #expect(answer.location == "/appointments/day?date=2026-05-06&changed=2")
    #expect(anna.get("/notifications").contains("was booked for you"))
    let both = try doctor.submit(again + "&date=2026-05-06&time=09:00", [:])
    #expect(both.status == 409 && both.contains("09:10"))
  }

  @Test func `where the doctor sees nobody any more the desk chooses another, the doctor none`()
    throws
  {
    let town = try Town()
    let desk = try town.atDesk()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-05", "09:00")
    try town.portal.database.write { connection in
      try Doctor.disable(ID(1), at: town.portal.now, on: connection)
    }
    #expect(desk.get(path).contains("href=\"\(path)/again\""))
    #expect(!town.doctorVisitor.get(path).contains("\(path)/again"))
  }

  @Test func `nobody books again for a patient of others`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-04", "15:00")
    let last = path + "/again?doctor=\(town.doctor)&date=2026-05-06&time=09:00"
    for stranger in [anna, try town.portal.receptionist(), try town.portal.doctor()] {
      #expect(stranger.get(last).status == 404)
      let sent = [
        ("doctor", "\(town.doctor)"), ("date", "2026-05-06"), ("time", "09:00"),
      ]
      let hidden = stranger.get("/account").hidden(of: "/logout")
      #expect(stranger.post(path + "/again", pairs: hidden + sent).status == 404)
    }
    #expect(try town.count("SELECT count(*) FROM appointments") == 1)
  }

  @Test func `what concerns the staff no longer leads to no other appointment`() throws {
    let town = try Town()
    let desk = try town.atDesk()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-05", "09:00")
    town.portal.now = town.portal.now + .days(32)
    _ = try desk.signIn(desk.login)
    let doctor = town.doctorVisitor
    _ = try doctor.signIn(doctor.login)
    for visitor in [desk, doctor] { #expect(visitor.get(path + "/again").status == 404) }
  }
}
