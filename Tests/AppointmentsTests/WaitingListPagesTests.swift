import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

@Suite struct WaitingListPagesTests {
  let town: Town
  let portal: TestPortal
  /// The doctor's public page.
  let page: String

  init() throws {
    town = try Town()
    portal = town.portal
    page = "/appointments/doctors/\(town.doctor)"
  }

  private func join(_ visitor: TestVisitor) -> TestPage { visitor.press("\(page)/queue", on: page) }

  private func doctor(_ action: String) -> TestPage {
    town.doctorVisitor.press("/appointments/queue/\(action)", on: "/appointments/queue")
  }

  @Test func `everybody sees the doctors, and joining asks to sign in`() throws {
    let stranger = portal.visitor()
    let list = stranger.get("/appointments/doctors")
    #expect(list.status == 200)
    #expect(list.contains("Dr. House"))
    #expect(list.contains("First Clinic"))
    #expect(stranger.get(page).contains("The waiting list is closed at the moment"))
    #expect(doctor("open").location == "/appointments/queue")
    #expect(stranger.get("/appointments/doctors").contains("Free now"))
    #expect(stranger.get(page).contains("href=\"/login?next=%2Fappointments%2Fdoctors%2F1\""))
    #expect(stranger.send("POST", "\(page)/queue").status == 401)
    #expect(stranger.get("/appointments/doctors/77").status == 404)
    #expect(stranger.get("/appointments/doctors/77/display").status == 404)
  }

  @Test func `the doctor's page has the weekly hours without breaks, and says when there are none`()
    throws
  {
    let stranger = portal.visitor()
    #expect(stranger.get(page).contains("Monday to Friday <bdi>09:00–13:00, 14:00–17:00</bdi>"))
    try portal.database.write { try $0.run("DELETE FROM appointments_hours") }
    #expect(stranger.get(page).contains("No regular hours have been entered for this doctor."))
  }

  @Test func `the doctor's own waiting list is headed by the doctor's name and clinic`() {
    for isOpen in [false, true] {
      if isOpen { _ = doctor("open") }
      let desk = town.doctorVisitor.get("/appointments/queue")
      #expect(desk.contains("<a href=\"\(page)\"><bdi>Dr. House</bdi></a>"))
      #expect(desk.contains("<bdi>First Clinic</bdi>"))
    }
  }

  @Test func `a patient joins a free doctor and is told that it is their turn`() throws {
    let anna = try portal.register()
    _ = doctor("open")
    #expect(join(anna).location == "/appointments/doctors")
    #expect(anna.get("/appointments/doctors").contains("It is your turn: Dr. House"))
    #expect(anna.get("/").contains("It is your turn: Dr. House"))
    #expect(!anna.get("/").contains("My waiting list"))
  }

