import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// Appointments of erased patients that a clinic retains by law.
@Suite struct RetentionTests {
  /// 4 May 2026, 09:00 in Minsk, three hours before the tests' start.
  private static let morning = TestPortal.start - .hours(3)

  /// Inserts an appointment of the patient with the doctor, which may already be over.
  private func add(
    _ status: String = "fulfilled", at start: Instant = morning, of visitor: TestVisitor,
    _ town: Town
  ) throws {
    let patient = try town.portal.person(of: visitor)
    try town.portal.database.write { connection in
      try connection.run(
        """
        INSERT INTO appointments
          (person, created_at, doctor, status, starts_at, ends_at, time_zone)
        VALUES (\(patient), 0, \(town.doctor), \(status), \(start), \(start + .minutes(10)),
          'Europe/Minsk')
        """)
    }
  }

  private func retained(_ town: Town) throws -> [String] {
    let printed = try town.portal.run("appointments", ["retained"])
    #expect(printed.status == 0)
    return printed.text.split(separator: "\n").dropFirst().map(String.init)
  }

  @Test func `erasing a patient retains past appointments without the patient`() throws {
    let town = try Town(retentionYears: 5)
    let anna = try town.portal.register()
    try town.book(anna, "2026-05-04", "15:00", purpose: "obsidian")
    try add(of: anna, town)
    town.portal.now = town.portal.now + .hours(4)
    try town.portal.erase(anna)
    #expect(try town.count("SELECT count(*) FROM appointments") == 0)
    let rest = "First Clinic,cardiology,Dr. House"
    #expect(
      try retained(town) == [
        "2026-05-04T09:00:00+03:00,2026-05-04T09:10:00+03:00,\(rest),fulfilled,"
          + "2031-05-05T00:00:00+00:00",
        "2026-05-04T15:00:00+03:00,2026-05-04T15:10:00+03:00,\(rest),booked,"
          + "2031-05-05T00:00:00+00:00",
      ])
  }

  @Test func `without a retention period no appointment is retained`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    try add(of: anna, town)
    try town.portal.erase(anna)
    #expect(try retained(town) == [])
  }

  @Test(arguments: [
    ("cancelled", TestPortal.start - .hours(3)), ("noshow", TestPortal.start - .hours(3)),
    ("booked", TestPortal.start + .hours(3)), ("fulfilled", TestPortal.start - .days(366 + 365)),
  ])
  func `cancelled, missed, future and expired appointments are not retained`(
    status: String, start: Instant
  ) throws {
    let town = try Town(retentionYears: 2)
    let anna = try town.portal.register()
    try add(status, at: start, of: anna, town)
    _ = try anna.submit(
      "/appointments/new?with=personal",
      ["date": "2026-05-01", "time": "11:30", "location": "obsidian"])
    try town.portal.erase(anna)
    #expect(try retained(town) == [])
  }

  @Test func `retained appointments are deleted after the period, module on or off`() throws {
    for isDisabled in [false, true] {
      let town = try Town(retentionYears: 1, isDisabled: isDisabled)
      let anna = try town.portal.register()
      try add(of: anna, town)
      try town.portal.erase(anna)
      for (now, expected) in [("2027-05-04T23:59:00Z", 1), ("2027-05-05T00:00:00Z", 0)] {
        town.portal.now = try #require(ZonedTime(now)).instant
        try town.portal.runJobs()
        #expect(try town.count("SELECT count(*) FROM appointments_retained") == expected)
      }
    }
  }

  @Test func `ids of retained appointments do not reveal which belong to one patient`() throws {
    let town = try Town(retentionYears: 1)
    let anna = try town.portal.register()
    for hour in 1...4 { try add(at: TestPortal.start - .hours(hour), of: anna, town) }
    try town.portal.erase(anna)
    let numbers = try town.portal.database.read { connection in
      try connection.rows("SELECT id_retained FROM appointments_retained ORDER BY starts_at") {
        Int64($0.int(0))
      }
    }
    #expect(numbers.count == 4)
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { ($1 - $0).magnitude > 1_000_000 })
  }

  @Test func `a retained appointment keeps the name of an erased doctor`() throws {
    let town = try Town(retentionYears: 1)
    let anna = try town.portal.register()
    try add(of: anna, town)
    try town.portal.erase(anna)
    try town.portal.erase(town.doctorVisitor)
    #expect(try retained(town).first?.contains(",Dr. House,fulfilled,") == true)
  }

  @Test(arguments: Language.allCases)
  func `the erasure and privacy pages and the receipt say what is retained`(_ language: Language)
    throws
  {
    let words: [Language: (kept: String, nothing: String)] = [
      .english: ("They are deleted 5 years after the appointment.", "keeps no records"),
      .russian: ("Они удаляются через 5 лет после приёма.", "не хранит никаких записей"),
      .hebrew: ("הם נמחקים 5 שנים אחרי התור.", "אינה שומרת שום רישום"),
    ]
    let expected = try #require(words[language])
    for years in [0, 5] {
      let town = try Town(retentionYears: years)
      let chief = try town.portal.administrator()
      let anna = try town.portal.register()
      let person = try town.portal.person(of: anna)
      for (visitor, path) in [(anna, "/account/delete"), (chief, "/admin/people/\(person)/erase")] {
        let page = try speaking(language, visitor, town).get(path)
        #expect(page.contains(expected.kept) == (years > 0), "\(path)")
        #expect(page.contains(expected.nothing) == (years == 0), "\(path)")
        #expect(!page.contains("⟦"))
      }
      let privacy = try speaking(language, anna, town).get("/privacy")
      #expect(privacy.contains(expected.kept) == (years > 0) && !privacy.contains("⟦"))
      let receipt = try speaking(language, anna, town).submit(
        "/account/delete", ["current_password": TestVisitor.password, "confirm": "yes"])
      #expect(receipt.contains(years > 0 ? expected.kept : expected.nothing))
    }
  }

  /// Signs the person in from another browser and sets its language.
  private func speaking(
    _ language: Language, _ visitor: TestVisitor, _ town: Town
  ) throws -> TestVisitor {
    let other = town.portal.visitor(language: language)
    #expect(try other.signIn(visitor.login).status == 303)
    _ = other.press("/language", on: "/account", ["language": language.code])
    return other
  }
}
