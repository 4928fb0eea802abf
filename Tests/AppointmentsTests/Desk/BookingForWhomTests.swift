import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// The steps that make clear for whom a receptionist books, and whether the patient is known.
@Suite struct BookingForWhomTests {
  private let town: Town
  private let desk: TestVisitor
  private let anna: TestVisitor

  init() throws {
    town = try Town()
    desk = try town.atReception()
    anna = try town.zinaida()
  }

  private var time: String { "doctor=\(town.doctor)&date=2026-05-05&time=09%3A00" }

  /// The query that names the patient, whom the reception has found.
  private var patient: String { town.chosen("quux", by: desk) }

  @Test func `a time from the public pages leads a receptionist to the patient's search`() throws {
    let answer = desk.get("/appointments/book?\(time)")
    #expect(answer.location == "/appointments/desk/book?\(time)&search=1")
    let page = desk.get(answer.location)
    #expect(page.hasField("q") && page.hasFact("5 May 2026, 09:00"))
    let own = "/appointments/book?\(time)&for=myself"
    #expect(page.hasLink(to: own))
    let confirmation = desk.get(own)
    #expect(confirmation.hasNotice(.warning, "Olga Desk"))
    #expect(confirmation.hasLink(to: answer.location))
    #expect(try desk.submit(own, [:]).status == 303)
    #expect(desk.get("/appointments").hasRow("Dr. House"))
  }

  @Test func `patients and staff of other clinics book for themselves at once`() throws {
    let other = try town.portal.receptionist(["name": "Ida", "surname": "Elsewhere"])
    let doctor = try town.portal.doctor(["name": "Ida", "surname": "Elsewhere"])
    for visitor in [anna, other, doctor] {
      let page = visitor.get("/appointments/book?\(time)")
      #expect(page.status == 200 && !page.hasLink(with: "/appointments/desk/book"))
      #expect(page.hasNotice(.warning, "Ida Elsewhere") == (visitor !== anna))
      #expect(page.hasNotice(.warning, "Your reception does not book") == (visitor === other))
    }
    let booked = try other.submit("/appointments/book?\(time)", [:])
    #expect(other.get(booked.location).fact("Patient") == "Ida Elsewhere")
    let own = try anna.submit(
      "/appointments/book?\(time.replacing("09%3A00", with: "10%3A00"))", [:])
    #expect(anna.get(own.location).fact("Patient") == nil)
  }

  @Test func `doctors are led to their day instead of booking with themselves`() throws {
    let doctor = town.doctorVisitor
    let page = doctor.get("/appointments/book?\(time)")
    #expect(page.hasNotice(.warning) && page.hasLink(to: "/appointments/day"))
    let sent = [("doctor", "\(town.doctor)"), ("date", "2026-05-05"), ("time", "09:00")]
    let hidden = doctor.get("/account").hidden(of: "/logout")
    #expect(doctor.post("/appointments/book", pairs: hidden + sent).status == 409)
    #expect(try town.count("SELECT count(*) FROM appointments") == 0)
  }

  @Test
  func `after a booking by the reception, its address and a second press lead to the appointment`()
    throws
  {
    let last = "/appointments/desk/book?\(patient)&\(time)"
    let form = desk.get(last).hidden(of: "/appointments/desk/book")
    #expect(try desk.submit(last, [:]).status == 303)
    let page = desk.get(last)
    #expect(page.hasNotice(.success, "This patient has this time already."))
    #expect(page.hasLink(to: "/appointments/1") && !page.contains("Somebody else"))
    let again = desk.post("/appointments/desk/book", pairs: form)
    #expect(again.status == 303 && again.location == "/appointments/1")
    let walkIn = desk.get("/appointments/desk/book?\(time)&search=1")
    #expect(walkIn.hasNotice(.warning, "This time is already booked."))
    #expect(try town.count("SELECT count(*) FROM appointments") == 1)
  }

  @Test func `a second press leads to the appointment behind any number of earlier ones`() throws {
    let patient = "/appointments/desk/book?\(self.patient)&doctor=\(town.doctor)"
    for index in 0..<24 {
      let time = "\(10 + index / 6):\(index % 6)0".replacing("13:", with: "14:")
      #expect(try desk.submit("\(patient)&date=2026-05-05&time=\(time)", [:]).status == 303)
    }
    let last = "\(patient)&date=2026-05-06&time=10:00"
    let form = desk.get(last).hidden(of: "/appointments/desk/book")
    #expect(try desk.submit(last, [:]).status == 303)
    #expect(desk.post("/appointments/desk/book", pairs: form).location == "/appointments/25")
  }

  @Test func `the privacy page says that the doctor alone reads the reason for a visit`() {
    let page = anna.get("/privacy")
    #expect(page.contains("The reason for a visit to our doctors, in your words."))
    #expect(page.text.contains("Your doctor. You can see each access"))
  }

  @Test func `alerts for earlier times are offered to patients only`() throws {
    let times = "/appointments/book?doctor=\(town.doctor)"
    let alert = "/appointments/wishes/\(town.doctor)"
    for visitor in [anna, try town.portal.receptionist()] {
      #expect(visitor.get(times).hasForm(for: alert))
    }
    for visitor in [desk, town.doctorVisitor] {
      #expect(!visitor.get(times).hasForm(for: alert))
    }
  }

