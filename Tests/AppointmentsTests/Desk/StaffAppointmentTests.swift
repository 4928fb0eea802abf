import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// The page of a patient's appointment for receptionists and doctors.
@Suite struct StaffAppointmentTests {
  @Test func `a doctor opens a patient's appointment, and the access log records it`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-05", "09:00", purpose: "Chest pain")
    let day = town.doctorVisitor.get("/appointments/day?date=2026-05-05")
    #expect(day.hasLink(to: path))
    let page = town.doctorVisitor.get(path)
    #expect(
      page.status == 200 && page.fact("Patient") == "Anna Petrova"
        && page.fact("Reason for the visit") == "Chest pain")
    #expect(page.hasRow("5 May 2026") && page.hasFact("First Clinic"))
    #expect(page.hasRow("Anna Petrova, patient") && !page.contains("· you"))
    #expect(!page.contains(path + "/withdraw") && !page.contains(path + "/reschedule"))
    #expect(anna.get("/account/access-log").hasRow("treatment"))
  }

  @Test func `a receptionist sees why a patient cancelled, but not what the visit is for`() throws {
    let town = try Town()
    let desk = try town.atReception()
    let anna = try town.portal.register(["phone": "+375 29 555"])
    let path = try town.book(anna, "2026-05-05", "09:00", purpose: "Chest pain")
    let page = desk.get(path)
    #expect(
      page.status == 200 && page.fact("Patient") == "Anna Petrova"
        && page.contains(path + "/withdraw"))
    #expect(!page.contains("Chest pain"))
    #expect(anna.get(path + "/cancel").contains("The reception can read it"))
    _ = try anna.submit(path + "/cancel", ["reason": "I am abroad"])
    for visitor in [anna, desk] { #expect(visitor.get(path).hasRow("I am abroad")) }
    #expect(desk.get(path).fact("Status") == "Cancelled" && !desk.get(path).contains("Chest pain"))
    #expect(anna.get("/account/access-log").hasBadge("Receptionist"))
  }

  @Test func `a receptionist sees the phone number of a patient without an account`() throws {
    let town = try Town()
    let desk = try town.atReception()
    let path = try town.bookForNewPatient("2026-05-05", "09:00", by: desk)
    let page = desk.get(path)
    #expect(page.fact("Patient") == "Eva Novak" && page.fact("Phone") == "+375 29 1234567")
    #expect(page.hasRow("Olga Desk, receptionist"))
  }

  @Test func `an appointment is 404 to others, and to its doctor once cancelled or old`() throws {
    let town = try Town()
    let anna = try town.portal.register(["surname": "Quux"])
    let path = try town.book(anna, "2026-05-05", "09:00")
    let others = [
      try town.portal.register(), try town.portal.doctor(), try town.portal.receptionist(),
      try town.portal.administrator(),
    ]
    for other in others { #expect(other.get(path).status == 404) }
    let second = try town.book(anna, "2026-05-06", "09:00")
    _ = try anna.submit(second + "/cancel", [:])
    #expect(town.doctorVisitor.get(second).status == 404)
    #expect(!town.doctorVisitor.get("/appointments/day?date=2026-05-06").contains("Quux"))
    town.portal.now = town.portal.now + .days(40)
    _ = try town.doctorVisitor.signIn("doctor")
    #expect(town.doctorVisitor.get(path).status == 404)
  }

  @Test func `the doctor's waiting list links to a booked appointment`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-04", "15:00")
    _ = town.doctorVisitor.push("/appointments/queue/open")
    #expect(town.doctorVisitor.get("/appointments/queue").hasLink(to: path))
  }
}
