import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// The first steps of a portal without doctors.
@Suite struct FirstStepTests {
  private let portal: TestPortal
  private let admin: TestVisitor

  init() throws {
    portal = try TestPortal(AppointmentsModule())
    admin = try portal.administrator()
  }

  private func clinic() throws -> ID<Clinic> {
    try portal.write { try Clinics.clinic("A", "", "", city: "Minsk", 53, 27, on: $0) }
  }

  @Test func `each step leads to the page on which it is done while there is one place for it`()
    throws
  {
    let clinic = try clinic()
    #expect(
      admin.get("/admin").hasLink(to: "/appointments/admin/clinics/\(clinic)/departments/new"))
    let department = try portal.write {
      try Department.insert(.cardiology, into: clinic, in: $0)
    }
    let new = "/appointments/admin/departments/\(department)/doctors/new"
    #expect(admin.get("/admin").hasLink(to: new))
    #expect(admin.get("/admin").hasLink(to: "/appointments/admin/clinics/\(clinic)/desk/new"))
    let person = try portal.person(of: portal.doctor(["name": "Vera", "surname": "Orlova"]))
    #expect(admin.get("/admin/people/\(person)?done=approved").hasLink(to: new))
    #expect(!admin.get("/admin/people/\(person)").hasLink(to: new))
    let doctor = try admin.submit(new, ["account": "\(person)", "slot_minutes": ""]).location
    #expect(admin.get("/admin").hasLink(to: doctor + "/hours"))
    let doctors = portal.visitor().get("/appointments/doctors")
    #expect(doctors.isEmptyList("working hours are missing"))
    _ = try self.clinic()
    #expect(!admin.get("/admin").hasLink(to: "/appointments/admin/clinics/\(clinic)/desk/new"))
  }

  @Test func `without a receptionist, the form leads to where roles are given`() throws {
    let new = "/appointments/admin/clinics/\(try clinic())/desk/new"
    #expect(admin.get(new).hasLink(to: "/admin/people"))
    _ = try portal.receptionist()
    #expect(!admin.get(new).hasLink(to: "/admin/people"))
  }
}
