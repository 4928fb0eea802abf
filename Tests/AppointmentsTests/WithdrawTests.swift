import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// What the clinic cancels for a patient.
@Suite struct WithdrawTests {
  @Test func `the desk is asked by name, says why, and reads on the day that it is cancelled`()
    throws
  {
    let town = try Town()
    let desk = try town.atDesk()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-05", "09:00")
    let question = desk.get(path + "/withdraw")
    #expect(question.contains("Anna Petrova") && question.contains("Dr. House"))
    #expect(question.contains("The patient is told that the appointment is cancelled."))
    let answer = try desk.submit(path + "/withdraw", ["reason": "A burst pipe"])
    #expect(answer.location == "/appointments/desk?date=2026-05-05&changed=1")
    #expect(desk.get(answer.location).contains("Cancelled: 09:00 Anna Petrova"))
    #expect(anna.get(path).contains("A burst pipe"))
    #expect(try desk.submit(path + "/withdraw", ["cancel": "yes"]).location == path)
  }

  @Test func `who has no account is not said to be told, but to be called`() throws {
    let town = try Town()
    let desk = try town.atDesk()
    let eva = desk.get(try town.bookNewcomer("2026-05-05", "09:00", by: desk) + "/withdraw")
    #expect(eva.contains("Eva Novak") && eva.contains("nobody is told. Please call:"))
    #expect(eva.contains("href=\"tel:+375291234567\"") && !eva.contains("patient is told"))
    let ivo = try town.bookNewcomer("2026-05-05", "09:10", phone: "", by: desk)
    #expect(desk.get(ivo + "/withdraw").contains("no phone was entered"))
  }

  @Test func `what has changed since the question was asked is not cancelled`() throws {
    let town = try Town()
    let desk = try town.atDesk()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-05", "09:00")
    let hidden = desk.get(path + "/withdraw").hidden(of: path + "/withdraw")
    _ = try anna.submit(path + "/edit?doctor=\(town.doctor)&date=2026-05-06&time=09:00", [:])
    let answer = desk.post(path + "/withdraw", pairs: hidden)
    #expect(answer.status == 409 && answer.contains("6 May 2026"))
    #expect(anna.get(path).contains("Booked"))
  }

  @Test func `the desk reads on the day what it has booked`() throws {
    let town = try Town()
    let desk = try town.atDesk()
    let path = try town.bookNewcomer("2026-05-05", "09:00", by: desk)
    let number = path.split(separator: "/").last ?? ""
    let day = "/appointments/desk?date=2026-05-05"
    #expect(desk.get(day + "&changed=\(number)").contains("Booked: 09:00 Eva Novak"))
    #expect(!desk.get(day).contains("Booked: 09:00"))
    #expect(!desk.get("/appointments/desk?changed=\(number)").contains("Booked: 09:00"))
  }

  @Test func `a doctor who cancels is led to the own day, and answered when it was too late`()
    throws
  {
    let town = try Town()
    let anna = try town.portal.register(["surname": "Quux"])
    let path = try town.book(anna, "2026-05-05", "09:00")
    let doctor = town.doctorVisitor
    #expect(doctor.get(path + "/withdraw").contains("Anna Quux"))
    let hidden = doctor.get(path + "/withdraw").hidden(of: path + "/withdraw")
    let answer = try doctor.submit(path + "/withdraw", [:])
    #expect(answer.location == "/appointments/day?date=2026-05-05&changed=1")
    #expect(doctor.get(answer.location).contains("Cancelled: 09:00"))
    let late = doctor.post(path + "/withdraw", pairs: hidden.filter { $0.0 != "once" })
    #expect(late.status == 409 && !late.contains("Quux"))
  }
}
