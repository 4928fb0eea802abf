import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

extension TestVisitor {
  /// Valid fields of the clinic form.
  static let clinicFields = [
    "name_en": "River Clinic", "name_ru": "Речная клиника", "name_he": "",
    "about_en": "Second floor", "country": "BY", "city": "Minsk", "street": "Long Street",
    "house_number": "12a", "latitude": "53,9", "longitude": "27.5667", "phone": "+375 17 123",
    "time_zone": "Europe/Minsk", "pediatric": "yes",
  ]

  /// Creates a clinic through the form and returns its path.
  func enterClinic(_ changes: [String: String] = [:]) throws -> String {
    let answer = try submit(
      "/appointments/admin/clinics/new", Self.clinicFields.merging(changes) { $1 })
    try #require(answer.status == 303, "\(answer.status)")
    return answer.location
  }
}

extension TestPortal {
  func count(_ statement: SQL) throws -> Int {
    try database.read { try $0.integer(statement) ?? 0 }
  }
}

extension Town {
  /// Inserts an appointment with the doctor into the table without claiming its time.
  @discardableResult
  func book(
    _ visitor: TestVisitor, at start: Instant, minutes: Int = 10
  ) throws -> ID<Appointment> {
    let person = try portal.keys(of: visitor).person
    return try portal.database.write { connection in
      try connection.insert(
        """
        INSERT INTO appointments (person, created_at, doctor, status, starts_at, ends_at, time_zone)
        VALUES (\(person), \(portal.now), \(doctor), 'booked', \(start),
          \(start + .minutes(minutes)), 'Europe/Minsk')
        """)
    }
  }

  var clinicPath: String { "/appointments/admin/clinics/\(clinic)" }
  var departmentPath: String { "/appointments/admin/departments/\(department)" }
  var doctorPath: String { "/appointments/admin/doctors/\(doctor)" }
}
