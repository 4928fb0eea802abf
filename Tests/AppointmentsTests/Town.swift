import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// A clinic with a department and a doctor.
struct Town {
  let portal: TestPortal
  let clinic: ID<Clinic>
  let department: ID<Department>
  let doctor: ID<Doctor>
  /// The doctor's browser.
  let doctorVisitor: TestVisitor

  /// Creates a clinic in the time zone `zone`, with a doctor who works on weekdays from 09:00 to
  /// 17:00 with a break from 13:00 to 14:00.
  init(
    zone: String = "Europe/Minsk", slotMinutes: Int? = nil, retentionYears: Int = 0,
    isDisabled: Bool = false, clinicRule: String = "later"
  ) throws {
    let portal = try TestPortal(
      AppointmentsModule(), disabled: isDisabled ? ["appointments"] : [],
      clinic: clinicRule,
      retentionYears: ["appointments": retentionYears])
    try self.init(in: portal, zone: zone, slotMinutes: slotMinutes)
  }

  /// Adds the clinic and the doctor to a portal.
  init(in portal: TestPortal, zone: String = "Europe/Minsk", slotMinutes: Int? = nil) throws {
    self.portal = portal
    doctorVisitor = try portal.register(login: "doctor")
    try portal.grant(.doctor, to: "doctor")
    let keys = try portal.keys(of: doctorVisitor)
    (clinic, department, doctor) = try portal.write { connection in
      let clinic = try Self.clinic(in: zone).insert(in: connection)
      let department = try Department.insert(.cardiology, into: clinic, in: connection)
      let doctor = try Self.insertDoctor(
        "Dr. House", keys.person, into: department, slotMinutes: slotMinutes, by: keys,
        on: connection)
      try Self.hours.replace(of: doctor, in: connection.at(TestPortal.start))
      return (clinic, department, doctor)
    }
  }

  /// Adds a doctor of the department to the table.
  @discardableResult
  func insertDoctor(
    _ name: String, _ person: ID<Person>?, on connection: Work
  ) throws -> ID<Doctor> {
    try Self.insertDoctor(
      name, person, into: department, by: portal.keys(of: doctorVisitor), on: connection)
  }

  private static func insertDoctor(
    _ name: String, _ person: ID<Person>?, into department: ID<Department>,
    slotMinutes: Int? = nil, by keys: Keys, on connection: Work
  ) throws -> ID<Doctor> {
    let doctor: ID<Doctor> = try connection.insert(
      """
      INSERT INTO appointments_doctors (person, department, slot_minutes)
      VALUES (\(person), \(department), \(slotMinutes))
      """)
    try DoctorName.store(name, of: doctor, in: connection.with(keys))
    return doctor
  }

  private static func clinic(in zone: String) -> ClinicDraft {
    var clinic = ClinicDraft()
    clinic.name.english = "First Clinic"
    clinic.name.russian = "Первая клиника"
    (clinic.street, clinic.houseNumber, clinic.city) = ("Main Street", "1", "Minsk")
    (clinic.country, clinic.zone, clinic.phone) = ("BY", zone, "+375 17 000")
    (clinic.latitude, clinic.longitude) = (53.9, 27.57)
    return clinic
  }

  /// From Monday to Friday from 09:00 to 17:00, with a break from 13:00 to 14:00.
  private static var hours: WorkingHours {
    var hours = WorkingHours()
    for weekday in Weekday.allCases where weekday.number <= 5 {
      hours.work.append(.init(weekday: weekday, starts: .hour(9), ends: .hour(17)))
      hours.breaks.append(.init(weekday: weekday, starts: .hour(13), ends: .hour(14)))
    }
    return hours
  }
}

extension TimeOfDay {
  fileprivate static func hour(_ hour: Int) -> TimeOfDay? { TimeOfDay(hour: hour, minute: 0) }
}
