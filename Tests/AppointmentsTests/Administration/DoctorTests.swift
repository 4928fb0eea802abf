import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// Departments and their doctors.
@Suite struct DoctorTests {
  @Test func `a second department of the same specialization is refused with 422`() throws {
    let town = try Town()
    let admin = try town.portal.administrator()
    let path = town.clinicPath + "/departments/new"
    let answer = try admin.submit(path, ["specialization": "surgery"])
    #expect(answer.location == "/appointments/admin/departments/2")
    #expect(admin.get(town.clinicPath).hasRow("Surgery"))
    let again = try admin.submit(path, ["specialization": "surgery"])
    #expect(again.refuses("specialization"))
    #expect(try admin.submit(path, ["specialization": "alchemy"]).status == 422)
  }

  @Test func `the form lists accounts with the doctor role that are not added yet`() throws {
    let town = try Town()
    let portal = town.portal
    let admin = try portal.administrator()
    let vera = try portal.doctor(["name": "Vera", "surname": "Orlova"])
    let patient = try portal.register()
    let path = town.departmentPath + "/doctors/new"
    let form = admin.get(path)
    let number = try portal.person(of: vera)
    #expect(form.contains("<option value=\"\(number)\">Vera Orlova</option>"))
    // The form lists neither existing doctors nor accounts without the role.
    #expect(!form.contains("value=\"\(try portal.person(of: town.doctorVisitor))\""))
    #expect(!form.contains("<option value=\"\(try portal.person(of: patient))\""))
    let fields = ["account": "\(number)", "doctor_name": "Dr. Orlova", "slot_minutes": ""]
    let answer = try admin.submit(path, fields)
    #expect(answer.location == "/appointments/admin/doctors/2")
    let page = admin.get(answer.location)
    #expect(page.heading == "Dr. Orlova")
    #expect(page.fact("Length of an appointment") == "10 minutes (default)")
    #expect(admin.get(town.departmentPath).hasRow("Dr. Orlova"))
  }

  @Test func `without an account to choose, the page says how a doctor gets one`() throws {
    let town = try Town()
    let admin = try town.portal.administrator()
    let path = town.departmentPath + "/doctors/new"
    let empty = admin.get(path)
    #expect(empty.status == 200 && !empty.hasField("account"))
    #expect(empty.contains("/register?role=doctor</output>"))
    #expect(empty.hasLink(to: "/admin/people?state=waiting"))
    _ = try town.portal.doctor()
    let form = admin.get(path)
    #expect(form.hasField("account") && form.contains("/register?role=doctor"))
    #expect(admin.get("/appointments/admin/departments/99/doctors/new").status == 404)
  }

  @Test func `a doctor without a public name is added under the name of the account`() throws {
    let town = try Town()
    let admin = try town.portal.administrator()
    let vera = try town.portal.doctor(["name": "Vera", "surname": "Orlova"])
    let account = "\(try town.portal.person(of: vera))"
    let added = try admin.submit(
      town.departmentPath + "/doctors/new", ["account": account, "doctor_name": ""])
    #expect(admin.get(added.location).heading == "Vera Orlova")
  }

  @Test func `the approval of a doctor is a first step before the doctor is added`() throws {
    let portal = try TestPortal(AppointmentsModule())
    let admin = try portal.administrator()
    func isOpen() -> Bool {
      admin.get("/admin").main.all("li").contains { row in
        row.all("a").contains { $0.attributes["href"] == "/admin/people" }
      }
    }
    #expect(isOpen())
    _ = try portal.doctor()
    #expect(!isOpen() && admin.get("/admin").hasLink(to: "/appointments/admin/clinics/new"))
  }

  @Test(arguments: ["patient", "known", "999", "0", "", "x"])
  func `adding an account without the role or a known doctor is refused with 422`(_ who: String)
    throws
  {
    let town = try Town()
    let admin = try town.portal.administrator()
    let patient = try town.portal.register()
    // Without anybody to choose, the page has no form.
    _ = try town.portal.doctor()
    let account =
      switch who {
      case "patient": "\(try town.portal.person(of: patient))"
      case "known": "\(try town.portal.person(of: town.doctorVisitor))"
      default: who
      }
    let page = try admin.submit(
      town.departmentPath + "/doctors/new", ["account": account, "doctor_name": "Dr. No"])
    #expect(page.refuses("account"))
    #expect(try town.portal.count("SELECT count(*) FROM appointments_doctors") == 1)
  }

  @Test(arguments: ["0", "4", "7", "245", "-10", "10.5", "ten", "1e2", "99999999999999999999"])
  func `a slot length not from 5 to 240 in steps of 5 minutes is refused with 422`(
    _ minutes: String
  ) throws {
    let town = try Town()
    let admin = try town.portal.administrator()
    let fields = [
      "doctor_name": "Dr. House", "doctor_department": "\(town.department)",
      "slot_minutes": minutes,
    ]
    let page = try admin.submit(town.doctorPath + "/edit", fields)
    #expect(page.refuses("slot_minutes"), "\(minutes)")
  }

  @Test func `an administrator changes a doctor's name and slot length`() throws {
    let town = try Town()
    let admin = try town.portal.administrator()
    let fields = [
      "doctor_name": "Dr. Haus", "doctor_department": "\(town.department)", "slot_minutes": "25",
    ]
    #expect(try admin.submit(town.doctorPath + "/edit", fields).location == town.doctorPath)
    let page = admin.get(town.doctorPath)
    #expect(page.heading == "Dr. Haus" && page.contains("25 minutes<"))
  }

  @Test func `a doctor with bookings can change the department but not the clinic`() throws {
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
    #expect(refused.refuses("doctor_department"))
    town.portal.now = TestPortal.start + .hours(2)
    _ = try admin.signIn(admin.login)
    #expect(try move(3).status == 303)
    #expect(admin.get(town.doctorPath).fact("Clinic") == "River Clinic")
  }

  @Test func `a closed department is not offered to a doctor and is refused with 422`() throws {
    let town = try Town()
    let admin = try town.portal.administrator()
    _ = try admin.submit(town.clinicPath + "/departments/new", ["specialization": "surgery"])
    _ = try admin.submit("/appointments/admin/departments/2/close", [:])
    #expect(!admin.get(town.doctorPath + "/edit").contains("<option value=\"2\""))
    let fields = ["doctor_name": "Dr. House", "doctor_department": "2", "slot_minutes": ""]
    #expect(try admin.submit(town.doctorPath + "/edit", fields).status == 422)
  }

  @Test func `a doctor's page remains after the account is erased`() throws {
    let town = try Town()
    let admin = try town.portal.administrator()
    let page = "/appointments/doctors/\(town.doctor)"
    _ = try town.doctorVisitor.submit(page + "/edit", ["doctor_about_en": "Solves puzzles."])
    #expect(town.portal.visitor().get(page).contains("Solves puzzles."))
    try town.portal.erase(town.doctorVisitor)
    #expect(admin.get(town.doctorPath).hasBadge("Account deleted"))
    #expect(!town.portal.visitor().get(page).contains("Solves puzzles."))
    #expect(try town.count("SELECT count(*) FROM appointments_doctor_profiles") == 0)
  }
}
