import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// Appointments in the API. It is Monday, 4 May 2026, noon in Minsk.
@Suite struct ResourceTests {
  private let town: Town
  private let anna: TestVisitor
  private let program: TestProgram
  private let path = "/api/v1/appointments"

  init() throws {
    town = try Town()
    anna = try town.portal.register()
    program = TestProgram(town.portal, token: try anna.makeToken(["appointments": "write"]))
  }

  private func book(
    _ date: String, _ time: String, rest: String = "", by program: TestProgram? = nil
  ) -> TestPage {
    (program ?? self.program).post(
      path, "{\"doctor\": \(town.doctor), \"date\": \"\(date)\", \"time\": \"\(time)\"\(rest)}")
  }

  @Test func `an appointment booked through the API is shown on its page`() throws {
    let made = book("2026-05-05", "09:00", rest: ", \"purpose\": \"Chest pain\"")
    #expect(made.status == 201 && made.location == "\(path)/1")
    let json = try made.json()
    #expect(json["kind"]?.text == "booking" && json["status"]?.text == "booked")
    #expect(json["starts_at"]?.text == "2026-05-05T09:00:00+03:00")
    #expect(json["ends_at"]?.text == "2026-05-05T09:10:00+03:00")
    #expect(json["doctor_name"]?.text == "Dr. House" && json["purpose"]?.text == "Chest pain")
    #expect(json["clinic"]?.text == town.clinic.description)
    #expect(anna.get("/appointments/1").fact("Reason for the visit") == "Chest pain")
  }

  @Test func `a booking of a taken slot is refused with 409 and offers other slots`() throws {
    let boris = try town.portal.register()
    try town.book(boris, "2026-05-05", "09:00")
    let refused = book("2026-05-05", "09:00")
    #expect(refused.status == 409)
    let first = try #require(try refused.json()["instead"]?[0])
    #expect(first["date"]?.text == "2026-05-05" && first["time"]?.text == "09:10")
    #expect(first["starts_at"]?.text == "2026-05-05T09:10:00+03:00")
    #expect(book("2026-05-05", "09:10").status == 201)
    #expect(try town.count("SELECT count(*) FROM appointments") == 2)
  }

  @Test func `a repeated idempotency key books once and returns the first response`() {
    let body = "{\"doctor\": \(town.doctor), \"date\": \"2026-05-05\", \"time\": \"09:00\"}"
    let first = program.post(path, body, key: "one")
    let second = program.post(path, body, key: "one")
    #expect(first.status == 201 && second.status == 201 && first.body == second.body)
    #expect(program.post(path, body, key: "two").status == 409)
  }

  @Test func `an overlapping booking is accepted only with overlap set to true`() throws {
    let other = try Town.addDoctor(to: town)
    #expect(book("2026-05-05", "09:00").status == 201)
    let body = "{\"doctor\": \(other), \"date\": \"2026-05-05\", \"time\": \"09:00\""
    #expect(program.post(path, body + "}").status == 409)
    #expect(program.post(path, body + ", \"overlap\": false}").status == 409)
    #expect(program.post(path, body + ", \"overlap\": true}").status == 201)
  }

  @Test(arguments: [
    ("2026-05-03", "09:00", "date"), ("2026-05-05", "08:00", "time"),
    ("2026-05-05", "09:05", "time"),
    ("2026-05-04", "11:00", "time"), ("2028-05-05", "09:00", "date"),
    ("2026-02-30", "09:00", "date"),
    ("2026-05-05", "24:00", "time"),
  ]) func `an invalid booking is refused with 422 and names the field`(
    _ date: String, _ time: String, _ field: String
  ) throws {
    let answer = book(date, time)
    #expect(answer.status == 422)
    #expect(try answer.errors() == [field])
  }

  @Test func `an unknown doctor or mixed booking and personal fields return 422`() throws {
    let when = "\"date\": \"2026-05-05\", \"time\": \"09:00\""
    for (body, field) in [
      ("{\"doctor\": 999, \(when)}", "doctor"), ("{\"doctor\": -1, \(when)}", "doctor"),
      ("{\"doctor\": \"x\", \(when)}", "doctor"), ("{\(when)}", "location"),
      ("{\"doctor\": \(town.doctor), \"location\": \"x\", \(when)}", "location"),
      ("{\"doctor\": \(town.doctor), \"clinic\": 99, \(when)}", "doctor"),
      ("{\"location\": \"x\", \"date\": \"2026-05-32\", \"time\": \"09:00\"}", "date"),
    ] {
      let answer = program.post(path, body)
      #expect(answer.status == 422)
      #expect(try answer.errors() == [field])
    }
  }

