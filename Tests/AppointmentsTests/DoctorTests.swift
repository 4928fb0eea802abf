import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// Departments, and the doctors in them.
@Suite struct DoctorTests {
  @Test func `a department is added once`() throws {
    let town = try Town()
    let admin = try town.portal.administrator()
    let path = town.clinicPath + "/departments/new"
    let answer = try admin.submit(path, ["specialization": "surgery"])
    #expect(answer.location == "/appointments/admin/departments/2")
    #expect(admin.get(town.clinicPath).contains("Surgery"))
    let again = try admin.submit(path, ["specialization": "surgery"])
    #expect(again.status == 422 && again.contains("id=\"specialization-error\""))
    #expect(try admin.submit(path, ["specialization": "alchemy"]).status == 422)
  }

  @Test func `a doctor is somebody with the role, once`() throws {
    let town = try Town()
    let portal = town.portal
    let admin = try portal.administrator()
    let vera = try portal.doctor(["name": "Vera", "surname": "Orlova"])
    let patient = try portal.register()
    let path = town.departmentPath + "/doctors/new"
    let form = admin.get(path)
    let number = try portal.person(of: vera)
    #expect(form.contains("<option value=\"\(number)\">Vera Orlova</option>"))
    // Who is one already, and who is none, stand in no list.
    #expect(!form.contains("value=\"\(try portal.person(of: town.doctorVisitor))\""))
    #expect(!form.contains("<option value=\"\(try portal.person(of: patient))\""))
    let fields = ["account": "\(number)", "doctor_name": "Dr. Orlova", "slot_minutes": ""]
    let answer = try admin.submit(path, fields)
    #expect(answer.location == "/appointments/admin/doctors/2")
    let page = admin.get(answer.location)
    #expect(page.contains("<h1><bdi>Dr. Orlova</bdi></h1>"))
    #expect(page.contains("10 minutes (as everywhere)"))
    #expect(admin.get(town.departmentPath).contains("Dr. Orlova"))
  }

  @Test(arguments: ["patient", "known", "999", "0", "", "x"])
  func `no other account becomes a doctor`(_ who: String) throws {
    let town = try Town()
    let admin = try town.portal.administrator()
    let patient = try town.portal.register()
    let account =
      switch who {
      case "patient": "\(try town.portal.person(of: patient))"
      case "known": "\(try town.portal.person(of: town.doctorVisitor))"
      default: who
      }
    let page = try admin.submit(
      town.departmentPath + "/doctors/new", ["account": account, "doctor_name": "Dr. No"])
    #expect(page.status == 422 && page.contains("id=\"account-error\""))
    #expect(try town.portal.count("SELECT count(*) FROM appointments_doctors") == 1)
  }

  @Test(arguments: ["0", "4", "7", "245", "-10", "10.5", "ten", "1e2", "99999999999999999999"])
  func `a slot is a multiple of five minutes up to four hours`(_ minutes: String) throws {
    let town = try Town()
    let admin = try town.portal.administrator()
    let fields = [
      "doctor_name": "Dr. House", "doctor_department": "\(town.department)",
      "slot_minutes": minutes,
    ]
    let page = try admin.submit(town.doctorPath + "/edit", fields)
    #expect(page.status == 422 && page.contains("id=\"slot_minutes-error\""), "\(minutes)")
  }

  @Test func `name and slot length are changed`() throws {
    let town = try Town()
    let admin = try town.portal.administrator()
    let fields = [
      "doctor_name": "Dr. Haus", "doctor_department": "\(town.department)", "slot_minutes": "25",
    ]
    #expect(try admin.submit(town.doctorPath + "/edit", fields).location == town.doctorPath)
    let page = admin.get(town.doctorPath)
    #expect(page.contains("Dr. Haus") && page.contains("25 minutes<"))
  }

  @Test func `a doctor moves to a department, but not away from booked patients`() throws {
    let town = try Town()
    let admin = try town.portal.administrator()
    _ = try admin.submit(town.clinicPath + "/departments/new", ["specialization": "surgery"])
    let other = try admin.enterClinic()
    _ = try admin.submit(other + "/departments/new", ["specialization": "surgery"])
    let move = { (department: Int) in
      try admin.submit(
        town.doctorPath + "/edit",
        ["doctor_name": "Dr. House", "doctor_department": "\(department)", "slot_minutes": ""])
    }
    try town.book(try town.portal.register(), at: TestPortal.start + .hours(1))
    #expect(try move(2).status == 303)
    let refused = try move(3)
    #expect(refused.status == 422 && refused.contains("1 patient is booked"))
    town.portal.now = TestPortal.start + .hours(2)
    _ = try admin.signIn(admin.login)
    #expect(try move(3).status == 303)
    #expect(admin.get(town.doctorPath).contains("River Clinic"))
  }

  @Test func `a closed department is not offered, but whoever is there may stay`() throws {
    let town = try Town()
    let admin = try town.portal.administrator()
    _ = try admin.submit(town.clinicPath + "/departments/new", ["specialization": "surgery"])
    _ = try admin.submit("/appointments/admin/departments/2/close", [:])
    #expect(!admin.get(town.doctorPath + "/edit").contains("<option value=\"2\""))
    let fields = ["doctor_name": "Dr. House", "doctor_department": "2", "slot_minutes": ""]
    #expect(try admin.submit(town.doctorPath + "/edit", fields).status == 422)
  }

  @Test func `a doctor whose account was erased stays for the patients' history`() throws {
    let town = try Town()
    let admin = try town.portal.administrator()
    try town.portal.erase(town.doctorVisitor)
    #expect(admin.get(town.doctorPath).contains("No account any longer"))
  }
}
