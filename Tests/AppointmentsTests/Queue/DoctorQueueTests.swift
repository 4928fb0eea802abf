import Foundation
import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// The doctor's page of the own waiting list, and the reception's view of it.
@Suite struct DoctorQueueTests {
  private let town: Town
  private var portal: TestPortal { town.portal }
  /// The path of the doctor's public page.
  private var page: String { town.doctorPage }

  init() throws { town = try Town() }

  /// True if the doctor's page calls the visitor by this number, and does not ask them to join.
  private func isCalled(_ visitor: TestVisitor, _ number: Int) -> Bool {
    let shown = visitor.get(page)
    let panel = shown.main.first { $0.attributes["id"] == "call" }
    return panel?.attributes["data-call"] == "\(number)" && panel?.hasClass("turn") == true
      && panel?.text.contains("Dr. House is ready to see you. Your number is \(number).") == true
      && !shown.contains("Join now")
  }

  @Test func `the doctor's own waiting list shows the doctor's name and clinic`() {
    for isOpen in [false, true] {
      if isOpen { _ = town.pressQueue("open") }
      let desk = town.doctorVisitor.get("/appointments/queue")
      #expect(desk.link(to: "\(page)") == "Dr. House")
      #expect(desk.contains("<bdi>First Clinic</bdi>"))
    }
  }

  @Test func `the doctor finishes early, calls the next patient and closes the list`() throws {
    let visitors = try (0..<3).map { _ in try portal.register() }
    #expect(town.pressQueue("open").status == 303)
    for visitor in visitors { _ = town.pressJoin(visitor) }
    portal.now = .start(2)
    #expect(town.doctorVisitor.get("/appointments/queue").hasButton("Finish and call number 2"))
    #expect(town.doctorVisitor.get("/").contains("2 waiting"))
    #expect(town.pressQueue("next").location == "/appointments/queue")
    #expect(isCalled(visitors[1], 2))
    #expect(town.pressQueue("finish").location == "/appointments/queue")
    try portal.runJobs()
    #expect(!isCalled(visitors[2], 3))
    let paused = town.doctorVisitor.get("/appointments/queue")
    #expect(paused.hasButton("Call number 3") && !paused.hasButton("Finish"))
    #expect(visitors[2].get(page).text.contains("You are next."))
    #expect(town.pressQueue("next").location == "/appointments/queue")
    #expect(isCalled(visitors[2], 3))
    _ = town.pressJoin(visitors[0])
    #expect(town.pressQueue("close").location == "/appointments/queue")
    #expect(isCalled(visitors[2], 3))
    #expect(!visitors[0].get(page).contains("You have number"))
    let hidden = visitors[0].get(page).hidden(of: "/logout") + [("present", "yes")]
    let refused = visitors[0].post("\(page)/queue", pairs: hidden)
    #expect(refused.status == 409)
    #expect(refused.contains("is closed, so you cannot join it now"))
  }

  @Test
  func
    `the doctor's lists show age and sex, and the reception's the age, which tells namesakes apart`()
    throws
  {
    let details = [
      "name": "Zinaida", "surname": "Quux", "sex": "female", "birth_date": "1990-02-13",
    ]
    let (anna, boris) = (try portal.register(), try portal.register(details))
    _ = town.pressQueue("open")
    for visitor in [anna, boris] { _ = town.pressJoin(visitor) }
    try town.book(boris, "2026-05-04", "15:00")
    let aged = "36 years old · Female"
    #expect(town.doctorVisitor.get("/appointments/day").rows.contains { $0.contains(aged) })
    let queue = town.doctorVisitor.get("/appointments/queue")
    #expect(queue.text.components(separatedBy: aged).count == 3)
    let desk = try town.atReception().get("/appointments/desk")
    #expect(desk.hasRow("36 years old") && !desk.contains("Female"))
  }

  @Test func `the doctor is not offered to call a patient into a booked time`() throws {
    let visitors = try (0..<3).map { _ in try portal.register() }
    _ = town.pressQueue("open")
    for visitor in visitors.prefix(2) { _ = town.pressJoin(visitor) }
    try town.book(portal.person(of: visitors[2]), .start(10)..<Instant.start(20), at: .start(0))
    portal.now = .start(2)
    let desk = town.doctorVisitor.get("/appointments/queue")
    #expect(!desk.contains("Finish and call") && desk.hasButton("Finish"))
  }

