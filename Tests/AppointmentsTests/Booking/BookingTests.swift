import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// Booking through the pages, from specialization to appointment.
///
/// It is Monday, 4 May 2026, noon in Minsk.
@Suite struct BookingTests {
  @Test func `a free time is found on one page per doctor and booked on the next`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    #expect(anna.get("/appointments/new?with=doctor").hasLink(with: "specialization=cardiology"))
    let doctors = anna.get("/appointments/new?specialization=cardiology")
    #expect(doctors.hasRow("Dr. House") && doctors.hasLink(with: "?doctor=\(town.doctor)"))
    let times = anna.get("/appointments/book?doctor=\(town.doctor)&date=2026-05-05")
    #expect(times.hasLink(with: "date=2026-05-06") && !times.hasLink(with: "date=2026-05-09"))
    #expect(times.heading == "Choose a time with Dr. House")
    #expect(times.hasRow("Tuesday, 5 May 2026: 42 free times"))
    #expect(times.hasLink(with: "time=09%3A00") && !times.hasLink(with: "time=13%3A00"))
    let last = anna.get(town.confirmation("2026-05-05", "09:00"))
    #expect(last.status == 200 && last.contains("Dr. House") && last.contains("First Clinic"))
    #expect(last.hasLink(to: "tel:+37517000"))
    let answer = try anna.submit(
      town.confirmation("2026-05-05", "09:00"), ["purpose": "Chest pain"])
    #expect(answer.status == 303 && answer.location == "/appointments/1?booked=1")
    let page = anna.get(answer.location)
    #expect(
      page.fact("Reason for the visit") == "Chest pain"
        && page.fact("When") == "Tuesday, 5 May 2026, 09:00–09:10")
    #expect(page.heading == "The appointment is booked")
    #expect(page.hasLink("Add to calendar") && page.hasLink("Directions"))
    #expect(page.hasLink(to: "/appointments/1/edit") && page.hasLink(to: "/appointments/1/cancel"))
    #expect(page.hasSection("Before you come") && !last.hasSection("Before you come"))
    let appointments = anna.get("/appointments")
    #expect(appointments.hasRow("Tue, 5 May, 09:00 · Dr. House"))
    #expect(appointments.hasLink("Change time") && appointments.hasLink("Directions"))
    #expect(
      !anna.get("/appointments/book?doctor=\(town.doctor)&date=2026-05-05").contains(
        "date=2026-05-05&amp;time=09%3A00"))
    #expect(anna.get("/").hasSection("What is next"))
  }

  @Test func `the next appointment is what is next, and its tile is lit on its day`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    try town.book(anna, "2026-05-06", "09:00")
    let before = anna.get("/")
    #expect(before.hasSection("What is next") && !before.hasSection("Appointments"))
    let badge = before.main.first { $0.hasClass("badge") }
    #expect(badge?.text == "In 2 days" && before.rows.first?.contains("Wed, 6 May, 09:00") == true)
    for nearness in ["Tomorrow", "Today"] {
      town.portal.now = town.portal.now + .hours(20)
      _ = try anna.signIn(anna.login)
      let home = anna.get("/")
      let row = try #require(home.rows.first)
      #expect(home.hasSection("What is next") && row.contains("\(nearness), 09:00"))
      let first = try #require(home.main.first { $0.hasClass("first") })
      let tile = try #require(first.first { $0.hasClass("day-tile") })
      #expect(tile.hasClass("now") == (nearness == "Today"))
      #expect(!home.hasSection("Appointments"))
    }
  }

  @Test func `the home page shows one appointment with buttons, and when the others are`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    try town.book(anna, "2026-05-06", "09:00")
    let second = try town.book(anna, "2026-05-07", "10:00")
    let home = anna.get("/")
    #expect(home.rows.count == 1 && home.link(to: second) == "Later: Thu, 7 May, 10:00")
    #expect(!home.contains("1 more"))
    try town.book(anna, "2026-05-08", "11:00")
    #expect(anna.get("/").rows.first?.contains("Later: Thu, 7 May, 10:00 1 more") == true)
  }

  @Test(arguments: [
    (Language.english, ": 1 free time<", ": 2 free times<", ": 42 free times<"),
    (.russian, ": 1 свободное окно<", ": 2 свободных окна<", ": 42 свободных окна<"),
    (.hebrew, ": תור פנוי אחד<", ": שני תורים פנויים<", ": 42 תורים פנויים<"),
  ])
  func `the number of free times on a day uses the language's plural form`(
    _ language: Language, _ one: String, _ two: String, _ many: String
  ) throws {
    let town = try Town()
    try town.work(6, 540..<550)
    try town.work(7, 540..<560)
    let anna = try town.portal.register(language: language)
    let page = anna.get("/appointments/book?doctor=\(town.doctor)&weeks=2026-06-01")
    #expect(page.body.components(separatedBy: one).count == 5)
    #expect(page.body.components(separatedBy: two).count == 5)
    #expect(page.body.components(separatedBy: many).count == 21)
  }

  @Test(arguments: Language.allCases)
  func
    `the calendar shows four weeks across months, and labels each working day with its full date`(
      _ language: Language
    ) throws
  {
    let town = try Town()
    let anna = try town.portal.register(language: language)
    let page = anna.get("/appointments/book?doctor=\(town.doctor)&weeks=2026-05-20")
    let formats = Formats(language: language, timeZone: .utc)
    let monday = try #require(CalendarDate("2026-05-04"))
    for date in (0..<28).map({ monday.adding(days: $0) })
    where date.weekday < 6 && date.day != 31 {
      #expect(page.contains("\(formats.date(date))"), "\(date)")
    }
    #expect(!page.contains("<s>"))
    #expect(page.hasLink(with: "weeks=\(language == .hebrew ? "2026-05-31" : "2026-06-01")"))
  }

  @Test(arguments: [(Language.english, "09:00"), (.russian, "09:00"), (.hebrew, "9:00")])
  func `a time has the same format on the day page and the confirmation page`(
    _ language: Language, _ time: String
  ) throws {
    let town = try Town()
    let anna = try town.portal.register(language: language)
    let day = anna.get("/appointments/book?doctor=\(town.doctor)&date=2026-05-05")
    #expect(day.contains(">\(time)<"))
    #expect(anna.get(town.confirmation("2026-05-05", "09:00")).text.contains(" \(time)–"))
  }

  @Test func `the purpose of a booking is encrypted in the database`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    try town.book(anna, "2026-05-05", "09:00", purpose: "Chest pain")
    #expect(!String(decoding: try town.portal.storedBytes(), as: UTF8.self).contains("Chest"))
  }

  @Test func `a booking of a taken slot is refused with 409 and can choose another slot`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    let boris = try town.portal.register()
    let path = town.confirmation("2026-05-05", "09:00")
    let form = boris.get(path).hidden(of: "/appointments/book")
    try town.book(anna, "2026-05-05", "09:00")
    let refused = boris.post(
      "/appointments/book", pairs: form + [("purpose", "A <b>question</b>")])
    #expect(refused.status == 409 && refused.hasNotice(.warning, "just booked this time"))
    #expect(refused.contains("A &lt;b&gt;question&lt;/b&gt;"))
    #expect(refused.contains(">Tue, 5 May, 09:10<"))
    let moment = try town.seconds("2026-05-05T06:10")
    let hidden = refused.hidden(of: "/appointments/book")
    let taken = boris.post(
      "/appointments/book",
      pairs: hidden + [("purpose", "A question"), ("instead", String(moment))])
    #expect(taken.status == 303)
    #expect(boris.get(taken.location).hasFact("09:10–09:20"))
    #expect(boris.get(taken.location).fact("Reason for the visit") == "A question")
    let late = boris.get(path)
    #expect(late.hasNotice(.warning, "This time is already booked."))
    #expect(late.hasLink("Tue, 5 May, 09:20") && late.hasLink("Other days"))
    #expect(!late.hasField("purpose") && !late.hasForm(for: "/appointments/book"))
  }

  @Test(arguments: [
    ("date", "2026-05-03", "date", "This day has passed"),
    ("date", "2026-05-04", "time", "This time has passed"),
    ("date", "2027-06-01", "date", "more than a year"),
    ("date", "2026-05-09", "time", "does not work at this time"),
    ("date", "2026-02-30", "date", "date that exists"),
    ("time", "13:00", "time", "does not work at this time"),
    ("time", "18:00", "time", "does not work at this time"),
    ("time", "09:05", "time", "No appointment starts at this time"),
    ("time", "25:00", "time", "time"),
    ("time", "<script>", "time", "time"),
    ("doctor", "99", "doctor", "no such doctor"),
    ("doctor", "1; DROP TABLE appointments", "doctor", "at most 20"),
    ("doctor", "-1", "doctor", "no such doctor"),
    ("clinic", "99", "doctor", "does not work at this clinic"),
    ("department", "99", "department", "another department"),
    ("offset", "+07:00", "offset", "offset"),
    ("offset", "banana", "offset", "offset"),
  ])
  func `an invalid booking is refused with 422 and the reason beside the field`(
    name: String, value: String, field: String, reason: String
  ) throws {
    let town = try Town()
    let anna = try town.portal.register()
    let form = anna.get(town.confirmation("2026-05-05", "09:00")).hidden(of: "/appointments/book")
    let pairs = form.map { $0.0 == name ? (name, value) : $0 }
    let answer = anna.post("/appointments/book", pairs: pairs + [("purpose", "Kept")])
    #expect(answer.status == 422)
    #expect(answer.hasError(of: field) && answer.contains(reason))
    #expect(answer.value(of: "purpose") == "Kept" && answer.hasLink(to: "#\(field)"))
    #expect(try town.count("SELECT count(*) FROM appointments") == 0)
  }

  @Test(arguments: [
    ("-9223372036854775808", "This day has passed"),
    ("overlap--9223372036854775808", "This day has passed"),
    ("9223372036854775807", "more than a year"),
    ("overlap-9223372036854775807", "more than a year"),
  ])
  func `an alternative time at the limits of Int64 is refused with 422`(
    _ instead: String, _ reason: String
  ) throws {
    let town = try Town()
    let anna = try town.portal.register()
    let form = anna.get(town.confirmation("2026-05-05", "09:00")).hidden(of: "/appointments/book")
    let answer = anna.post("/appointments/book", pairs: form + [("instead", instead)])
    #expect(answer.status == 422 && answer.contains(reason))
    let path = try town.book(anna, "2026-05-05", "09:00")
    let edit = anna.get(path + "/edit?date=2026-05-06&time=10:00").hidden(of: path + "/edit")
    let rescheduled = anna.post(path + "/edit", pairs: edit + [("instead", instead)])
    #expect(rescheduled.status == 422 && rescheduled.contains(reason))
  }

  @Test func `a link to an unavailable time shows the reason before the form is sent`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    for (date, time, reason) in [
      ("2026-05-03", "09:00", "This day has passed"), ("2026-05-09", "09:00", "does not work"),
      ("2026-05-05", "09:05", "No appointment starts at this time"),
    ] {
      let page = anna.get(town.confirmation(date, time))
      #expect(page.status == 200 && page.contains(reason), "\(date) \(time)")
      #expect(!page.hasField("purpose") && !page.hasForm(for: "/appointments/book"))
      #expect(page.heading == "Choose a time" && page.hasLink("All free times"))
    }
    #expect(!anna.get(town.confirmation("2026-05-05", "09:00")).contains("notice warning"))
  }

  @Test func `booking a closed clinic, department or doctor fails and keeps the text`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    let form = anna.get(town.confirmation("2026-05-05", "09:00")).hidden(of: "/appointments/book")
    func refused(_ statement: SQL, _ field: String, _ sentence: String) throws {
      try town.portal.database.write { _ = try $0.run(statement) }
      let answer = anna.post("/appointments/book", pairs: form + [("purpose", "Chest pain")])
      #expect(
        answer.status == 422 && answer.contains(sentence)
          && answer.value(of: "purpose") == "Chest pain")
      #expect(answer.contains("id=\"\(field)-error\">\(sentence)"))
    }
    try refused(
      "UPDATE appointments_doctors SET disabled_at = 1", "doctor",
      "You cannot book with this doctor")
    try refused(
      "UPDATE appointments_departments SET closed_at = 1", "department",
      "This department is closed")
    try refused(
      "UPDATE appointments_clinics SET closed_at = 1", "clinic", "This clinic is closed")
    #expect(anna.get("/appointments/new?with=doctor").isEmptyList())
    #expect(anna.get("/appointments/book?doctor=\(town.doctor)").status == 409)
    #expect(anna.get("/appointments/book?doctor=99").status == 404)
  }

  @Test func `a time skipped by daylight saving is not offered and is refused with 422`() throws {
    let town = try Town(zone: "Europe/Rome")
    town.portal.now = Instant(1_774_000_000)  // 2026-03-20
    try town.work(7, 0..<360)
    let anna = try town.portal.register()
    let day = anna.get("/appointments/book?doctor=\(town.doctor)&date=2026-03-29")
    #expect(day.hasLink(with: "time=01%3A50") && day.hasLink(with: "time=03%3A00"))
    #expect(!day.hasLink(with: "time=02%3A"))
    let form = anna.get(town.confirmation("2026-03-29", "03:00")).hidden(of: "/appointments/book")
    let skipped = form.filter { $0.0 != "offset" }.map { $0.0 == "time" ? ("time", "02:30") : $0 }
    let answer = anna.post("/appointments/book", pairs: skipped)
    #expect(answer.status == 422 && answer.hasError("because the clocks go forward"))
  }

  @Test func `times in the repeated hour are distinguished by their UTC offset`() throws {
    let town = try Town(zone: "Europe/Rome")
    try town.work(7, 0..<360)
    let anna = try town.portal.register()
    let day = anna.get("/appointments/book?doctor=\(town.doctor)&date=2026-10-25")
    #expect(day.hasButton("02:30 (UTC+02:00)") && day.hasButton("02:30 (UTC+01:00)"))
    for offset in ["+02:00", "+01:00"] {
      let path = try town.book(anna, "2026-10-25", "02:30", offset: offset)
      let page = anna.get(path)
      #expect(page.hasFact("02:30 (UTC\(offset))–02:40 (UTC\(offset))"))
      #expect(page.hasRow("Booked for 25 October 2026 at 02:30 (UTC\(offset))"))
    }
    let last = try town.book(anna, "2026-10-25", "01:50")
    #expect(anna.get(last).hasFact("01:50 (UTC+02:00)–02:00 (UTC+02:00)"))
    let starts = try town.portal.database.read { connection in
      try connection.rows("SELECT starts_at FROM appointments ORDER BY starts_at") { $0.int(0) }
    }
    #expect(starts.count == 3 && starts[2] - starts[1] == 3_600)
  }

  @Test func `a form sent twice books once`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    let form = anna.get(town.confirmation("2026-05-05", "09:00")).hidden(of: "/appointments/book")
    let first = anna.post("/appointments/book", pairs: form)
    let second = anna.post("/appointments/book", pairs: form)
    #expect(first.status == 303 && first.location == second.location)
    #expect(try town.count("SELECT count(*) FROM appointments") == 1)
  }

  @Test(arguments: [
    ("2026-05-06", "09:00", "a day before and two hours before"),
    ("2026-05-04", "16:00", "We remind you two hours before"),
    ("2026-05-04", "12:30", "no reminder comes"),
  ])
  func `the confirmation says which reminders will come`(
    _ date: String, _ time: String, _ words: String
  ) throws {
    let town = try Town()
    let anna = try town.portal.register()
    let path = try town.book(anna, date, time)
    #expect(anna.get(path + "?booked=1").main.text.contains(words))
    #expect(!anna.get(path).main.text.contains(words))
  }

  @Test func `a cancelled appointment is no longer confirmed`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-06", "09:00")
    _ = try anna.submit(path + "/cancel", [:])
    #expect(anna.get(path + "?booked=1").heading != "The appointment is booked")
  }

  @Test func `after a booking, its address and a second press lead to the appointment`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    let path = town.confirmation("2026-05-05", "09:00")
    let other = anna.get(path).hidden(of: "/appointments/book")
    let booked = try town.book(anna, "2026-05-05", "09:00")
    let page = anna.get(path)
    #expect(page.status == 200 && page.heading == "Already booked")
    #expect(page.hasNotice(.success, "You have booked this time.") && page.hasLink(to: booked))
    #expect(!page.hasForm(for: "/appointments/book") && !page.contains("Somebody else"))
    let again = anna.post("/appointments/book", pairs: other)
    #expect(again.status == 303 && again.location == booked + "?booked=1")
    #expect(try town.count("SELECT count(*) FROM appointments") == 1)
  }

  @Test func `a refusal of a taken time mentions typed text only if there is any`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    let form = anna.get(town.confirmation("2026-05-05", "09:00")).hidden(of: "/appointments/book")
    try town.book(try town.portal.register(), "2026-05-05", "09:00")
    let empty = anna.post("/appointments/book", pairs: form)
    #expect(empty.hasNotice(.warning, "Choose another one.") && !empty.contains("still here"))
    let hidden = empty.hidden(of: "/appointments/book")
    let typed = anna.post("/appointments/book", pairs: hidden + [("purpose", "Cough")])
    #expect(typed.status == 409 && typed.hasNotice(.warning, "What you typed is still here."))
  }

  @Test func `a booking shortly before the visit promises no call to a clinic without a phone`()
    throws
  {
    let town = try Town()
    let anna = try town.portal.register()
    let path = town.confirmation("2026-05-04", "12:30")
    #expect(anna.get(path).contains("only by calling the clinic"))
    try town.portal.database.write { _ = try $0.run("UPDATE appointments_clinics SET phone = ''") }
    let page = anna.get(path)
    #expect(page.contains("you cannot change or cancel it here") && !page.contains("calling"))
  }

  @Test func `the clinic's time zone is shown where it differs from the portal's`() throws {
    let town = try Town(zone: "Asia/Kathmandu")
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-06", "09:00")
    #expect(anna.get(path).hasFact("Asia/Kathmandu"))
    #expect(anna.get("/appointments").hasRow("Asia/Kathmandu"))
  }
}

