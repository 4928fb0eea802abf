import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// The page of a patient's appointment, as those see it who work for the patient.
@Suite struct StaffDetailsTests {
  @Test func `the doctor opens an own patient's appointment, and the patient reads of it`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-05", "09:00", purpose: "Chest pain")
    let day = town.doctorVisitor.get("/appointments/day?date=2026-05-05")
    #expect(day.contains("<a href=\"\(path)\">"))
    let page = town.doctorVisitor.get(path)
    #expect(page.status == 200 && page.contains("Anna Petrova") && page.contains("Chest pain"))
    #expect(page.contains("5 May 2026") && page.contains("First Clinic"))
    #expect(page.contains("Anna Petrova</bdi>, patient") && !page.contains("· you"))
    #expect(!page.contains(path + "/withdraw") && !page.contains(path + "/edit"))
    #expect(anna.get("/account/access-log").contains("treatment"))
  }

  @Test func `the desk opens it without its purpose, and without why the patient cancels`() throws {
    let town = try Town()
    let desk = try town.atDesk()
    let anna = try town.portal.register(["phone": "+375 29 555"])
    let path = try town.book(anna, "2026-05-05", "09:00", purpose: "Chest pain")
    let page = desk.get(path)
    #expect(
      page.status == 200 && page.contains("Anna Petrova") && page.contains(path + "/withdraw"))
    #expect(!page.contains("Chest pain") && !page.contains("555"))
    _ = try anna.submit(path + "/cancel", ["reason": "Chickenpox"])
    #expect(anna.get(path).contains("Chickenpox"))
    #expect(desk.get(path).contains("Cancelled") && !desk.get(path).contains("Chickenpox"))
    #expect(anna.get("/account/access-log").contains("Receptionist"))
  }

  @Test func `the desk reads the phone of who has no account`() throws {
    let town = try Town()
    let desk = try town.atDesk()
    let path = try town.bookNewcomer("2026-05-05", "09:00", by: desk)
    let page = desk.get(path)
    #expect(page.contains("Eva Novak") && page.contains("+375 29 1234567"))
    #expect(page.contains("Olga Desk</bdi>, receptionist"))
  }

  @Test func `nobody else opens it, nor the doctor what was cancelled or long ago`() throws {
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

  @Test func `the doctor's waiting list leads to who is booked`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-04", "15:00")
    _ = town.doctorVisitor.push("/appointments/queue/open")
    #expect(town.doctorVisitor.get("/appointments/queue").contains("<a href=\"\(path)\">"))
  }
}
