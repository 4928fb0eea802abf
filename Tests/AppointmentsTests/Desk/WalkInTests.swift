import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// The reception adds patients without an appointment to a doctor's waiting list, and removes them.
@Suite struct WalkInTests {
  private let town: Town
  private let desk: TestVisitor
  private let anna: TestVisitor
  private let person: ID<Person>
  private var search: String { "/appointments/desk/book?list=\(town.doctor)" }
  private var queue: String { "/appointments/desk/queue/\(town.doctor)" }
  /// The address for the patient, whom the reception has found.
  private var join: String { "\(queue)/join?\(town.chosen("quux", by: desk))" }

  init() throws {
    town = try Town()
    desk = try town.atReception()
    anna = try town.zinaida()
    person = try town.portal.person(of: anna)
  }

  @Test func `the reception adds a patient whom it finds, and the patient has a number`() throws {
    #expect(!desk.get("/appointments/desk").hasLink(to: search))
    try town.open()
    #expect(desk.get("/appointments/desk").hasLink(to: search))
    #expect(desk.get("/appointments/desk").hasLink(to: "\(town.doctorPage)/display"))
    let answer = desk.press("/appointments/desk/search", on: search, ["q": "quux"])
    let found = desk.get(answer.location)
    #expect(
      found.hasLink(to: "\(queue)/join?\(Town.chosen(on: found))")
        && found.hasLink(to: "\(queue)/new"))
    #expect(desk.get(join).contains("Zinaida Quux"))
    let added = try desk.submit(join, [:])
    #expect(added.location.hasPrefix("/appointments/desk?listed="))
    let day = desk.get(added.location)
    #expect(day.hasNotice(.success, "number 1") && day.hasRow("Zinaida Quux"))
    #expect(try town.waitingList(at: town.portal.now).place(of: person, at: town.portal.now) != nil)
    #expect(anna.get("/account/access-log").contains("You were added to a waiting list"))
    #expect(try desk.submit(join, [:]).status == 409)
  }

  @Test func `the question says when the patient is seen, also after the doctor's hours`() throws {
    town.portal.now = .start(4 * 60 + 45)
    _ = try desk.signIn(desk.login)
    try town.open(at: town.portal.now)
    #expect(desk.get(join).contains("Zinaida Quux") && !desk.get(join).hasNotice(.warning))
    for other in try town.people(2) { try town.join(other, at: town.portal.now) }
    #expect(desk.get(join).hasNotice(.warning, "17:00"))
  }

  @Test func `the reception adds a new patient, whom it names if the patient seems to be known`()
    throws
  {
    try town.open()
    let new = ["name": "Eva", "surname": "Novak", "phone": "", "birth_date": ""]
    let added = try desk.submit("\(queue)/new", new)
    #expect(desk.get(added.location).hasRow("Eva Novak"))
    let known = try desk.submit("\(queue)/new", new)
    #expect(known.status == 409 && known.hasLink(with: "\(queue)/join?patient_id="))
    #expect(try desk.submit("\(queue)/new", ["name": " "]).refuses("name"))
  }

  @Test func `the reception removes a patient after a question, and the patient is told`() throws {
    try town.open()
    _ = town.pressJoin(try town.portal.register())
    _ = try desk.submit(join, [:])
    let ticket = try town.count("SELECT max(id_ticket) FROM appointments_tickets")
    let remove = "/appointments/desk/tickets/\(ticket)/remove"
    #expect(desk.get("/appointments/desk").hasLink(to: remove))
    #expect(desk.get(remove).contains("Zinaida Quux"))
    let answer = try desk.submit(remove, [:])
    #expect(answer.leads(to: "/appointments/desk"))
    let day = desk.get("/appointments/desk")
    #expect(day.hasNotice(.success) && !day.hasRow("Zinaida Quux"))
    #expect(anna.get("/notifications").contains("has removed you from the waiting list"))
    #expect(desk.get(remove).status == 409)
  }

  @Test func `a patient who is being seen cannot be removed`() throws {
    try town.open()
    _ = try desk.submit(join, [:])
    let ticket = try town.count("SELECT max(id_ticket) FROM appointments_tickets")
    town.portal.now = .start(6)
    let remove = "/appointments/desk/tickets/\(ticket)/remove"
    #expect(!desk.get("/appointments/desk").hasLink(to: remove))
    #expect(desk.get(remove).status == 409)
  }

  @Test func `only the reception of the doctor's clinic adds and removes patients`() throws {
    try town.open()
    _ = try desk.submit(join, [:])
    let remove = "/appointments/desk/tickets/1/remove"
    let elsewhere = try town.portal.receptionist(["name": "Nora", "surname": "Away"])
    for page in [search, join, "\(queue)/new", remove] {
      #expect(elsewhere.get(page).status == 404)
      #expect(anna.get(page).status == 403)
    }
  }

  @Test func `the doctor's page leads a receptionist to the search for the patient`() throws {
    try town.open()
    #expect(desk.get(town.doctorPage).hasLink(to: search))
    #expect(!anna.get(town.doctorPage).hasLink(to: search))
  }

  @Test func `nobody is added to a closed list`() throws {
    #expect(desk.get(join).status == 409)
  }

  @Test func `closing lists waiting patients without an account, and tells the reception of them`()
    throws
  {
    try town.open()
    for (name, phone) in [("Ada", ""), ("Eva", "+375 29 1234567"), ("Ida", "")] {
      let new = ["name": name, "surname": "Novak", "phone": phone, "birth_date": ""]
      #expect(try desk.submit("\(queue)/new", new).status == 303)
    }
    try town.join(person, at: town.portal.now)
    let page = town.doctorVisitor.get("/appointments/queue")
    #expect(page.contains("1 person is waiting. They will be told"))
    #expect(page.contains("2 people are waiting who have no account"))
    #expect(page.hasRow("Number 2 · +375 29 1234567") && page.hasRow("Number 3 · no phone number"))
    #expect(town.pressQueue("close").status == 303)
    #expect(town.portal.notified(desk, "Please tell them: number 2, 3."))
    #expect(town.portal.notified(anna, "has closed the waiting list"))
  }
}