  @Test func `the search for the patient leads back to the doctor's times`() {
    let page = desk.get("/appointments/desk/book?\(time)&search=1")
    #expect(
      page.hasLink(to: "/appointments/desk/book?doctor=\(town.doctor)&date=2026-05-05"))
  }

  @Test
  func `the last page of a booking by the reception leads back to the times of the chosen patient`()
    throws
  {
    let patient = self.patient
    let last = "/appointments/desk/book?\(patient)&\(time)"
    let times =
      "/appointments/desk/book?\(patient)&doctor=\(town.doctor)&date=2026-05-05"
    #expect(desk.get(last).hasLink(to: times))
    #expect(try desk.submit(last, ["cancel": "yes"]).location == times)
    #expect(desk.get(times).contains("Zinaida Quux"))
    let new = "/appointments/desk/new?doctor=\(town.doctor)&date=2026-05-05"
    #expect(desk.get(new + "&time=09:00").hasLink(to: new))
  }

  @Test func `a second booking with the same doctor on the same day is pointed out`() throws {
    let path = try town.book(anna, "2026-05-05", "10:00")
    let last = "/appointments/desk/book?\(patient)&\(time)"
    #expect(desk.get(last).hasNotice(.warning, "10:00"))
    #expect(!desk.get(last.replacing("05-05", with: "05-06")).hasNotice(.warning))
    let again = "\(path)/again?\(time)"
    #expect(desk.get(again).hasNotice(.warning, "10:00"))
    #expect(try desk.submit(last, [:]).status == 303)
  }

  @Test func `the file says when the reception can help a patient who has no appointment there`()
    throws
  {
    let reason = "appears here while the patient has an appointment at your clinic"
    let file = desk.get("/appointments/desk/book?\(patient)")
    #expect(file.contains(reason) && file.contains("gets a new password from an administrator"))
    try town.book(anna, "2026-05-06", "10:00")
    #expect(!desk.get("/appointments/desk/book?\(patient)").contains(reason))
  }

  @Test(arguments: [
    ["name": "zinaida", "surname": "QUUX", "birth_date": "1990-02-13"],
    ["name": "Zina", "phone": "80 29 5551234", "birth_date": "1990-02-13"],
    ["name": "zinaida ", "surname": "Quux"],
  ])
  func `a new patient who seems to be known is asked about`(_ typed: [String: String]) throws {
    let last = "/appointments/desk/new?\(time)"
    let asked = try desk.submit(last, typed)
    #expect(asked.status == 409 && asked.hasNotice(.warning))
    #expect(asked.hasLink(with: "/appointments/desk/book?\(time)&patient_id="))
    #expect(asked.hasRow("Zinaida Quux") && asked.hasSection("This may be the same patient"))
    #expect(try town.count("SELECT count(*) FROM appointments") == 0)
    let fields = typed.merging(["instead": "new-patient"]) { $1 }
    #expect(try desk.submit(last, fields).status == 303)
    #expect(try town.count("SELECT count(*) FROM appointments") == 1)
  }

  @Test func `the question about a known patient offers no times, and the patient first`() throws {
    try town.book(anna, "2026-05-05", "09:00")
    let last = "/appointments/desk/new?\(time)"
    let typed = ["name": "Zinaida", "surname": "Quux", "birth_date": "1990-02-13"]
    let asked = try desk.submit(last, typed)
    #expect(asked.status == 409 && !asked.contains("class=\"instead\""))
    let row = try #require(asked.body.firstRange(of: "Zinaida Quux"))
    let another = try #require(asked.body.firstRange(of: "No, it is a new patient"))
    #expect(row.lowerBound < another.lowerBound)
    let taken = try desk.submit(last, typed.merging(["instead": "new-patient"]) { $1 })
    #expect(taken.status == 409 && taken.contains("class=\"instead\""))
    #expect(!taken.hasSection("This may be the same patient"))
  }

  @Test func `a known patient beside another error is named as one who may be the same`() throws {
    let typed = ["name": "Zinaida", "surname": "Quux", "phone": "call me"]
    let asked = try desk.submit("/appointments/desk/new?\(time)", typed)
    #expect(asked.refuses("phone") && asked.hasRow("Zinaida Quux"))
    #expect(asked.hasSection("This may be the same patient"))
  }

  @Test(arguments: [
    ["name": "Zinaida", "surname": "Quux", "birth_date": "1990-02-14"],
    ["name": "Zina", "surname": "Quux"], ["name": "Eva", "birth_date": "1990-02-13"],
  ])
  func `a new patient of another name or birth date is not asked about`(
    _ typed: [String: String]
  ) throws {
    #expect(try desk.submit("/appointments/desk/new?\(time)", typed).status == 303)
  }

  @Test func `a patient of the same name without a birth date is asked about`() throws {
    _ = try town.bookForNewPatient("2026-05-06", "09:00", by: desk)
    let last = "/appointments/desk/new?\(time)"
    for birthDate in ["", "1990-02-13"] {
      let typed = ["name": "Eva", "surname": "Novak", "birth_date": birthDate]
      let asked = try desk.submit(last, typed)
      #expect(asked.status == 409 && asked.hasRow("Eva Novak"), "\(birthDate)")
    }
  }

  @Test func `each step of a booking for a new patient says so`() throws {
    let new = "/appointments/desk/new"
    #expect(desk.get(new).heading == "Book for a new patient")
    for query in ["", "?doctor=\(town.doctor)", "?\(time)"] {
      #expect(desk.get(new + query).contains("a new patient"), "\(query)")
    }
  }
}
