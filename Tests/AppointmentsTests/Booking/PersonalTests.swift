import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// Personal appointments, and the list that has them and bookings.
@Suite struct PersonalTests {
  private static let dentist = [
    "date": "2026-05-10", "time": "11:30", "location": "Dentist, Long Street 5",
    "purpose": "Wisdom tooth",
  ]

  /// Returns the page that changes an appointment elsewhere.
  private func edit(_ path: String) -> String {
    path.replacing("/appointments/", with: "/appointments/personal/")
  }

  @Test func `a personal appointment is shown and can be edited until it is over`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    let path = try anna.submit("/appointments/new?with=personal", Self.dentist).location
    #expect(path == "/appointments/1")
    let page = anna.get(path)
    #expect(
      page.fact("Place") == "Dentist, Long Street 5"
        && page.fact("Reason for the visit") == "Wisdom tooth")
    #expect(page.fact("When") == "Sunday, 10 May 2026, 11:30")
    #expect(anna.get("/appointments").hasRow("Dentist"))
    var changed = Self.dentist
    changed["time"] = "12:00"
    changed["purpose"] = ""
    #expect(try anna.submit(edit(path), changed).location == path)
    #expect(anna.get(path).hasNotice(.success, "The appointment is saved."))
    #expect(anna.get(path).hasFact("12:00") && !anna.get(path).contains("Wisdom"))
    town.portal.now = town.portal.now + .days(7)
    _ = try anna.signIn(anna.login)
    let late = anna.get(edit(path))
    #expect(late.status == 409 && late.heading == "This is not possible now")
    #expect(late.text.contains("This appointment is in the past."))
    #expect(anna.get("/appointments?show=completed").hasRow("Dentist"))
    #expect(!anna.get("/appointments").contains("Dentist"))
  }

  @Test func `a past personal appointment can be added with the doctor's name`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    let form = anna.get("/appointments/new")
    #expect(form.contains("<datalist id=\"doctor_name-suggestions\"><option value=\"Dr. House\">"))
    var past = Self.dentist
    past["date"] = "2024-02-29"
    past["doctor_name"] = "Dr. House"
    let path = try anna.submit("/appointments/new?with=personal", past).location
    let page = anna.get(path)
    #expect(page.heading == "Appointment: Thu, 29 February 2024, 11:30")
    #expect(
      page.fact("When") == "Thursday, 29 February 2024, 11:30" && page.fact("Doctor") == "Dr. House"
    )
    #expect(!page.contains(edit(path)) && page.contains("\(path)/delete"))
    #expect(anna.get("/appointments?show=completed").hasRow("Dentist"))
    #expect(!anna.get("/appointments").contains("Dentist"))
  }

  @Test func `a past personal appointment claims no time and sends no notification`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    // It is Monday, 4 May 2026, noon in Minsk; the doctor was at work an hour ago.
    var past = Self.dentist
    past["date"] = "2026-05-04"
    past["time"] = "11:00"
    past["doctor_name"] = "Dr. House"
    let path = try anna.submit("/appointments/new?with=personal", past).location
    try town.portal.runJobs()
    #expect(try town.count("SELECT count(*) FROM appointments_claimed_units") == 0)
    #expect(try town.count("SELECT count(*) FROM appointments_history") == 0)
    #expect(try town.count("SELECT count(*) FROM notifications") == 0)
    let file = anna.get(path + ".ics")
    #expect(file.contains("DTSTART:20260504T080000Z") && !file.contains("VALARM"))
  }

  @Test func `each edit increments the SEQUENCE of the calendar file`() throws {
    let anna = try Town().portal.register()
    let path = try anna.submit("/appointments/new?with=personal", Self.dentist).location
    #expect(anna.get(path + ".ics").contains("SEQUENCE:0\r\n"))
    for (count, time) in [(1, "12:00"), (2, "12:30")] {
      var changed = Self.dentist
      changed["time"] = time
      _ = try anna.submit(edit(path), changed)
      #expect(anna.get(path + ".ics").contains("SEQUENCE:\(count)\r\n"))
    }
  }

  @Test(arguments: [
    ("location", "", "location"), ("date", "", "date"), ("time", "", "time"),
    ("date", "2026-13-01", "date"), ("time", "24:00", "time"),
    ("location", "a\u{202E}b", "location"),
  ])
  func `an invalid field is refused with 422, and the other fields are kept`(
    name: String, value: String, field: String
  ) throws {
    let anna = try Town().portal.register()
    var fields = Self.dentist
    fields[name] = value
    let answer = try anna.submit("/appointments/new?with=personal", fields)
    #expect(answer.refuses(field))
    #expect(answer.value(of: "purpose") == "Wisdom tooth")
  }

  @Test func `a deleted personal appointment can be restored`() throws {
    let anna = try Town().portal.register()
    let path = try anna.submit("/appointments/new?with=personal", Self.dentist).location
    let list = try anna.submit(path + "/delete", [:]).location
    #expect(anna.get(list).hasNotice(.success, "was deleted") && anna.get(path).status == 404)
    #expect(anna.press("/account/deleted/restore", on: list).location == path)
    #expect(anna.get("/appointments").hasRow("Dentist"))
  }

  @Test func `bookings and personal appointments are in one list sorted by time`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    try town.book(anna, "2026-05-12", "09:00")
    _ = try anna.submit("/appointments/new?with=personal", Self.dentist)
    try town.book(anna, "2026-05-06", "09:00")
    let rows = anna.get("/appointments").main.all("a").compactMap { $0.attributes["href"] }
      .compactMap { Int($0.replacing("/appointments/", with: "")) }
    #expect(rows == [3, 2, 1])
    #expect(anna.get("/appointments").contains("3 appointments"))
  }

  @Test func `a list of 60 past appointments has two pages`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    let person = try town.portal.person(of: anna)
    try town.portal.write { connection in
      for number in 0..<60 {
        try connection.run(
          """
          INSERT INTO appointments
            (person, created_at, doctor, status, starts_at, ends_at, time_zone)
          VALUES (\(person), 0, \(town.doctor), 'fulfilled', \(number * 1_000),
            \(number * 1_000 + 600), 'Europe/Minsk')
          """)
      }
    }
    let first = anna.get("/appointments?show=completed")
    #expect(first.contains("Page 1 of 2") && first.contains("/appointments/60\""))
    let second = anna.get("/appointments?show=completed&page=2")
    #expect(second.contains("/appointments/1\"") && !second.contains("/appointments/60\""))
  }

  @Test func `empty lists say that there are no appointments`() throws {
    let anna = try Town().portal.register()
    #expect(anna.get("/appointments").hasSection("No upcoming appointments"))
    #expect(anna.get("/appointments?show=completed").hasSection("Nothing here yet"))
    #expect(anna.get("/appointments?show=nonsense&page=banana").status == 200)
  }

  @Test func `the page for booking also has the personal form, and cancelling it asks first`()
    throws
  {
    let anna = try Town().portal.register()
    #expect(anna.get("/appointments/new").hasField("location"))
    var fields = Self.dentist
    fields["cancel"] = "yes"
    #expect(
      try anna.submit("/appointments/new?with=personal", fields).heading == "Discard changes?")
    #expect(
      try anna.submit("/appointments/new?with=personal", ["cancel": "yes"]).location
        == "/appointments")
  }

  @Test func `the export has bookings and personal appointments with their history`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-05", "09:00", purpose: "Chest pain")
    _ = try anna.submit(path + "/cancel", ["reason": "I feel well"])
    _ = try anna.submit("/appointments/new?with=personal", Self.dentist)
    let export = String(
      decoding: try town.portal.export(of: anna, from: "appointments").encoded, as: UTF8.self)
    for text in ["Chest pain", "I feel well", "Wisdom tooth", "2026-05-05T09:00:00+03:00"] {
      #expect(export.contains(text), "\(text)")
    }
  }

  @Test func `erasing a patient frees the doctor's time and deletes the history`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    try town.book(anna, "2026-05-05", "09:00")
    try town.portal.erase(anna)
    #expect(try town.count("SELECT count(*) FROM appointments_claimed_units") == 0)
    #expect(try town.count("SELECT count(*) FROM appointments_history") == 0)
  }

  @Test func `the module fulfils the module contract`() throws {
    let contract = ModuleContract(
      AppointmentsModule(),
      prepare: { _ = try Town(in: $0) },
      fill: { anna in
        _ = try anna.submit("/appointments/new?with=personal", Self.dentist)
        _ = anna.press("/appointments/clinics/1/choose", on: "/appointments/clinics/1")
        _ = anna.press(
          "/appointments/calendar/new", on: "/appointments/calendar",
          ["whose": "patient", "detail": "full"], evenIfAbsent: true)
      })
    let broken = contract.broken()
    #expect(broken == [])
  }
}
