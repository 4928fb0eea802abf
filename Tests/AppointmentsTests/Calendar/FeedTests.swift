import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

@Suite struct FeedTests {
  private let town: Town
  private let anna: TestVisitor
  private var portal: TestPortal { town.portal }

  init() throws {
    town = try Town()
    anna = try town.portal.register(login: "anna")
  }

  /// Inserts a booking of Anna's into the table.
  private func book(
    at start: Instant = TestPortal.start + .days(1), status: String = "booked", sequence: Int = 0
  ) throws -> ID<Appointment> {
    let person = try portal.keys(of: anna).person
    return try portal.write { connection in
      try connection.insert(
        """
        INSERT INTO appointments (person, created_at, doctor, status, starts_at, ends_at, time_zone,
          sequence)
        VALUES (\(person), 0, \(town.doctor), \(status), \(start), \(start + .minutes(10)),
          'Europe/Minsk', \(sequence))
        """)
    }
  }

  private func personal(_ location: String) throws {
    let appointment = PersonalAppointment(
      date: CalendarDate("2026-05-06"), time: TimeOfDay("10:30"), zone: "Europe/Minsk",
      location: location, purpose: "Secret purpose")
    let keys = try portal.keys(of: anna)
    _ = try portal.write {
      try PersonalAppointment.records.insert(appointment, in: $0.with(keys))
    }
  }

  /// Creates a feed on the calendar page and returns its path.
  private func feed(
    of visitor: TestVisitor, _ ownerRole: String = "patient", _ detail: String = "full"
  ) throws -> String {
    let page = visitor.press(
      "/appointments/calendar/new", on: "/appointments/calendar",
      ["whose": ownerRole, "detail": detail])
    #expect(page.status == 200)
    let start = try #require(page.body.range(of: "https://clinic.example/appointments/calendar/"))
    return "/appointments/calendar/" + page.body[start.upperBound...].prefix { $0 != "<" }
  }

  /// Returns the calendar file with its lines unfolded.
  private func read(_ path: String, _ visitor: TestVisitor) -> String {
    visitor.get(path).body.replacing("\r\n ", with: "")
  }

