import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// Doctors who were suspended, were erased or lost the role.
@Suite struct WithdrawalTests {
  private let town: Town
  private let administrator: TestVisitor
  private let anna: TestVisitor
  private let page: String

  init() throws {
    (town, administrator, anna, page) = try Town.withOffice()
  }

  @Test func `a suspended doctor cannot be booked until an administrator enables them`() throws {
    let booked = try town.book(anna, "2026-05-05", "09:00")
    try town.open()
    let question = administrator.get(page + "/suspend")
    #expect(question.contains("This also disables the doctor"))
    #expect(question.contains("1 appointment stays booked"))
    #expect(try administrator.submit(page + "/suspend", [:]).status == 303)
    #expect(!anna.get("/appointments/doctors").contains("Dr. House"))
    #expect(!anna.get("/appointments/clinics/\(town.clinic)").contains("Dr. House"))
    #expect(throws: Town.Refused.self) { try town.book(anna, "2026-05-06", "09:00") }
    #expect(try !town.waitingList(at: town.portal.now).isOpen(at: town.portal.now))
    #expect(anna.get(booked).hasFact("Dr. House"))
    let refused = administrator.press(town.doctorPath + "/enable", on: town.doctorPath)
    #expect(refused.status == 409 && refused.contains("account is suspended"))
    #expect(!administrator.get(page).hasLink(to: town.doctorPath))
    #expect(administrator.press(page + "/reinstate", on: page).status == 303)
    let reinstated = administrator.get(page)
    #expect(reinstated.hasNotice(.warning) && reinstated.hasLink(to: town.doctorPath))
    #expect(throws: Town.Refused.self) { try town.book(anna, "2026-05-06", "09:00") }
    let doctor = town.doctorPath
    #expect(administrator.press(doctor + "/enable", on: doctor).status == 303)
    #expect(!administrator.get(page).hasLink(to: doctor))
    try town.book(anna, "2026-05-06", "09:00")
  }

  @Test func `removing the doctor role disables a doctor, removing another role does not`() throws {
    try town.portal.grant(.receptionist, to: "doctor")
    #expect(
      try administrator.submit(page + "/take?role=receptionist", [:]).status == 303)
    #expect(anna.get("/appointments/doctors").hasRow("Dr. House"))
    #expect(administrator.get(page + "/take?role=doctor").contains("disables the doctor"))
    #expect(try administrator.submit(page + "/take?role=doctor", [:]).status == 303)
    #expect(!anna.get("/appointments/doctors").contains("Dr. House"))
    #expect(administrator.get(town.doctorPath).hasNotice(.warning, "Disabled since 4 May 2026"))
  }

  @Test func `bookings of a suspended doctor can be cancelled but not rescheduled`() throws {
    let booked = try town.book(anna, "2026-05-05", "09:00")
    #expect(try administrator.submit(page + "/suspend", [:]).status == 303)
    #expect(!administrator.get(page + "/suspend").contains("disables the doctor"))
    let outsideHours = try town.takeOff("2026-05-05", administrator)
    #expect(try administrator.submit(outsideHours + "/move", [:]).status == 409)
    #expect(anna.get(booked).hasRow("5 May 2026"))
    #expect(
      try administrator.submit(outsideHours + "/cancel", ["cancellation_reason": ""]).status == 303)
  }

  @Test func `an erased doctor is in no list and cannot be enabled again`() throws {
    let doctor = town.doctorPath
    #expect(anna.get("/appointments/clinics/\(town.clinic)").hasFact("Mon–Fri"))
    try town.portal.erase(town.doctorVisitor)
    _ = try anna.signIn(anna.login)
    for list in ["/appointments/doctors", "/appointments/clinics/\(town.clinic)"] {
      let shown = anna.get(list)
      #expect(shown.status == 200 && !shown.contains("Dr. House") && !shown.contains("Mon–"))
    }
    let kept = administrator.get(doctor)
    #expect(kept.status == 200 && !kept.contains("/disable") && !kept.contains("/enable"))
  }

  @Test func `the suspension page of a patient does not mention doctors`() throws {
    let person = "/admin/people/\(try town.portal.person(of: anna))"
    #expect(!administrator.get(person + "/suspend").contains("disables the doctor"))
    #expect(try administrator.submit(person + "/suspend", [:]).status == 303)
  }
}