  @Test func `a doctor without a patient can call a number into the time before an appointment`()
    throws
  {
    let visitors = try (0..<2).map { _ in try portal.register() }
    try town.book(portal.person(of: visitors[1]), .start(10)..<Instant.start(20), at: .start(0))
    portal.now = .start(2)
    _ = town.pressQueue("open")
    _ = town.pressJoin(visitors[0])
    let queue = town.doctorVisitor.get("/appointments/queue")
    #expect(
      queue.hasButton("Call number 1") && queue.text.contains("A patient is booked at 12:10."))
    #expect(town.pressQueue("next").location == "/appointments/queue")
    #expect(isCalled(visitors[0], 1))
    #expect(town.doctorVisitor.get("/appointments/queue").text.contains("until 12:10"))
    portal.now = .start(10)
    try portal.runJobs()
    #expect(try town.stored().map(\.outcome) == [.finished])
  }

  @Test func `while a booked patient is late, the waiting list says what lets the next one in`()
    throws
  {
    let visitors = try (0..<2).map { _ in try portal.register() }
    let booking = try town.book(
      portal.person(of: visitors[1]), .start(10)..<Instant.start(20), at: .start(0))
    portal.now = .start(11)
    _ = town.pressQueue("open")
    _ = town.pressJoin(visitors[0])
    let queue = "/appointments/queue"
    #expect(!town.doctorVisitor.get(queue).hasButton("Call number 1"))
    let missed = "/appointments/\(booking)/noshow"
    #expect(town.doctorVisitor.press(missed, on: queue).location == queue)
    #expect(isCalled(visitors[0], 1))
  }

  @Test func `a disabled doctor is not offered to open the waiting list`() throws {
    _ = town.pressQueue("open")
    _ = town.pressJoin(try portal.register())
    _ = town.pressJoin(try portal.register())
    let admin = try portal.administrator()
    let disable = town.doctorPath + "/disable"
    #expect(admin.get(disable).text.contains("1 person is on the waiting list"))
    #expect(try admin.submit(disable, [:]).status == 303)
    #expect(try town.stored().map(\.outcome) == [nil, .dismissed])
    portal.now = .start(30)
    try portal.runJobs()
    let queue = town.doctorVisitor.get("/appointments/queue")
    #expect(
      queue.hasSection("Your waiting list is closed") && !queue.hasButton("Open the waiting list"))
  }

  @Test
  func `a doctor of a closed clinic is told to ask an administrator, and not to open the list`()
    throws
  {
    let hidden = town.doctorVisitor.get("/appointments/queue").hidden(
      of: "/appointments/queue/open")
    try portal.database.write { try $0.run("UPDATE appointments_clinics SET closed_at = 0") }
    let queue = town.doctorVisitor.get("/appointments/queue")
    #expect(!queue.hasButton("Open the waiting list") && queue.text.contains("administrator"))
    #expect(town.doctorVisitor.get("/").text.contains("cannot book with you at the moment"))
    let refused = town.doctorVisitor.post("/appointments/queue/open", pairs: hidden)
    #expect(refused.status == 409)
    #expect(try town.count("SELECT count(*) FROM appointments_sessions") == 0)
  }

  @Test func `beside the button that calls a number, the page says when it is called by itself`()
    throws
  {
    let visitors = try (0..<2).map { _ in try portal.register() }
    let booking = try town.book(
      portal.person(of: visitors[1]), .start(0)..<Instant.start(10), at: .start(0))
    _ = town.pressQueue("open")
    _ = town.pressJoin(visitors[0])
    let queue = "/appointments/queue"
    #expect(try town.atReception().push("/appointments/\(booking)/fulfilled").status == 303)
    let page = town.doctorVisitor.get(queue)
    #expect(page.hasButton("Call number 1"))
    #expect(page.text.contains("Number 1 is called at 12:10, or sooner if you call now"))
  }

  @Test func `paused calls are told only while somebody waits for them`() throws {
    let visitors = try (0..<2).map { _ in try portal.register() }
    let paused = "waits until you call"
    _ = town.pressQueue("open")
    _ = town.pressJoin(visitors[0])
    _ = town.pressJoin(visitors[1])
    _ = town.pressQueue("finish")
    #expect(town.doctorVisitor.get("/appointments/queue").text.contains(paused))
    #expect(try visitors[1].submit("\(page)/queue/leave", [:]).status == 303)
    let queue = town.doctorVisitor.get("/appointments/queue")
    #expect(!queue.text.contains(paused) && queue.text.contains("Nobody"))
  }

  @Test func `a booked patient who comes early is not said to be next before waiting patients`()
    throws
  {
    let visitors = try (0..<2).map { _ in try portal.register() }
    let path = try town.book(try portal.register(), "2026-05-04", "12:40")
    _ = town.pressQueue("open")
    for visitor in visitors { _ = town.pressJoin(visitor) }
    #expect(try town.atReception().push(path + "/arrived").status == 303)
    let queue = town.doctorVisitor.get("/appointments/queue")
    #expect(queue.hasSection("Booked and arrived"))
    #expect(!queue.hasSection("Next: booked and arrived"))
    let display = portal.visitor().get("\(page)/display")
    #expect(display.contains("<li>2</li><li>A patient with an appointment</li>"))
    portal.now = .start(35)
    try portal.runJobs()
    _ = town.pressJoin(try portal.register())
    #expect(town.doctorVisitor.get("/appointments/queue").hasSection("Next: booked and arrived"))
    let later = portal.visitor().get("\(page)/display")
    #expect(later.contains("<li>A patient with an appointment</li><li>3</li>"))
  }

  @Test func `a booked patient who has arrived comes next, also after the booked time`() throws {
    let path = try town.book(
      try portal.register(["name": "Vera", "surname": "Booked"]), "2026-05-04", "12:10")
    let queue = "/appointments/queue"
    #expect(!town.doctorVisitor.get(queue).hasSection("Next: booked and arrived"))
    #expect(try town.atReception().push(path + "/arrived").status == 303)
    for isOpen in [false, true] {
      if isOpen { _ = town.pressQueue("open") }
      portal.now = .start(isOpen ? 25 : 5)
      let page = town.doctorVisitor.get(queue)
      #expect(page.hasSection("Next: booked and arrived") && page.contains("Vera Booked"))
    }
    #expect(town.doctorVisitor.press(path + "/fulfilled", on: queue).location == queue)
    #expect(!town.doctorVisitor.get(queue).hasSection("Next: booked and arrived"))
  }

  @Test func `a called number that does not come is no visit, and nobody else is called`() throws {
    let (anna, boris) = (
      try portal.register(["name": "Vera", "surname": "Absent"]), try portal.register()
    )
    _ = town.pressQueue("open")
    for visitor in [anna, boris] { _ = town.pressJoin(visitor) }
    let ticket = try portal.count("SELECT min(id_ticket) FROM appointments_tickets")
    let question = "/appointments/queue/\(ticket)/noshow"
    #expect(town.doctorVisitor.get("/appointments/queue").hasLink(to: question))
    #expect(try town.doctorVisitor.submit(question, [:]).status == 303)
    #expect(try town.stored().map(\.outcome) == [.noshow, nil])
    let queue = town.doctorVisitor.get("/appointments/queue")
    #expect(queue.hasButton("Call number 2") && !queue.contains("Vera Absent"))
    #expect(!isCalled(boris, 2))
    #expect(try town.atReception().get("/appointments/desk").status == 200)
  }

  @Test func `a call that is undone brings the number back to its place, until the next call`()
    throws
  {
    let visitors = try (0..<2).map { _ in try portal.register() }
    let (queue, undo) = ("/appointments/queue", "/appointments/queue/undo")
    _ = town.pressQueue("open")
    for visitor in visitors { _ = town.pressJoin(visitor) }
    let shown = town.doctorVisitor.get(queue).hidden(of: undo)
    #expect(town.doctorVisitor.press(undo, on: queue).location == queue)
    try portal.runJobs()
    #expect(!isCalled(visitors[0], 1) && !isCalled(visitors[1], 2))
    #expect(town.doctorVisitor.get(queue).hasButton("Call number 1"))
    #expect(town.doctorVisitor.post(undo, pairs: shown).status == 409)
    portal.now = .start(2)
    #expect(town.pressQueue("next").location == queue)
    #expect(isCalled(visitors[0], 1))
    #expect(try town.count("SELECT count(*) FROM appointments_tickets WHERE told_at IS NULL") == 1)
  }

  @Test func `finishing from an outdated page is refused with 409`() throws {
    let (anna, boris) = (try portal.register(), try portal.register())
    _ = town.pressQueue("open")
    _ = town.pressJoin(anna)
    _ = town.pressJoin(boris)
    let path = "/appointments/queue/finish"
    let hidden = town.doctorVisitor.get("/appointments/queue").hidden(of: path)
    portal.now = .start(10)
    let refused = town.doctorVisitor.post(path, pairs: hidden)
    #expect(refused.status == 409)
    #expect(refused.contains("Another patient has been called"))
    #expect(isCalled(boris, 2))
  }

  @Test func `opening a waiting list needs the doctor role and an assigned clinic`() throws {
    let anna = try portal.register()
    #expect(anna.get("/appointments/queue").status == 403)
    #expect(portal.visitor().get("/appointments/queue").status == 303)
    let newcomer = try portal.register()
    try portal.grant(.doctor, to: newcomer.login)
    _ = try newcomer.signIn(newcomer.login)
    let page = newcomer.get("/appointments/queue")
    #expect(page.hasSection("No clinic has added you as a doctor yet"))
    let hidden = page.hidden(of: "/logout")
    #expect(newcomer.post("/appointments/queue/open", pairs: hidden).status == 409)
  }

  @Test func `a receptionist sees waiting patients' names, and the log records it`() throws {
    let desk = try town.atReception()
    let anna = try portal.register(["name": "Zinaida", "surname": "Quux"])
    let boris = try portal.register(["name": "Boris", "surname": "Waits"])
    #expect(!desk.get("/appointments/desk").contains("Waiting list"))
    _ = town.pressQueue("open")
    #expect(desk.get("/appointments/desk").contains("Nobody is waiting"))
    _ = town.pressJoin(anna)
    portal.now = .start(3)
    _ = town.pressJoin(boris)
    let shown = desk.get("/appointments/desk")
    #expect(shown.hasRow("Zinaida Quux") && shown.hasRow("Being seen now: number 1"))
    #expect(shown.hasRow("Boris Waits") && shown.hasRow("Number 2, waiting since 12:03"))
    #expect(boris.get("/account/access-log").hasRow("Olga Desk"))
    #expect(!desk.get("/appointments/desk?date=2026-05-05").contains("Boris Waits"))
    #expect(!(try portal.receptionist().get("/appointments/desk")).contains("Boris Waits"))
    #expect(!town.doctorVisitor.get("/appointments/day").contains("Boris Waits"))
  }

  @Test func `a doctor sees waiting patients' names, and the access log records it`() throws {
    let anna = try portal.register(["name": "Zinaida", "surname": "Quux"])
    let boris = try portal.register(["name": "Boris", "surname": "Waits"])
    let vera = try portal.register(["name": "Vera", "surname": "Booked"])
    _ = town.pressQueue("open")
    _ = town.pressJoin(anna)
    portal.now = .start(3)
    _ = town.pressJoin(boris)
    let patient = try portal.keys(of: vera).person
    try town.book(patient, .start(40)..<Instant.start(50), at: .start(4))
    let desk = town.doctorVisitor.get("/appointments/queue")
    for name in ["Zinaida Quux", "Boris Waits", "Vera Booked"] { #expect(desk.contains(name)) }
    #expect(desk.hasRow("Number 2, waiting since 12:03"))
    #expect(desk.hasRow("Booked, until 12:50"))
    #expect(boris.get("/account/access-log").hasRow("treatment"))
    let other = try portal.register()
    try portal.grant(.doctor, to: other.login)
    _ = try other.signIn(other.login)
    #expect(!other.get("/appointments/queue").contains("Quux"))
  }

  @Test
  func
    `an open list follows the calls by script, and without scripts only if that is turned on`()
    throws
  {
    #expect(!town.doctorVisitor.get("/appointments/queue").contains("data-refresh"))
    _ = town.pressQueue("open")
    let open = town.doctorVisitor.get("/appointments/queue")
    #expect(open.contains("data-refresh=\"15\"") && !open.contains("http-equiv=\"refresh\""))
  }

  @Test(arguments: ["/appointments/queue", "/appointments/day", "/appointments/desk"])
  func `a page of today refreshes itself once that is turned on in this browser`(path: String)
    throws
  {
    let anna = try portal.register()
    _ = town.pressQueue("open")
    _ = town.pressJoin(anna)
    let visitor = path.hasSuffix("desk") ? try town.atReception() : town.doctorVisitor
    func isRefreshed(_ path: String) -> Bool {
      visitor.get(path).contains("http-equiv=\"refresh\"")
    }
    #expect(!isRefreshed(path))
    #expect(isRefreshed("\(path)?live=1"))
    #expect(isRefreshed(path))
    if !path.hasSuffix("queue") { #expect(!isRefreshed("\(path)?date=2026-01-01")) }
    #expect(!isRefreshed("\(path)?live=0") && !isRefreshed(path))
  }
}
