import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// Follow-up appointments booked by staff.
@Suite struct FollowUpTests {
  @Test func `a receptionist books a follow-up for a patient without an account`() throws {
    let town = try Town()
    let desk = try town.atReception()
    let first = "/appointments/desk/new?doctor=\(town.doctor)&date=2026-05-05&time=09:00"
    _ = try desk.submit(first, ["name": "Eva", "surname": "Novak", "phone": "+375 29 1234567"])
    let again = "/appointments/1/again?doctor=\(town.doctor)"
    #expect(desk.get("/appointments/1").hasLink(to: again))
    #expect(desk.get("/appointments/1/again").hasRow("Dr. House"))
    #expect(desk.get("/appointments/1/again").contains("Eva Novak"))
    #expect(desk.get(again).contains("Eva Novak"))
    #expect(desk.get(again).contains("/appointments/1/again?doctor=\(town.doctor)&amp;date="))
    let last = again + "&date=2026-05-06&time=09:00"
    #expect(desk.get(last).contains("Eva Novak") && desk.get(last).hasLink("+375 29 1234567"))
    #expect(
      try desk.submit(last, [:]).location == "/appointments/desk?date=2026-05-06&changed=2#changed")
    #expect(desk.get("/appointments/desk?date=2026-05-06").hasRow("Eva Novak"))
    #expect(try town.count("SELECT count(DISTINCT person) FROM appointments") == 1)
  }

  @Test func `a doctor books a follow-up, and the patient is notified`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-04", "15:00")
    let doctor = town.doctorVisitor
    let again = path + "/again?doctor=\(town.doctor)"
    #expect(doctor.get(path + "/again").location == again)
    #expect(doctor.get(again + "&date=2026-05-06").hasButton("09:00"))
    let answer = try doctor.submit(again + "&date=2026-05-06&time=09:00", [:])
    #expect(answer.location == "/appointments/day?date=2026-05-06&changed=2#changed")
    #expect(town.portal.notified(anna, "was booked for you"))
    let both = try doctor.submit(again + "&date=2026-05-06&time=09:00", [:])
    #expect(both.status == 303 && both.location == "/appointments/2")
  }

  @Test func `a doctor books a follow-up for the patient of the waiting list who is seen`() throws {
    let town = try Town()
    let anna = try town.portal.register(["name": "Anna", "surname": "Walkin"])
    let doctor = town.doctorVisitor
    _ = town.pressQueue("open")
    _ = town.pressJoin(anna)
    let again = "/appointments/queue/1/again?doctor=\(town.doctor)"
    #expect(doctor.get("/appointments/queue").hasLink(to: again))
    #expect(doctor.get(again).contains("Anna Walkin"))
    // The treatment time is over before the doctor has chosen a time.
    town.portal.now = .start(15)
    let answer = try doctor.submit(again + "&date=2026-05-06&time=09:00", [:])
    #expect(answer.location == "/appointments/day?date=2026-05-06&changed=1#changed")
    #expect(town.portal.notified(anna, "was booked for you"))
    for stranger in [anna, try town.portal.doctor(), try town.atReception()] {
      #expect([403, 404].contains(stranger.get(again).status))
    }
  }

  @Test func `only reception can book a follow-up to a disabled doctor's appointment`() throws {
    let town = try Town()
    let desk = try town.atReception()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-05", "09:00")
    try town.portal.write { connection in
      try Doctor.disable(ID(1), in: connection)
    }
    #expect(desk.get(path).hasLink(to: "\(path)/again"))
    #expect(!town.doctorVisitor.get(path).contains("\(path)/again"))
  }

  @Test func `a follow-up by the patient or by staff of other clinics returns 404`() throws {
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

  @Test func `staff cannot book a follow-up a month after the appointment`() throws {
    let town = try Town()
    let desk = try town.atReception()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-05", "09:00")
    town.portal.now = town.portal.now + .days(32)
    _ = try desk.signIn(desk.login)
    let doctor = town.doctorVisitor
    _ = try doctor.signIn(doctor.login)
    for visitor in [desk, doctor] { #expect(visitor.get(path + "/again").status == 404) }
  }
}
