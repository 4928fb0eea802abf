import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// Cancellation by receptionists and doctors.
@Suite struct StaffCancelTests {
  @Test func `a receptionist cancels with a reason and sees it confirmed on the day page`() throws {
    let town = try Town()
    let desk = try town.atReception()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-05", "09:00")
    let question = desk.get(path + "/withdraw")
    #expect(question.contains("Anna Petrova") && question.contains("Dr. House"))
    #expect(question.contains("We will tell the patient that the appointment is cancelled."))
    let answer = try desk.submit(path + "/withdraw", ["reason": "A burst pipe"])
    #expect(answer.location == "/appointments/desk?date=2026-05-05&changed=1#changed")
    #expect(desk.get(answer.location).hasNotice(.success, "Anna Petrova"))
    #expect(anna.get(path).hasRow("A burst pipe"))
    #expect(try desk.submit(path + "/withdraw", ["cancel": "yes"]).location == path)
  }

  @Test func `the page asks for a call to a patient without an account`() throws {
    let town = try Town()
    let desk = try town.atReception()
    let eva = desk.get(try town.bookForNewPatient("2026-05-05", "09:00", by: desk) + "/withdraw")
    #expect(eva.contains("Eva Novak") && eva.contains("we cannot tell them. Please call:"))
    #expect(eva.hasLink(to: "tel:+375291234567") && !eva.contains("We will tell the patient"))
    let ivo = try town.bookForNewPatient("2026-05-05", "09:10", phone: "", by: desk)
    #expect(desk.get(ivo + "/withdraw").contains("no phone number"))
  }

  @Test func `a portal without e-mail asks for a call to a patient with an account too`() throws {
    let town = try Town()
    let desk = try town.atReception()
    for (person, phone) in [("anna", "+375 29 1234567"), ("bob", "")] {
      let patient = try town.portal.register(["phone": phone])
      let path = try town.book(patient, "2026-05-05", person == "anna" ? "09:00" : "09:10")
      let question = desk.get(path + "/withdraw")
      #expect(question.contains("only after signing in again"))
      #expect(question.hasLink(to: "tel:+375291234567") == !phone.isEmpty)
      #expect(question.contains("no phone number") == phone.isEmpty)
    }
  }

  @Test func `cancelling an appointment rescheduled meanwhile is refused with 409`() throws {
    let town = try Town()
    let desk = try town.atReception()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-05", "09:00")
    let hidden = desk.get(path + "/withdraw").hidden(of: path + "/withdraw")
    _ = try anna.submit(path + "/edit?doctor=\(town.doctor)&date=2026-05-06&time=09:00", [:])
    let answer = desk.post(path + "/withdraw", pairs: hidden)
    #expect(answer.status == 409 && answer.contains("6 May 2026"))
    #expect(anna.get(path).fact("Status") == "Booked")
  }

  @Test func `the day page confirms a receptionist's new booking`() throws {
    let town = try Town()
    let desk = try town.atReception()
    let path = try town.bookForNewPatient("2026-05-05", "09:00", by: desk)
    let number = path.split(separator: "/").last ?? ""
    let day = "/appointments/desk?date=2026-05-05"
    #expect(desk.get(day + "&changed=\(number)").hasNotice(.success, "Eva Novak"))
    #expect(!desk.get(day).hasNotice(.success))
    #expect(!desk.get("/appointments/desk?changed=\(number)").hasNotice(.success))
  }

  @Test func `a doctor's cancellation leads to the day page, a second one fails`() throws {
    let town = try Town()
    let anna = try town.portal.register(["surname": "Quux"])
    let path = try town.book(anna, "2026-05-05", "09:00")
    let doctor = town.doctorVisitor
    #expect(doctor.get(path + "/withdraw").contains("Anna Quux"))
    let hidden = doctor.get(path + "/withdraw").hidden(of: path + "/withdraw")
    let answer = try doctor.submit(path + "/withdraw", [:])
    #expect(answer.location == "/appointments/day?date=2026-05-05&changed=1#changed")
    #expect(doctor.get(answer.location).hasNotice(.success, "5 May 2026, 09:00"))
    let late = doctor.post(path + "/withdraw", pairs: hidden.filter { $0.0 != "once" })
    #expect(late.status == 409 && !late.contains("Quux"))
  }
}
