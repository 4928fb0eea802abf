import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// Doctors' names: public in the portal, encrypted in the database.
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

  /// Adds a doctor to the department and returns their browser.
  private func employ(_ name: String) throws -> TestVisitor {
    let doctor = try portal.doctor()
    let answer = try administrator.submit(
      town.departmentPath + "/doctors/new",
      ["account": "\(try portal.person(of: doctor))", "doctor_name": name, "slot_minutes": ""])
    #expect(answer.status == 303)
    try portal.database.write { connection in
      try connection.run(
        """
        INSERT INTO appointments_hours (doctor, weekday, starts, ends, kind)
        SELECT max(id_doctor), 1, 540, 600, 'work' FROM appointments_doctors
        """)
    }
    return doctor
  }

  private func stored() throws -> String {
    String(decoding: try portal.storedBytes(), as: UTF8.self)
  }

  @Test func `a doctor's name is in no database file, even after booking as a patient`() throws {
    try rename("Dr. Zqhouse")
    let vera = try employ("Dr. Zqorlova")
    try town.book(vera, "2026-05-05", "09:00")
    let stored = try stored()
    #expect(!stored.contains("Zqhouse") && !stored.contains("Zqorlova"))
    #expect(try portal.problems() == [])
  }

  @Test func `pages, notifications, calendars and exports show an encrypted name`() throws {
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
      "/appointments/new?specialization=cardiology", "/appointments/book?doctor=\(town.doctor)",
      town.confirmation("2026-05-06", "09:00"), "/appointments", path, path + "/cancel",
      path + ".ics", "/",
    ] {
      #expect(anna.get(page).contains("Dr. Zqhouse"), "\(page)")
    }
    for page in [town.departmentPath, town.doctorPath, town.doctorPath + "/edit"] {
      #expect(administrator.get(page).contains("Dr. Zqhouse"), "\(page)")
    }
    let outsideHours = try town.takeOff("2026-05-05", administrator)
    #expect(administrator.get(outsideHours).hasRow("Dr. Zqhouse"))
    _ = try administrator.submit(outsideHours + "/cancel", ["cancellation_reason": ""])
    #expect(portal.notified(anna, "Dr. Zqhouse"))
    for person in [anna, town.doctorVisitor] {
      let copy = String(describing: try portal.export(of: person, from: "appointments"))
      #expect(copy.contains("Dr. Zqhouse"))
    }
  }

  @Test func `doctors are sorted by name regardless of case`() throws {
    _ = try employ("Dr. abel")
    _ = try employ("Dr. Zorn")
    let anna = try portal.register()
    for page in [
      anna.get("/appointments/doctors?sort=name"), anna.get("/appointments/clinics/\(town.clinic)"),
      anna.get("/appointments/new?specialization=cardiology"),
      administrator.get(town.departmentPath),
    ] {
      let places = ["Dr. abel", "Dr. House", "Dr. Zorn"].map { page.body.firstRange(of: $0) }
      let starts = places.compactMap { $0?.lowerBound }
      #expect(starts.count == 3 && starts == starts.sorted())
    }
  }

  @Test func `the integrity check finds encrypted names swapped between two doctors`() throws {
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
