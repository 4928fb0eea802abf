import PolyclinicCore
import PolyclinicDocuments
import PolyclinicTesting
import Testing

@testable import Appointments
@testable import polyclinic

/// A portal with all modules, in which one patient has stored records of every kind.
///
/// All private text of the patient contains ``secret``. The clock shows Monday, 4 May 2026, noon in
/// Minsk.
struct FilledPortal {
  /// A word that no text of the portal contains.
  static let secret = "Zyxwabc"

  let portal: TestPortal
  let patient: TestVisitor
  /// The patient's doctor; ``receptionist`` is the receptionist of the doctor's clinic.
  let doctor: TestVisitor
  let receptionist: TestVisitor

  /// Creates the portal with `mail` and `secondFactor` as in ``TestPortal``.
  init(mail: String? = nil, secondFactor: String = "optional") throws {
    portal = try TestPortal(all: modules, mail: mail, secondFactor: secondFactor)
    let secret = Self.secret
    patient = try portal.register(
      login: "patient",
      ["street": "\(secret) street", "patronymic": secret, "birth_date": "1990-02-03"])
    // Sessions 1 and 2 belong to the patient, as do records 1 and 2 of every other kind.
    #expect(try portal.visitor().signIn("patient").status == 303)
    doctor = try portal.doctor()
    receptionist = try portal.receptionist()
    try addClinic()
    try addFigures()
    try keepAppointments()
    try keepPlace()
    try keepContacts()
    try keepMeasurements()
    try keepCertificates()
    try keepAccount()
    try portal.runJobs()
  }

  /// Adds a clinic with a receptionist and a doctor who works on two weekdays.
  private func addClinic() throws {
    let doctor = try portal.person(of: doctor)
    let receptionist = try portal.person(of: self.receptionist)
    let keys = try portal.keys(of: self.doctor)
    try portal.write { connection in
      try connection.run(
        """
        INSERT INTO appointments_clinics (name_en, name_ru, name_he, about_en, about_ru, about_he,
          street, house_number, city, country, latitude, longitude, phone, time_zone, pediatric,
          hospital)
        VALUES ('First Clinic', '', '', '', '', '', 'Main Street', '1', 'Minsk', 'BY', 53.9, 27.57,
          '+375 17 000', 'Europe/Minsk', 0, 0)
        """)
      try connection.run(
        "INSERT INTO appointments_departments (clinic, specialization) VALUES (1, 'cardiology')")
      try connection.run(
        """
        INSERT INTO appointments_doctors (person, department, slot_minutes)
        VALUES (\(doctor), 1, 10)
        """)
      try DoctorName.store("Dr. House", of: ID(1), in: connection.with(keys))
      try connection.run(
        """
        INSERT INTO appointments_hours (doctor, weekday, starts, ends, kind)
        VALUES (1, 1, 540, 1020, 'work'), (1, 2, 540, 1020, 'work')
        """)
      try connection.run(
        """
        INSERT INTO appointments_exceptions (clinic, doctor, date, starts, ends, kind)
        VALUES (1, NULL, '2026-06-01', 0, 1440, 'off'), (NULL, 1, '2026-06-02', 0, 1440, 'off')
        """)
      try connection.run(
        "INSERT INTO appointments_receptionists (person, clinic) VALUES (\(receptionist), 1)")
    }
  }

  private func addFigures() throws {
    let file = portal.directory + "/figures.csv"
    let text = """
      Date_reported,Country_code,Country,WHO_region,New_cases,Cumulative_cases,New_deaths,Cumulative_deaths
      2026-04-28,BY,Belarus,EUR,5,1000,0,10
      2026-04-29,BY,Belarus,EUR,3,1003,0,10
      """
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    let told = try portal.run("covid-stats", ["refresh", "--from", file])
    #expect(told.status == 0, "\(told.text)")
    _ = patient.press(
      "/covid-stats/country", on: "/covid-stats/countries", ["country": "BY"], evenIfAbsent: true)
  }

  /// Submits a form and expects a redirect.
  private func keep(_ path: String, _ fields: [String: String]) throws {
    let answer = try patient.submit(path, fields)
    #expect(answer.status == 303, "\(path): \(answer.status)")
  }

