import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// Doctors who accept no new patients. It is Monday, 4 May 2026, noon in Minsk.
@Suite struct NewPatientTests {
  private let town: Town
  private let anna: TestVisitor
  private let desk: TestVisitor

  init() throws {
    town = try Town()
    anna = try town.portal.register(login: "anna")
    desk = try town.atReception()
  }

  private static let only = "Only for patients who have seen this doctor before."
  private static let guest = "Takes no new patients. Were you here before? Sign in to book."
  private static let reason = "This doctor accepts no new patients"
  private var page: String { "/appointments/doctors/\(town.doctor)" }
  private var last: String { town.confirmation("2026-05-06", "09:00") }

  private func refuseNewPatients() throws {
    let form = [("spoken_language", ""), ("new_patients", "refused")]
    #expect(try town.doctorVisitor.submit(page + "/edit", pairs: form).status == 303)
  }

  @Test func `a new patient cannot book, and is led to other doctors`() throws {
    let form = anna.get(last).hidden(of: "/appointments/book")
    try refuseNewPatients()
    for path in [last, "/appointments/book?doctor=\(town.doctor)"] {
      let refused = anna.get(path)
      #expect(refused.hasNotice(.warning, Self.reason))
      #expect(refused.hasNotice(.warning, "+375 17 000"))
      #expect(refused.hasLink(to: "/appointments/new?specialization=cardiology"))
      #expect(!refused.hasLink(with: "time=") && !refused.hasField("purpose"))
    }
    let sent = anna.post("/appointments/book", pairs: form)
    #expect(sent.status == 409 && sent.contains(Self.reason) && !sent.hasField("instead"))
    #expect(try town.count("SELECT count(*) FROM appointments") == 0)
  }

  @Test func `the API refuses a new patient with 409 and without other times`() throws {
    try refuseNewPatients()
    let program = TestProgram(town.portal, token: try anna.makeToken(["appointments": "write"]))
    let body = "{\"doctor\": \(town.doctor), \"date\": \"2026-05-06\", \"time\": \"09:00\"}"
    let refused = program.post("/api/v1/appointments", body)
    #expect(refused.status == 409 && refused.contains(Self.reason))
    #expect(try refused.json()["instead"]?[0] == nil)
  }

  @Test func `lists and the doctor's page show a new patient the reason in place of times`() throws
  {
    try refuseNewPatients()
    for path in ["/appointments/doctors", page, "/appointments/clinics/\(town.clinic)"] {
      let shown = anna.get(path)
      #expect(shown.contains(Self.only) && !shown.hasLink(with: "time="), "\(path)")
      #expect(shown.hasLink("Show other doctors"), "\(path)")
      let times = desk.get(path)
      #expect(times.hasLink(with: "time=") && !times.contains(Self.only), "\(path)")
    }
    let doctors = anna.get("/appointments/new?specialization=cardiology")
    #expect(doctors.hasBadge("No new patients") && doctors.hasRow(Self.only))
  }

  @Test func `a visitor without an account sees no times, and signs in if the doctor knows them`()
    throws
  {
    try town.book(anna, "2026-05-05", "09:00")
    try refuseNewPatients()
    let visitor = town.portal.visitor()
    let times = "/appointments/book?doctor=\(town.doctor)"
    for path in ["/appointments/doctors", page, "/appointments/clinics/\(town.clinic)", times] {
      let shown = visitor.get(path)
      #expect(shown.contains(Self.guest) && !shown.hasLink(with: "time="), "\(path)")
      #expect(shown.hasLink(to: "/login?next=\(page.replacing("/", with: "%2F"))"), "\(path)")
      #expect(shown.hasLink("Show other doctors"), "\(path)")
    }
    #expect(visitor.get(page).hasNotice(.warning, Self.guest))
    #expect(visitor.get("/appointments/new?specialization=cardiology").hasRow(Self.guest))
    #expect(anna.get(page).hasLink(with: "time="))
  }

