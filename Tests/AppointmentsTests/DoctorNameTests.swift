import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// Names of doctors: everybody reads them in the portal, and nobody in a copy of its database.
@Suite struct DoctorNameTests {
  private let town: Town
  private let administrator: TestVisitor
  private var portal: TestPortal { town.portal }

  init() throws {
    town = try Town()
    administrator = try town.portal.administrator()
  }

  private func rename(_ name: String) throws {
    let answer = try administrator.submit(
      town.doctorPath + "/edit",
      ["doctor_name": name, "doctor_department": "\(town.department)", "slot_minutes": ""])
    #expect(answer.status == 303)
  }

  /// A doctor who is new in the town's department, and may be a patient of its other one.
  private func employ(_ name: String) throws -> TestVisitor {
    let doctor = try portal.doctor()
    let answer = try administrator.submit(
      town.departmentPath + "/doctors/new",
      ["account": "\(try portal.person(of: doctor))", "doctor_name": name, "slot_minutes": ""])
    #expect(answer.status == 303)
    return doctor
  }

  /// Text of all files of the database, without what an earlier transaction has left in its log.
  private func stored() throws -> String {
    try portal.database.checkpointTruncate()
    return String(decoding: try portal.storedBytes(), as: UTF8.self)
  }

  private func plainNames() throws -> Int {
    try town.count("SELECT count(*) FROM appointments_doctors WHERE name <> ''")
  }

  @Test func `a doctor who visits another one stands by name in no file of the database`() throws {
    try rename("Dr. Zqhouse")
    let vera = try employ("Dr. Zqorlova")
    try town.book(vera, "2026-05-05", "09:00")
    let stored = try stored()
    #expect(!stored.contains("Zqhouse") && !stored.contains("Zqorlova"))
    #expect(try portal.problems() == [])
  }

  @Test func `a sealed name is read on all pages, in notices, calendars and copies`() throws {
    try rename("Dr. Zqhouse")
    let anna = try portal.register()
    let path = try town.book(anna, "2026-05-05", "09:00")
    for page in [
      "/appointments/doctors", "/appointments/doctors/\(town.doctor)",
      "/appointments/doctors/\(town.doctor)/display", "/appointments/clinics/\(town.clinic)",
    ] {
      #expect(portal.visitor().get(page).contains("<bdi>Dr. Zqhouse</bdi>"), "\(page)")
    }
    for page in [
      "/appointments/new?specialization=cardiology", "/appointments/new?doctor=\(town.doctor)",
      town.confirmation("2026-05-06", "09:00"), "/appointments", path, path + "/cancel",
      path + ".ics", "/",
    ] {
      #expect(anna.get(page).contains("Dr. Zqhouse"), "\(page)")
    }
    for page in [town.departmentPath, town.doctorPath, town.doctorPath + "/edit"] {
      #expect(administrator.get(page).contains("Dr. Zqhouse"), "\(page)")
    }
    let displaced = try town.takeOff("2026-05-05", administrator)
    #expect(administrator.get(displaced).contains("Dr. Zqhouse"))
    _ = try administrator.submit(displaced + "/cancel", ["cancellation_reason": ""])
    #expect(anna.get("/notifications").contains("Dr. Zqhouse"))
    for person in [anna, town.doctorVisitor] {
      let copy = String(describing: try portal.export(of: person, from: "appointments"))
      #expect(copy.contains("Dr. Zqhouse"))
    }
  }

  @Test func `doctors are listed by name`() throws {
    _ = try employ("Dr. abel")
    _ = try employ("Dr. Zorn")
    let anna = try portal.register()
    for page in [
      anna.get("/appointments/doctors"), anna.get("/appointments/clinics/\(town.clinic)"),
      anna.get("/appointments/new?specialization=cardiology"),
      administrator.get(town.departmentPath),
    ] {
      let places = ["Dr. abel", "Dr. House", "Dr. Zorn"].map { page.body.firstRange(of: $0) }
      let starts = places.compactMap { $0?.lowerBound }
      #expect(starts.count == 3 && starts == starts.sorted())
    }
  }

  @Test func `a name of the release before is sealed once that release has ended`() throws {
    try portal.runJobs()
    #expect(try plainNames() == 1)
    portal.now = TestPortal.start + Migration.transition
    try portal.runJobs()
    #expect(try plainNames() == 0)
    #expect(try !stored().contains("Dr. House"))
    #expect(portal.visitor().get("/appointments/doctors").contains("Dr. House"))
  }

  @Test
  func `a sealed name that the release before has changed is the new one, and is sealed again`()
    throws
  {
    try rename("Dr. Sealed")
    try portal.database.write {
      _ = try $0.run("UPDATE appointments_doctors SET name = 'Dr. Newer'")
    }
    let shown = { portal.visitor().get("/appointments/doctors").contains("Dr. Newer") }
    #expect(shown())
    portal.now = TestPortal.start + Migration.transition
    try portal.runJobs()
    #expect(try shown() && plainNames() == 0)
  }

  @Test func `names that were exchanged between two doctors are found by the check`() throws {
    try rename("Dr. House")
    let vera = try employ("Dr. Orlova")
    #expect(try portal.problems() == [])
    try portal.database.write { connection in
      let names = try connection.rows(
        "SELECT sealed_name FROM appointments_doctors ORDER BY id_doctor"
      ) { $0.sealed(0) }
      for (doctor, name) in [(1, names[1]), (2, names[0])] {
        try connection.run(
          "UPDATE appointments_doctors SET sealed_name = \(name) WHERE id_doctor = \(doctor)")
      }
    }
    let problems = try portal.problems()
    for doctor in [town.doctorVisitor, vera] {
      let person = try portal.person(of: doctor)
      #expect(problems.contains { $0.hasPrefix("person \(person): appointments: cannot be read") })
    }
    #expect(portal.visitor().get("/appointments/doctors").status == 500)
  }
}