  private func keepAppointments() throws {
    let secret = Self.secret
    try keep(
      "/appointments/book?doctor=1&date=2026-05-05&time=09:00", ["purpose": "\(secret) purpose"])
    for date in ["2026-05-10", "2024-02-29"] {
      try keep(
        "/appointments/new",
        [
          "date": date, "time": "11:30", "location": "\(secret) place",
          "doctor_name": "\(secret) doctor", "purpose": "\(secret) reason",
        ])
    }
    try keep("/appointments/3/delete", [:])
    _ = patient.press("/appointments/clinics/1/choose", on: "/appointments/clinics/1")
    let feed = patient.press(
      "/appointments/calendar/new", on: "/appointments/calendar",
      ["whose": "patient", "detail": "full"], evenIfAbsent: true)
    #expect(feed.status == 200)
  }

  /// Puts a patient without an account and the patient on the doctor's waiting list. The former is
  /// called, the latter waits. Another doctor has called the patient.
  private func keepPlace() throws {
    _ = doctor.press("/appointments/queue/open", on: "/appointments/queue")
    let newcomer = try receptionist.submit("/appointments/desk/queue/1/new", ["name": "Eva"])
    #expect(newcomer.status == 303)
    let joined = patient.press(
      "/appointments/doctors/1/queue", on: "/appointments/doctors/1", ["present": "yes"])
    #expect(joined.status == 303)
    let keys = try portal.keys(of: doctor)
    let (person, other, now) = (
      try portal.person(of: patient), try portal.person(of: receptionist), TestPortal.start
    )
    try portal.write { connection in
      try connection.run(
        "INSERT INTO appointments_doctors (person, department) VALUES (\(other), 1)")
      try DoctorName.store("Dr. Kelso", of: ID(2), in: connection.with(keys))
      try connection.run(
        """
        INSERT INTO appointments_sessions (doctor, opened_at, slot_minutes, free_at, settled_at, last_number)
        VALUES (2, \(now), 60, \(now + .hours(1)), \(now), 1)
        """)
      try connection.run(
        """
        INSERT INTO appointments_tickets (session, person, number, joined_at, called_at, ends_at)
        VALUES (2, \(person), 1, \(now), \(now), \(now + .hours(1)))
        """)
    }
  }

  private func keepContacts() throws {
    let secret = Self.secret
    for name in ["one", "one", "two"] {
      try keep(
        "/contacts/new",
        [
          "name": "\(secret) \(name)", "birthday": "1985-05-06", "workplace": "\(secret) work",
          "address": "\(secret) address", "notes": "\(secret) note", "method_type": "email",
          "method_value": "\(secret)@example.org",
        ])
    }
    try keep("/contacts/3/delete", [:])
    try look(
      "/contacts/import", "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:\(secret) four\r\nEND:VCARD\r\n")
  }

  /// Uploads a file and expects a redirect to its preview.
  private func look(_ path: String, _ text: String) throws {
    let answer = patient.upload(path, "file", Array(text.utf8))
    #expect(answer.status == 303 && answer.location.hasPrefix(path + "/"), "\(path)")
  }

  private func keepMeasurements() throws {
    let time = ["measured_at": "2026-05-04T08:00", "note": "\(Self.secret) measured"]
    try keep(
      "/health-metrics/weights/new", time.merging(["value": "72.5", "unit": "kg"]) { $1 })
    try keep(
      "/health-metrics/blood-pressure/new",
      time.merging(["systolic": "121", "diastolic": "81", "pulse": "61"]) { $1 })
    try keep("/health-metrics/home-week/start", ["start": "2026-05-01"])
    try look(
      "/health-metrics/weights/import",
      "measured_at,value,unit,note\n2026-05-01T08:00:00+03:00,71,kg,\(Self.secret)\n")
    try look(
      "/health-metrics/blood-pressure/import",
      "measured_at,systolic,diastolic,note\n2026-05-01T08:00:00+03:00,122,82,\(Self.secret)\n")
  }

  private func keepCertificates() throws {
    let drawing = try DocumentDecoder.draw(Array("HC1:\(Self.secret)".utf8)).drawing
    let answer = patient.upload(
      "/vaccination-qr/new", "image", try #require(drawing).picture.bytes,
      ["label": "\(Self.secret) certificate"])
    #expect(answer.status == 303)
    try keep(
      "/vaccination-qr/record/new",
      [
        "vaccine": "\(Self.secret) vaccine", "date": "2025-05-04", "next_due": "2026-05-04",
        "remind": "yes",
      ])
  }

  private func keepAccount() throws {
    _ = try patient.makeToken(["contacts": "read"], name: "\(Self.secret) token")
    try keep("/account/start-page", ["start_page": "/contacts"])
    _ = patient.press("/account/offline/keep", on: "/account/offline")
  }
}