  @Test func `who comes to a busy doctor sees place, people ahead and time, and can leave`() throws
  {
    let visitors = try (0..<3).map { _ in try portal.register() }
    _ = doctor("open")
    for visitor in visitors { #expect(join(visitor).status == 303) }
    let list = visitors[2].get("/appointments/doctors")
    #expect(list.contains("You have number 3 in the waiting list of Dr. House."))
    #expect(list.contains("1 person is ahead of you."))
    // Minsk is three hours ahead of the tests' start at 09:00 UTC.
    #expect(list.contains("Your turn is expected at about 12:20."))
    #expect(visitors[1].get(page).contains("You are next."))
    let left = visitors[1].press("\(page)/queue/leave", on: page)
    #expect(left.location == "/appointments/doctors?left=\(town.doctor)")
    let said = "You have left the waiting list of Dr. House."
    #expect(visitors[1].get(left.location).contains(said))
    #expect(!visitors[0].get(left.location).contains(said))
    #expect(visitors[2].get(page).contains("You are next."))
    #expect(!visitors[1].get("/appointments/doctors").contains("You have number"))
  }

  @Test func `after the call nobody leaves, and the reason is said`() throws {
    let (anna, boris) = (try portal.register(), try portal.register())
    _ = doctor("open")
    _ = join(anna)
    _ = join(boris)
    let hidden = boris.get(page).hidden(of: "\(page)/queue/leave")
    portal.now = .start(10)
    let refused = boris.post("\(page)/queue/leave", pairs: hidden)
    #expect(refused.status == 409)
    #expect(refused.contains("You have been called already"))
    #expect(refused.contains("<a class=\"button\" href=\"\(page)\">Back</a>"))
    #expect(boris.get(page).contains("It is your turn"))
  }

  @Test func `the doctor's page shows numbers and times of arrival, and no names`() throws {
    let anna = try portal.register(["name": "Zinaida", "surname": "Quux"])
    let boris = try portal.register(["name": "Zinaida", "surname": "Quux"])
    _ = doctor("open")
    _ = join(anna)
    portal.now = .start(3)
    _ = join(boris)
    let shown = portal.visitor().get(page)
    #expect(shown.contains("<h1><bdi>Dr. House</bdi></h1>"))
    #expect(shown.contains("Being seen now: number 1"))
    #expect(shown.contains("<th scope=\"row\">2</th><td>12:03</td>"))
    #expect(!shown.contains("Quux"))
    let display = portal.visitor().get("\(page)/display")
    #expect(display.contains("<noscript><meta http-equiv=\"refresh\""))
    #expect(display.contains("data-refresh=\"15\""))
    #expect(display.contains("<strong>1</strong>"))
    #expect(display.contains("<li>2</li>"))
    #expect(!display.contains("Quux"))
  }

  @Test func `pages are right when no job has run`() throws {
    let visitors = try (0..<3).map { _ in try portal.register() }
    _ = doctor("open")
    for visitor in visitors { _ = join(visitor) }
    portal.now = .start(25)
    #expect(portal.visitor().get("\(page)/display").contains("<strong>3</strong>"))
    #expect(visitors[2].get("/").contains("It is your turn"))
    #expect(!visitors[1].get("/appointments/doctors").contains("Free now"))
    portal.now = .start(30)
    #expect(portal.visitor().get("/appointments/doctors?available=1").contains("Dr. House"))
  }

  @Test func `the list can be asked for specialization, clinic and who is free`() throws {
    let stranger = portal.visitor()
    func finds(_ query: String) -> Bool {
      stranger.get("/appointments/doctors?\(query)").contains("Dr. House")
    }
    #expect(finds("specialization=cardiology&clinic=\(town.clinic)"))
    #expect(!finds("specialization=urology"))
    #expect(!finds("clinic=99"))
    #expect(!finds("available=1"))
    #expect(finds("specialization=%3Cscript%3E&clinic=-1&available=maybe&page=900"))
    _ = doctor("open")
    #expect(finds("available=1"))
    try town.book(try #require(town.people(1).first), .start(5)..<Instant.start(15), at: .start(0))
    #expect(!finds("available=1"))
  }

  @Test func `the doctor finishes early, calls the next, and closes the desk`() throws {
    let visitors = try (0..<3).map { _ in try portal.register() }
    #expect(doctor("open").status == 303)
    for visitor in visitors { _ = join(visitor) }
    portal.now = .start(2)
    #expect(town.doctorVisitor.get("/appointments/queue").contains("Finish and call number 2"))
    #expect(town.doctorVisitor.get("/").contains("2 waiting"))
    #expect(doctor("next").location == "/appointments/queue")
    #expect(visitors[1].get(page).contains("It is your turn"))
    #expect(doctor("finish").location == "/appointments/queue")
    #expect(visitors[2].get(page).contains("It is your turn"))
    _ = join(visitors[0])
    #expect(doctor("close").location == "/appointments/queue")
    #expect(visitors[2].get(page).contains("It is your turn"))
    #expect(!visitors[0].get(page).contains("You have number"))
    let hidden = visitors[0].get(page).hidden(of: "/logout")
    let refused = visitors[0].post("\(page)/queue", pairs: hidden)
    #expect(refused.status == 409)
    #expect(refused.contains("is closed, so nobody can join it now"))
  }

  @Test func `nobody is offered to be called into a time that is booked`() throws {
    let visitors = try (0..<3).map { _ in try portal.register() }
    _ = doctor("open")
    for visitor in visitors.prefix(2) { _ = join(visitor) }
    try town.book(portal.person(of: visitors[2]), .start(10)..<Instant.start(20), at: .start(0))
    portal.now = .start(2)
    let desk = town.doctorVisitor.get("/appointments/queue")
    #expect(!desk.contains("Finish and call") && desk.contains(">Finish</button>"))
  }

  @Test func `who was seen and sends the same form again does not stand in line again`() throws {
    let anna = try portal.register()
    _ = doctor("open")
    let form = anna.get(page).hidden(of: "\(page)/queue")
    #expect(anna.post("\(page)/queue", pairs: form).location == "/appointments/doctors")
    _ = doctor("finish")
    #expect(anna.post("\(page)/queue", pairs: form).location == "/appointments/doctors")
    #expect(try town.stored().map(\.number) == [1])
  }

  @Test func `a page that was open for too long finishes nobody`() throws {
    let (anna, boris) = (try portal.register(), try portal.register())
    _ = doctor("open")
    _ = join(anna)
    _ = join(boris)
    let path = "/appointments/queue/finish"
    let hidden = town.doctorVisitor.get("/appointments/queue").hidden(of: path)
    portal.now = .start(10)
    let refused = town.doctorVisitor.post(path, pairs: hidden)
    #expect(refused.status == 409)
    #expect(refused.contains("Somebody else has been called in the meantime"))
    #expect(boris.get(page).contains("It is your turn"))
  }

  @Test func `a desk belongs to doctors, and a doctor without a clinic is told so`() throws {
    let anna = try portal.register()
    #expect(anna.get("/appointments/queue").status == 403)
    #expect(portal.visitor().get("/appointments/queue").status == 303)
    let newcomer = try portal.register()
    try portal.grant(.doctor, to: newcomer.login)
    _ = try newcomer.signIn(newcomer.login)
    let page = newcomer.get("/appointments/queue")
    #expect(page.contains("No clinic has entered you as its doctor yet"))
    let hidden = page.hidden(of: "/logout")
    #expect(newcomer.post("/appointments/queue/open", pairs: hidden).status == 409)
  }

  @Test func `a doctor cannot join the own line`() throws {
    _ = doctor("open")
    let refused = town.doctorVisitor.press("\(page)/queue", on: page, evenIfAbsent: true)
    #expect(refused.status == 409)
    #expect(refused.contains("This is your own waiting list"))
  }

  @Test func `who works there is not offered to join, a patient is`() throws {
    let desk = try town.atDesk()
    let stranger = try portal.receptionist()
    _ = doctor("open")
    let join = "action=\"\(page)/queue\""
    #expect(!town.doctorVisitor.get(page).contains(join))
    #expect(town.doctorVisitor.get(page).contains("href=\"/appointments/queue\">My waiting list"))
    #expect(!desk.get(page).contains(join))
    #expect(desk.get(page).contains("href=\"/appointments/desk\">Desk"))
    #expect(stranger.get(page).contains(join))
    #expect(try portal.register().get(page).contains(join))
  }

  @Test func `the desk of the clinic sees who waits by name, and each look is recorded`() throws {
    let desk = try town.atDesk()
    let anna = try portal.register(["name": "Zinaida", "surname": "Quux"])
    let boris = try portal.register(["name": "Boris", "surname": "Waits"])
    #expect(!desk.get("/appointments/desk").contains("Waiting list"))
    _ = doctor("open")
    #expect(desk.get("/appointments/desk").contains("Nobody is waiting"))
    _ = join(anna)
    portal.now = .start(3)
    _ = join(boris)
    let shown = desk.get("/appointments/desk")
    #expect(shown.contains("Zinaida Quux") && shown.contains("Being seen now: number 1"))
    #expect(shown.contains("Boris Waits") && shown.contains("Number 2, waiting since 12:03"))
    #expect(boris.get("/account/access-log").contains("Olga Desk"))
    #expect(!desk.get("/appointments/desk?date=2026-05-05").contains("Boris Waits"))
    #expect(!(try portal.receptionist().get("/appointments/desk")).contains("Boris Waits"))
    #expect(!town.doctorVisitor.get("/appointments/day").contains("Boris Waits"))
  }

  @Test func `the job stores calls and wants to run when the next is due`() throws {
    let visitors = try (0..<3).map { _ in try portal.register() }
    try town.open()
    for visitor in visitors { _ = join(visitor) }
    portal.now = .start(15)
    try portal.runJobs()
    #expect(try town.stored().map(\.calledAt) == [.start(0), .start(10), nil])
  }

  @Test func `one's places are in the export, and go with the person`() throws {
    let anna = try portal.register()
    _ = doctor("open")
    _ = join(anna)
    let export = try portal.export(of: anna, from: "appointments")
    let text = String(decoding: export.encoded, as: UTF8.self)
    #expect(text.contains(#""doctor":"Dr. House","number":1,"joined_at":"2026-05-04T09:00:00Z""#))
    try portal.erase(anna)
    #expect(try town.stored().isEmpty)
    let held = try portal.database.read { connection in
      try connection.integer("SELECT count(*) FROM appointments_grains")
    }
    #expect(held == 0)
  }

  @Test func `the page and the display are said in three languages`() throws {
    _ = doctor("open")
    for language in Language.allCases {
      let visitor = portal.visitor(language: language)
      for path in ["/appointments/doctors", page, "\(page)/display", "/privacy"] {
        let shown = visitor.get(path)
        #expect(shown.status == 200)
        #expect(!shown.contains("⟦"))
      }
    }
  }

  @Test func `the doctor sees who waits by name, and each look is recorded`() throws {
    let anna = try portal.register(["name": "Zinaida", "surname": "Quux"])
    let boris = try portal.register(["name": "Boris", "surname": "Waits"])
    let vera = try portal.register(["name": "Vera", "surname": "Booked"])
    _ = doctor("open")
    _ = join(anna)
    portal.now = .start(3)
    _ = join(boris)
    let patient = try portal.keys(of: vera).person
    try town.book(patient, .start(40)..<Instant.start(50), at: .start(4))
    let desk = town.doctorVisitor.get("/appointments/queue")
    for name in ["Zinaida Quux", "Boris Waits", "Vera Booked"] { #expect(desk.contains(name)) }
    #expect(desk.contains("Number 2, waiting since 12:03"))
    #expect(desk.contains("Booked, until 12:50"))
    #expect(boris.get("/account/access-log").contains("treatment"))
    let other = try portal.register()
    try portal.grant(.doctor, to: other.login)
    _ = try other.signIn(other.login)
    #expect(!other.get("/appointments/queue").contains("Quux"))
  }

  @Test func `whoever is called is told once, whoever waited at a closed desk too`() throws {
    let visitors = try (0..<3).map { _ in try portal.register() }
    _ = doctor("open")
    for visitor in visitors { _ = join(visitor) }
    func isTold(_ visitor: TestVisitor, _ text: String) -> Bool {
      visitor.get("/notifications").contains(text)
    }
    #expect(isTold(visitors[0], "It is your turn: Dr. House"))
    #expect(!isTold(visitors[1], "It is your turn"))
    portal.now = .start(10)
    try portal.runJobs()
    let inbox = visitors[1].get("/notifications")
    #expect(inbox.contains("It is your turn: Dr. House"))
    try portal.runJobs()
    _ = doctor("close")
    #expect(visitors[1].get("/notifications").body.count == inbox.body.count)
    #expect(isTold(visitors[2], "has closed the waiting list"))
    #expect(!isTold(visitors[2], "It is your turn"))
  }

  @Test func `what is no news any more is not told`() throws {
    let (anna, boris) = (try portal.register(), try portal.register())
    _ = doctor("open")
    _ = join(anna)
    _ = join(boris)
    portal.now = .start(55)
    try portal.runJobs()
    #expect(!boris.get("/notifications").contains("It is your turn"))
  }

  @Test func `who has left is told nothing`() throws {
    let (anna, boris) = (try portal.register(), try portal.register())
    _ = doctor("open")
    _ = join(anna)
    _ = join(boris)
    _ = boris.press("\(page)/queue/leave", on: page)
    _ = doctor("close")
    #expect(!boris.get("/notifications").contains("waiting list"))
  }

  @Test func `the desk refreshes by itself only where the doctor has asked for it`() throws {
    let anna = try portal.register()
    _ = doctor("open")
    _ = join(anna)
    let desk = town.doctorVisitor
    #expect(!desk.get("/appointments/queue").contains("http-equiv=\"refresh\""))
    #expect(desk.get("/appointments/queue?live=1").contains("http-equiv=\"refresh\""))
    let path = "/appointments/queue/finish"
    let finished = desk.press(path, on: "/appointments/queue?live=1")
    #expect(finished.location == "/appointments/queue?live=1")
  }

  @Test func `a treatment ends at its time also at a closed desk`() throws {
    let anna = try portal.register()
    _ = doctor("open")
    _ = join(anna)
    _ = doctor("close")
    portal.now = .start(10)
    #expect(!anna.get("/appointments/doctors").contains("It is your turn"))
    try portal.runJobs()
    let stored = try #require(try town.stored().first)
    #expect(stored.outcome == .finished)
    #expect(stored.overAt == .start(10))
  }
}