/// Free times for visitors who have not signed in, and the page of days, times and month.
@Suite struct FreeTimeTests {
  @Test func `free times are open to everyone, and the chosen time asks to sign in`() throws {
    let town = try Town()
    let guest = town.portal.visitor()
    #expect(guest.get("/appointments/new").hasLink(with: "specialization=cardiology"))
    #expect(guest.get("/appointments/new?specialization=cardiology").hasRow("Next free time"))
    let times = guest.get("/appointments/book?doctor=\(town.doctor)")
    #expect(times.status == 200 && times.hasLink(with: "time="))
    let path = town.confirmation("2026-05-05", "09:00")
    let chosen = guest.get(path)
    #expect(chosen.status == 200 && chosen.fact("When") != nil)
    #expect(chosen.hasLink(with: "/login?next=%2Fappointments%2Fbook%3Fdoctor%3D1%26date%3D2026"))
    #expect(chosen.hasForm(for: "/appointments/book/hold"))
    #expect(!chosen.hasField("purpose"))
    #expect(guest.post("/appointments/book", pairs: [("doctor", "1")]).status == 401)
    #expect(guest.get("/appointments/new?with=personal").location.hasPrefix("/login"))
  }

  @Test func `the first free day is open, and full, past and free days differ in words`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    try town.portal.database.write { connection in
      // Tuesday has a single time, which is taken.
      try connection.run("DELETE FROM appointments_hours WHERE weekday = 2")
    }
    try town.work(2, 540..<550)
    try town.book(anna, "2026-05-05", "09:00")
    let page = anna.get("/appointments/book?doctor=\(town.doctor)")
    let open = page.main.first { $0.name == "details" && $0.attributes["open"] != nil }
    #expect(open?.text.contains("Mon, 4 May") == true)
    #expect(page.text.contains("Tue, 5 May Tomorrow Fully booked"))
    let cells = page.main.first { $0.name == "table" }?.all("td").map(\.text) ?? []
    #expect(cells.contains { $0.contains("5") && $0.contains("Full") })
    #expect(cells.contains { $0.contains("9") && $0.contains("The doctor does not work") })
    let today = page.main.first { $0.attributes["aria-current"] == "date" }
    #expect(today?.text.contains("4 May") == true)
    town.portal.now = town.portal.now + .days(9)
    #expect(try anna.signIn(anna.login).status == 303)
    let later = anna.get("/appointments/book?doctor=\(town.doctor)")
    #expect(later.text.contains("Past"))
    #expect(later.main.first { $0.name == "table" }?.all("tr").count == 5)
  }

  @Test func `a personal entry that overlaps a booking is saved and pointed out on both`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    let booking = try town.book(anna, "2026-05-05", "09:00")
    let saved = try anna.submit(
      "/appointments/new?with=personal",
      ["date": "2026-05-05", "time": "09:05", "location": "Dentist"])
    let page = anna.get(saved.location)
    #expect(page.hasNotice(.success, "The appointment is saved."))
    #expect(page.hasNotice(.warning, "Dr. House"))
    #expect(anna.get(booking).hasNotice(.warning, "Dentist"))
  }

  @Test func `a cancelled appointment offers another time, and alerts are listed`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-05", "09:00")
    #expect(try anna.submit("\(path)/cancel", [:]).status == 303)
    let times = "/appointments/book?doctor=\(town.doctor)"
    #expect(anna.get(path).link(to: times) == "Book another time")
    #expect(anna.press("/appointments/wishes/\(town.doctor)", on: times).status == 303)
    let list = "/appointments/wishes"
    #expect(anna.get("/appointments").hasLink(to: list) && anna.get(list).hasRow("Dr. House"))
    #expect(anna.press("\(list)/\(town.doctor)/leave", on: list).location == list)
    #expect(anna.get(list).isEmptyList())
  }
}

extension Town {
  /// Returns the Unix time of a date and time in UTC.
  func seconds(_ moment: String) throws -> Int64 {
    guard case .one(let instant) = try #require(LocalDateTime(moment)).moments(in: .utc) else {
      throw DecodingFailure()
    }
    return instant.seconds
  }

  /// Adds a doctor to the department with the same hours as the first.
  func secondDoctor() throws -> ID<Doctor> {
    let visitor = try portal.register(login: "second")
    let person = try portal.person(of: visitor)
    return try portal.write { connection in
      let other = try insertDoctor("Dr. Wilson", person, on: connection)
      try connection.run(
        """
        INSERT INTO appointments_hours (doctor, weekday, starts, ends, kind)
        SELECT \(other), weekday, starts, ends, kind FROM appointments_hours WHERE doctor = \(doctor)
        """)
      return other
    }
  }
}
