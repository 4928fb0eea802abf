import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// The page of a patient's appointment for receptionists and doctors.
@Suite struct StaffAppointmentTests {
  @Test func `a doctor opens a patient's appointment, and the access log records it`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-05", "09:00", purpose: "Chest pain")
    let day = town.doctorVisitor.get("/appointments/day?date=2026-05-05")
    #expect(day.hasLink(to: path))
    let page = town.doctorVisitor.get(path)
    #expect(
      page.status == 200 && page.fact("Patient") == "Anna Petrova"
        && page.fact("Reason for the visit") == "Chest pain")
    #expect(page.hasRow("5 May 2026") && page.hasFact("First Clinic"))
    #expect(page.hasRow("Anna Petrova, patient") && !page.contains("· you"))
    #expect(!page.contains(path + "/withdraw") && !page.contains(path + "/reschedule"))
    #expect(anna.get("/account/access-log").hasRow("treatment"))
  }

  @Test func `a doctor's day has its date, the reasons for the visits and the free time`() throws {
    let town = try Town()
    let path = try town.book(
      try town.portal.register(["phone": "+375 29 555"]), "2026-05-06", "09:00",
      purpose: "Chest pain")
    let day = town.doctorVisitor.get("/appointments/day?date=2026-05-06")
    #expect(day.hasRow("09:00–09:10") && day.hasRow("+375 29 555"))
    #expect(day.hasRow("13:00–14:00 Break"))
    #expect(day.heading == "Wednesday, 6 May 2026" && day.text.contains("1 patient"))
    #expect(day.hasRow("Chest pain") && !day.hasBadge("Booked"))
    #expect(day.hasRow("09:10–13:00 23 free times") && day.hasRow("14:00–17:00 18 free times"))
    #expect(day.hasButton("Today") && !day.hasSection("Next patient") && day.hasLink(to: path))
    let today = town.doctorVisitor.get("/appointments/day")
    #expect(today.isEmptyList("No appointments") && !today.hasButton("Today"))
    let next = today.link(to: "/appointments/day?date=2026-05-06") ?? ""
    #expect(next.hasPrefix("Next: ") && next.hasSuffix("09:00, 1 patient"))
  }

  @Test func `a doctor's home leads to the next day with patients if nobody comes today`() throws {
    let town = try Town()
    let day = "/appointments/day?date=2026-05-06"
    try town.book(try town.portal.register(), "2026-05-06", "09:00")
    try town.book(try town.portal.register(), "2026-05-07", "10:00")
    let home = town.doctorVisitor.get("/")
    #expect(home.link(to: day)?.hasSuffix("09:00, 1 patient") == true)
    #expect(!home.contains("No more appointments today"))
    try town.book(try town.portal.register(), "2026-05-04", "15:00")
    #expect(!town.doctorVisitor.get("/").hasLink(to: day))
  }

  @Test func `a break during which the doctor is off is not called a break`() throws {
    let town = try Town()
    let off = [
      "exception": "off", "first_day": "2026-05-06", "starts": "12:00", "ends": "15:00",
    ]
    #expect(try town.doctorVisitor.submit("/appointments/hours/new", off).status == 303)
    let day = town.doctorVisitor.get("/appointments/day?date=2026-05-06")
    #expect(day.contains("No appointments") && day.hasRow("12:00–15:00 Day off"))
    #expect(!day.text.contains("Break"))
  }

  @Test func `a doctor's day begins with the next patient, who has arrived or is booked`() throws {
    let town = try Town()
    let desk = try town.atReception()
    let (anna, boris) = (
      try town.portal.register(["surname": "Quux"]), try town.portal.register(["surname": "Foo"])
    )
    try town.book(anna, "2026-05-04", "12:10", purpose: "Chest pain\nat night")
    let second = try town.book(boris, "2026-05-04", "12:30")
    func next() -> String {
      let day = town.doctorVisitor.get("/appointments/day")
      return day.main.first { $0.hasClass("next-patient") }?.text ?? ""
    }
    #expect(next().contains("Next patient") && next().contains("12:10"))
    #expect(next().contains("Quux") && next().contains("at night") && !next().contains("Foo"))
    #expect(desk.push(second + "/arrived").status == 303)
    #expect(next().contains("Foo") && !next().contains("Quux"))
    town.portal.now = .start(31)
    #expect(town.doctorVisitor.push(second + "/fulfilled").status == 303)
    #expect(next().isEmpty)
  }

  @Test func `a doctor opens the earlier visits of a patient from the appointment`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    let first = try town.book(anna, "2026-05-04", "12:10")
    town.portal.now = .start(10)
    #expect(town.doctorVisitor.push(first + "/fulfilled").status == 303)
    let second = try town.book(anna, "2026-05-05", "09:00")
    let page = town.doctorVisitor.get(second)
    #expect(page.fact("Earlier visits to you") == "4 May 2026" && page.hasLink(to: first))
  }

  @Test func `the access log says that the doctor has seen the appointment`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    try town.book(anna, "2026-05-05", "09:00")
    _ = town.doctorVisitor.get("/appointments/day?date=2026-05-05")
    #expect(anna.get("/account/access-log").hasRow("Your appointment"))
  }

  @Test func `a receptionist sees why a patient cancelled, but not what the visit is for`() throws {
    let town = try Town()
    let desk = try town.atReception()
    let anna = try town.portal.register(["phone": "+375 29 555"])
    let path = try town.book(anna, "2026-05-05", "09:00", purpose: "Chest pain")
    let page = desk.get(path)
    #expect(
      page.status == 200 && page.fact("Patient") == "Anna Petrova"
        && page.contains(path + "/withdraw"))
    #expect(!page.contains("Chest pain"))
    #expect(anna.get(path + "/cancel").contains("The reception can read it"))
    _ = try anna.submit(path + "/cancel", ["reason": "I am abroad"])
    for visitor in [anna, desk] { #expect(visitor.get(path).hasRow("I am abroad")) }
    #expect(desk.get(path).fact("Status") == "Cancelled" && !desk.get(path).contains("Chest pain"))
    #expect(anna.get("/account/access-log").hasBadge("Receptionist"))
  }

  @Test func `a receptionist sees the phone number of a patient without an account`() throws {
    let town = try Town()
    let desk = try town.atReception()
    let path = try town.bookForNewPatient("2026-05-05", "09:00", by: desk)
    let page = desk.get(path)
    #expect(page.fact("Patient") == "Eva Novak" && page.fact("Phone") == "+375 29 1234567")
    #expect(page.hasRow("Olga Desk, receptionist"))
  }

  @Test func `an appointment is 404 to others, and to its doctor once cancelled or old`() throws {
    let town = try Town()
    let anna = try town.portal.register(["surname": "Quux"])
    let path = try town.book(anna, "2026-05-05", "09:00")
    let others = [
      try town.portal.register(), try town.portal.doctor(), try town.portal.receptionist(),
      try town.portal.administrator(),
    ]
    for other in others { #expect(other.get(path).status == 404) }
    let second = try town.book(anna, "2026-05-06", "09:00")
    _ = try anna.submit(second + "/cancel", [:])
    #expect(town.doctorVisitor.get(second).status == 404)
    #expect(!town.doctorVisitor.get("/appointments/day?date=2026-05-06").contains("Quux"))
    town.portal.now = town.portal.now + .days(40)
    _ = try town.doctorVisitor.signIn("doctor")
    #expect(town.doctorVisitor.get(path).status == 404)
  }

  @Test func `the doctor's waiting list links to a booked appointment`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-04", "15:00")
    _ = town.doctorVisitor.push("/appointments/queue/open")
    #expect(town.doctorVisitor.get("/appointments/queue").hasLink(to: path))
  }
}