  @Test func `a booking is rescheduled, edited and cancelled, and an old ETag is refused`() throws {
    let made = book("2026-05-05", "09:00", rest: ", \"purpose\": \"Chest pain\"")
    func body(_ time: String, _ purpose: String) -> String {
      """
      {"doctor": \(town.doctor), "date": "2026-05-05", "time": "\(time)", "purpose": "\(purpose)"}
      """
    }
    let moved = program.put(made.location, body("10:00", "Chest pain"), over: made.tag)
    #expect(moved.status == 200)
    #expect(try moved.json()["starts_at"]?.text == "2026-05-05T10:00:00+03:00")
    #expect(program.put(made.location, body("11:00", ""), over: made.tag).status == 412)
    let renamed = program.put(made.location, body("10:00", "Better now"), over: moved.tag)
    #expect(try renamed.json()["purpose"]?.text == "Better now")
    #expect(try town.count("SELECT count(*) FROM appointments_history") == 2)
    let cancelled = program.delete(made.location, over: renamed.tag)
    #expect(cancelled.status == 200)
    #expect(try cancelled.json()["status"]?.text == "cancelled")
    #expect(program.delete(made.location, over: cancelled.tag).status == 409)
    #expect(book("2026-05-05", "10:00").status == 201)
    #expect(anna.get("/appointments/1").fact("Status") == "Cancelled")
  }

  @Test func `a booking cannot be rescheduled or cancelled shortly before it begins`() throws {
    let made = book("2026-05-05", "09:00")
    town.portal.now = town.portal.now + .hours(20)
    #expect(program.delete(made.location, over: made.tag).status == 409)
    let later = made.body.replacing("\"09:00\"", with: "\"15:00\"")
    let refused = program.put(made.location, later, over: made.tag)
    #expect(refused.status == 409 && !refused.body.contains("starts_at"))
  }

  @Test func `a personal appointment is created and deleted, bad changes fail with 422`() throws {
    let made = program.post(
      path,
      """
      {"location": "Dentist", "date": "2026-05-06", "time": "14:30", "purpose": "Check-up"}
      """)
    #expect(made.status == 201)
    #expect(try made.json()["starts_at"]?.text == "2026-05-06T14:30:00+03:00")
    #expect(try made.json()["status"] == .null && made.json()["doctor"] == .null)
    #expect(anna.get("/appointments").hasRow("Dentist"))
    let again = program.put(made.location, made.body, over: made.tag)
    #expect(again.status == 200 && again.tag == made.tag)
    let changed = program.put(
      made.location, "{\"location\": \"Dentist\", \"date\": \"2026-05-07\", \"time\": \"25:30\"}",
      over: made.tag)
    #expect(changed.status == 422)
    let booking = "{\"doctor\": \(town.doctor), \"date\": \"2026-05-07\", \"time\": \"09:30\"}"
    #expect(try program.put(made.location, booking, over: made.tag).errors() == ["doctor"])
    #expect(program.delete(made.location, over: made.tag).status == 204)
    #expect(program.get(made.location).status == 404)
    #expect(anna.get("/account/deleted").hasRow("Dentist"))
  }

  @Test func `the list has both kinds of appointments and none of another patient`() throws {
    _ = book("2026-05-05", "09:00")
    _ = program.post(path, "{\"location\": \"x\", \"date\": \"2026-05-06\", \"time\": \"14:30\"}")
    let items = try program.get(path).json()["items"]
    #expect(items?.count == 2)
    #expect(items?[0]?["kind"]?.text == "booking" && items?[1]?["kind"]?.text == "personal")
    let boris = try town.portal.register()
    let his = TestProgram(town.portal, token: try boris.makeToken(["appointments": "write"]))
    #expect(try his.get(path).json()["items"]?.count == 0)
    for id in 1...2 {
      #expect(his.get("\(path)/\(id)").status == 404)
      #expect(his.delete("\(path)/\(id)", over: "*").status == 404)
    }
  }
}

extension Town {
  /// Adds a doctor to the department with the same hours as the first.
  fileprivate static func addDoctor(to town: Town) throws -> ID<Doctor> {
    let person = try town.portal.keys(of: try town.portal.doctor()).person
    return try town.portal.write { connection in
      let doctor = try town.insertDoctor("Dr. Wilson", person, on: connection)
      try connection.run(
        """
        INSERT INTO appointments_hours (doctor, weekday, starts, ends, kind)
        SELECT \(doctor), weekday, starts, ends, kind FROM appointments_hours
        WHERE doctor = \(town.doctor)
        """)
      return doctor
    }
  }
}