  @Test func `an appointment can be downloaded as an iCalendar file`() throws {
    let id = try book(sequence: 3)
    let page = anna.get("/appointments/\(id).ics")
    #expect(page.status == 200)
    #expect(
      page.headers.contains { $0.name == "Content-Type" && $0.value.contains("text/calendar") })
    let file = read("/appointments/\(id).ics", anna)
    for line in [
      "UID:appointment-\(id)@clinic.example", "DTSTART:20260505T090000Z",
      "DTEND:20260505T091000Z", "SUMMARY:Cardiology\\, Dr. House", "SEQUENCE:3",
      "STATUS:CONFIRMED", "GEO:53.900000;27.570000", "CLASS:PRIVATE", "TRIGGER:-PT2H",
      "LOCATION:First Clinic\\, Main Street\\, 1\\, Minsk\\, Belarus",
    ] {
      #expect(file.contains("\(line)\r\n"), "\(line)")
    }
  }

  @Test func `the file of an unknown or another person's appointment returns 404`() throws {
    let id = try book()
    let boris = try portal.register()
    #expect(boris.get("/appointments/\(id).ics").status == 404)
    #expect(town.doctorVisitor.get("/appointments/\(id).ics").status == 404)
    for path in ["999.ics", "x.ics", "-1.ics", "calendar/x.ics", "calendar/.ics"] {
      #expect(anna.get("/appointments/\(path)").status == 404, "\(path)")
    }
    #expect(portal.visitor().get("/appointments/\(id).ics").status == 303)
  }

  @Test func `a feed needs no sign-in, has personal appointments and omits the purpose`() throws {
    let id = try book()
    try personal("Dentist, 2nd floor")
    let path = try feed(of: anna)
    let file = read(path, portal.visitor())
    #expect(file.contains("UID:appointment-\(id)@"))
    #expect(file.contains("DTSTART:20260506T073000Z"))
    #expect(file.contains("LOCATION:Dentist\\, 2nd floor\r\n"))
    #expect(!file.contains("Secret"))
    #expect(file.contains("X-WR-CALNAME:Riverside Polyclinic\r\n"))
  }

  @Test func `a brief feed contains only times`() throws {
    _ = try book()
    try personal("Dentist")
    let file = read(try feed(of: anna, "patient", "brief"), portal.visitor())
    #expect(file.contains("SUMMARY:Appointment\r\n"))
    for secret in ["House", "Cardiology", "First Clinic", "Dentist", "GEO:", "LOCATION:"] {
      #expect(!file.contains(secret), "\(secret)")
    }
  }

  @Test func `a feed of 1,000 events has all future and the latest past appointments`() throws {
    let person = try portal.keys(of: anna).person
    try portal.write { connection in
      for number in 1...1_001 {
        let start = TestPortal.start - .minutes(10 * number)
        try connection.run(
          """
          INSERT INTO appointments (person, created_at, doctor, status, starts_at, ends_at, time_zone)
          VALUES (\(person), 0, \(town.doctor), 'fulfilled', \(start), \(start + .minutes(10)),
            'Europe/Minsk')
          """)
      }
    }
    let coming = [try book(), try book(at: TestPortal.start + .days(2))]
    try personal("Dentist")
    for (path, count) in [
      (try feed(of: anna), 3), (try feed(of: town.doctorVisitor, "doctor"), 2),
    ] {
      let file = read(path, portal.visitor())
      #expect(file.components(separatedBy: "BEGIN:VEVENT").count == 1_001)
      #expect(coming.allSatisfy { file.contains("UID:appointment-\($0)@") })
      #expect(file.contains("Dentist") == (count == 3))
      #expect(file.contains("UID:appointment-\(1_000 - count)@"))
      #expect(!file.contains("UID:appointment-\(1_001 - count)@"))
    }
  }

  @Test func `a cancelled appointment is CANCELLED in the feed and has no alarm`() throws {
    _ = try book(status: "cancelled", sequence: 1)
    let file = read(try feed(of: anna), portal.visitor())
    #expect(file.contains("STATUS:CANCELLED\r\n"))
    #expect(file.contains("SEQUENCE:1\r\n"))
    #expect(!file.contains("VALARM"))
  }

  @Test func `a doctor's feed names no patients, and a patient cannot create one`() throws {
    let id = try book()
    let file = read(try feed(of: town.doctorVisitor, "doctor"), portal.visitor())
    #expect(file.contains("UID:appointment-\(id)@"))
    #expect(file.contains("SUMMARY:Patient\r\n"))
    #expect(!file.contains("Anna") && !file.contains("Petrova"))
    // A patient cannot create a doctor's feed.
    let page = anna.press(
      "/appointments/calendar/new", on: "/appointments/calendar",
      ["whose": "doctor", "detail": "full"])
    #expect(page.status == 403)
    let nonsense = anna.press(
      "/appointments/calendar/new", on: "/appointments/calendar",
      ["whose": "admin", "detail": "full"])
    #expect(nonsense.status == 400)
  }

  @Test func `removing the doctor role ends the doctor's feed and not the patient's`() throws {
    let id = try book()
    let doctor = town.doctorVisitor
    let ofDoctor = try feed(of: doctor, "doctor")
    let ofPatient = try feed(of: doctor)
    #expect(read(ofDoctor, portal.visitor()).contains("UID:appointment-\(id)@"))
    let administrator = try portal.administrator()
    let page = "/admin/people/\(try portal.person(of: doctor))"
    #expect(try administrator.submit(page + "/take?role=doctor", [:]).status == 303)
    #expect(portal.visitor().get(ofDoctor).status == 404)
    #expect(portal.visitor().get(ofPatient).status == 200)
  }

  @Test func `a revoked feed returns 404, and only its owner can revoke it`() throws {
    let path = try feed(of: anna)
    let boris = try portal.register()
    let revoke = "/appointments/calendar/1/revoke"
    let theirs = boris.get("/appointments/calendar").hidden(of: "/appointments/calendar/new")
    #expect(boris.post(revoke, pairs: theirs).status == 404)
    #expect(portal.visitor().get(path).status == 200)
    #expect(
      anna.press(revoke, on: "/appointments/calendar").location
        == "/appointments/calendar?revoked=1")
    #expect(portal.visitor().get(path).status == 404)
    #expect(
      anna.get("/appointments/calendar?revoked=1").hasNotice(.success, "The link is removed."))
  }

  @Test func `a feed's secret is not stored, and erasing its owner ends the feed`() throws {
    let path = try feed(of: anna)
    let secret = path.split(separator: "/").last?.prefix { $0 != "." } ?? ""
    #expect(secret.count >= 43)
    let stored = String(decoding: try portal.storedBytes(), as: UTF8.self)
    #expect(!stored.contains(secret))
    #expect(!anna.get("/appointments/calendar").contains(String(secret)))
    try portal.erase(anna)
    #expect(portal.visitor().get(path).status == 404)
  }

  @Test func `an eleventh feed is refused with 409`() throws {
    for _ in 0..<10 { _ = try feed(of: anna) }
    #expect(anna.get("/appointments/calendar").contains("You have 10 links."))
    let hidden = anna.get("/appointments/calendar").hidden(of: "/appointments/calendar/1/revoke")
    let fields = hidden + [("whose", "patient"), ("detail", "full")]
    #expect(anna.post("/appointments/calendar/new", pairs: fields).status == 409)
  }
}
