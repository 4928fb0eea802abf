import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// Closing, reopening and deletion of clinics, departments and doctors.
@Suite struct ClinicClosingTests {
  @Test func `the confirmation page shows the number of bookings and the start of the last`() throws
  {
    let town = try Town()
    let admin = try town.portal.administrator()
    let anna = try town.portal.register()
    let boris = try town.portal.register()
    #expect(admin.get(town.clinicPath + "/close").contains("There are no booked appointments."))
    try town.book(anna, at: TestPortal.start + .hours(1))
    try town.book(boris, at: TestPortal.start + .days(1))
    try town.book(boris, at: TestPortal.start - .days(1))
    for path in ["\(town.clinicPath)/close", "\(town.departmentPath)/close"] {
      let page = admin.get(path)
      #expect(page.contains("2 appointments are booked"), "\(path)")
      // 09:00 UTC on the next day is 12:00 in Minsk.
      #expect(page.contains("5 May 2026 at 12:00"), "\(path)")
    }
    #expect(admin.get(town.doctorPath + "/disable").contains("2 appointments are booked"))
  }

  @Test func `a closed clinic is shown as closed, is not open, and can be reopened`() throws {
    let town = try Town()
    let admin = try town.portal.administrator()
    #expect(try admin.submit(town.clinicPath + "/close", [:]).location == town.clinicPath)
    #expect(admin.get(town.clinicPath).hasNotice(.warning, "Closed since 4 May 2026"))
    #expect(admin.get("/appointments/admin/clinics").contains("<span class=\"badge off\">Closed"))
    #expect(try town.portal.read { try Clinic.open(in: $0) }.isEmpty)
    let again = admin.press(town.clinicPath + "/reopen", on: town.clinicPath)
    #expect(again.location == town.clinicPath)
    #expect(try town.portal.read { try Clinic.open(in: $0) }.count == 1)
  }

  @Test func `closing a clinic twice keeps the first closing time`() throws {
    let town = try Town()
    let admin = try town.portal.administrator()
    _ = try admin.submit(town.clinicPath + "/close", [:])
    town.portal.now = town.portal.now + .minutes(50)
    _ = try admin.submit(town.clinicPath + "/close", [:])
    let closed = try town.portal.read { try Clinic.find(town.clinic, in: $0)?.closedAt }
    #expect(closed == TestPortal.start)
  }

  @Test func `deleting a clinic, department or doctor with bookings is refused with 409`() throws {
    let town = try Town()
    let admin = try town.portal.administrator()
    let anna = try town.portal.register()
    try town.book(anna, at: TestPortal.start + .hours(1))
    for (path, instead) in [
      (town.clinicPath, "close"), (town.departmentPath, "close"), (town.doctorPath, "disable"),
    ] {
      let answer = try admin.submit(path + "/delete", [:])
      #expect(answer.status == 409 && answer.hasNotice(.warning), "\(path)")
      #expect(answer.contains("1 appointment is booked"), "\(path)")
      #expect(answer.hasLink(to: "\(path)/\(instead)"), "\(path)")
    }
    #expect(try town.portal.count("SELECT count(*) FROM appointments_doctors") == 1)
  }

  @Test func `an unused doctor, department and clinic can be deleted in that order`() throws {
    let town = try Town()
    let admin = try town.portal.administrator()
    #expect(try admin.submit(town.doctorPath + "/delete", [:]).location == town.departmentPath)
    #expect(try admin.submit(town.departmentPath + "/delete", [:]).location == town.clinicPath)
    #expect(
      try admin.submit(town.clinicPath + "/delete", [:]).location == "/appointments/admin/clinics")
    #expect(try town.portal.count("SELECT count(*) FROM appointments_clinics") == 0)
    #expect(try town.portal.count("SELECT count(*) FROM appointments_hours") == 0)
  }

  @Test func `a clinic chosen by a patient cannot be deleted`() throws {
    let portal = try TestPortal(AppointmentsModule())
    let admin = try portal.administrator()
    let path = try admin.enterClinic()
    let person = try portal.keys(of: try portal.register()).person
    try portal.write { connection in
      _ = try connection.run(
        "INSERT INTO appointments_chosen_clinics (person, clinic) VALUES (\(person), 1)")
    }
    #expect(try admin.submit(path + "/delete", [:]).status == 409)
    #expect(!admin.get(path).contains("\(path)/delete"))
  }

  @Test func `a department is closed and reopened, and a doctor disabled and enabled`() throws {
    let town = try Town()
    let admin = try town.portal.administrator()
    #expect(try admin.submit(town.departmentPath + "/close", [:]).location == town.departmentPath)
    #expect(admin.get(town.departmentPath).hasNotice(.warning, "Closed since"))
    let open = { try town.portal.read { try Department.open(of: town.clinic, in: $0) } }
    #expect(try open().isEmpty)
    _ = admin.press(town.departmentPath + "/reopen", on: town.departmentPath)
    #expect(try open().count == 1)
    #expect(try admin.submit(town.doctorPath + "/disable", [:]).location == town.doctorPath)
    #expect(admin.get(town.doctorPath).hasNotice(.warning, "Disabled since"))
    let enabled = {
      try town.portal.read { try Doctor.enabled(of: [town.department], in: $0) }
    }
    #expect(try enabled().isEmpty)
    _ = admin.press(town.doctorPath + "/enable", on: town.doctorPath)
    #expect(try enabled().count == 1)
  }
}