  @Test func `doctors who refuse the visitor stand last in lists and searches`() throws {
    let person = try #require(town.people(1).first)
    try town.portal.write { connection in
      let zoe = try town.insertDoctor("Zoe Zimmer", person, on: connection)
      try connection.run(
        """
        INSERT INTO appointments_hours (doctor, weekday, starts, ends, kind)
        VALUES (\(zoe), 5, 540, 600, 'work')
        """)
    }
    let lists = ["/appointments/doctors", "/appointments/doctors?q=cardiology"]
    for list in lists { #expect(anna.get(list).rows.last?.contains("Zoe Zimmer") == true) }
    try refuseNewPatients()
    for visitor in [town.portal.visitor(), anna] {
      for list in lists { #expect(visitor.get(list).rows.last?.contains("Dr. House") == true) }
    }
  }

  @Test func `a new patient cannot join the waiting list, as little as book`() throws {
    _ = town.pressQueue("open")
    let form = anna.get(page).hidden(of: page + "/queue")
    #expect(!form.isEmpty)
    try refuseNewPatients()
    let shown = anna.get(page)
    #expect(shown.hasNotice(.warning, Self.reason) && !shown.hasField("present"))
    let sent = anna.post(page + "/queue", pairs: form + [("present", "yes")])
    #expect(sent.status == 409 && sent.contains(Self.reason))
    #expect(try town.stored().isEmpty)
  }

  @Test func `a patient whom the doctor knows joins the waiting list`() throws {
    try town.book(anna, "2026-05-05", "09:00")
    _ = town.pressQueue("open")
    try refuseNewPatients()
    #expect(town.pressJoin(anna).location == page)
    #expect(try town.stored().count == 1)
  }

  @Test func `a visitor without an account learns of it, and cannot hold a time`() throws {
    let visitor = town.portal.visitor()
    let form = visitor.get(last).hidden(of: "/appointments/book/hold")
    #expect(!form.isEmpty)
    try refuseNewPatients()
    let shown = visitor.get(last)
    #expect(shown.hasNotice(.warning, Self.reason) && shown.hasLink("Sign in and book"))
    #expect(!shown.hasForm(for: "/appointments/book/hold"))
    #expect(visitor.post("/appointments/book/hold", pairs: form).status == 409)
  }

  @Test func `a patient whom the doctor knows can book, and move an appointment`() throws {
    let path = try town.book(anna, "2026-05-05", "09:00")
    try refuseNewPatients()
    #expect(anna.get(page).hasLink(with: "time="))
    let moved = try anna.submit(path + "/edit?date=2026-05-05&time=10:00", [:])
    #expect(moved.status == 303)
    try town.book(anna, "2026-05-06", "09:00")
  }

  @Test(arguments: ["cancelled", "noshow"])
  func `an appointment that was cancelled or missed makes nobody known`(_ status: String) throws {
    try town.book(anna, "2026-05-05", "09:00")
    try town.portal.write { _ = try $0.run("UPDATE appointments SET status = \(status)") }
    try refuseNewPatients()
    #expect(anna.get(last).hasNotice(.warning, Self.reason))
  }

  @Test func `the reception and the doctor book for a new patient, who is known from then on`()
    throws
  {
    try refuseNewPatients()
    let path = try town.book("anna", "2026-05-05", "09:00", by: desk)
    let again = path + "/again?doctor=\(town.doctor)&date=2026-05-05&time=10:00"
    #expect(try town.doctorVisitor.submit(again, [:]).status == 303)
    try town.book(anna, "2026-05-06", "09:00")
  }

  @Test func `a day of the staff marks patients whom the doctor has not seen`() throws {
    try town.book(anna, "2026-05-04", "15:00")
    let days = [town.doctorVisitor.get("/appointments/day"), desk.get("/appointments/desk")]
    for day in days { #expect(day.hasBadge("New patient") && day.hasBadge("Now · 12:00")) }
    try town.book(anna, "2026-05-05", "09:00")
    try town.portal.write {
      _ = try $0.run(
        """
        UPDATE appointments SET status = 'fulfilled', starts_at = starts_at - 604800,
          ends_at = ends_at - 604800 WHERE id_appointment = 1
        """)
    }
    let later = desk.get("/appointments/desk?date=2026-05-05")
    #expect(later.hasRow("Anna Petrova") && !later.hasBadge("New patient"))
    #expect(!later.text.contains("Now · "))
  }
}
