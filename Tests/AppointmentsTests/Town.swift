import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// A clinic with a department and a doctor, put straight into the tables.
struct Town {
  let portal: TestPortal
  let clinic: ID<Clinic>
  let department: ID<Department>
  let doctor: ID<Doctor>
  /// The doctor in front of a browser.
  let doctorVisitor: TestVisitor

  /// The clinic's clocks are those of `zone`; the doctor works from nine to five on weekdays with a
  /// break from one to two.
  init(zone: String = "Europe/Minsk", slotMinutes: Int? = nil) throws {
    portal = try TestPortal(AppointmentsModule())
    doctorVisitor = try portal.register(login: "doctor")
    try portal.grant(.doctor, to: "doctor")
    let person = try portal.keys(of: doctorVisitor).person
    (clinic, department, doctor) = try portal.database.write { connection in
      let clinic: ID<Clinic> = try connection.insert(
        """
        INSERT INTO appointments_clinics (name_en, name_ru, name_he, about_en, about_ru, about_he,
          street, house_number, city, country, latitude, longitude, phone, time_zone, pediatric,
          hospital)
        VALUES ('First Clinic', 'Первая клиника', '', '', '', '', 'Main Street', '1', 'Minsk', 'BY',
          53.9, 27.57, '+375 17 000', \(zone), 0, 0)
        """)
      let department: ID<Department> = try connection.insert(
        """
        INSERT INTO appointments_departments (clinic, specialization)
        VALUES (\(clinic), 'cardiology')
        """)
      let doctor: ID<Doctor> = try connection.insert(
        """
        INSERT INTO appointments_doctors (person, name, department, slot_minutes)
        VALUES (\(person), 'Dr. House', \(department), \(slotMinutes))
        """)
      for weekday in 1...5 {
        try connection.run(
          """
          INSERT INTO appointments_hours (doctor, weekday, starts, ends, kind) VALUES
            (\(doctor), \(weekday), 540, 1020, 'work'), (\(doctor), \(weekday), 780, 840, 'break')
          """)
      }
      return (clinic, department, doctor)
    }
  }
}
