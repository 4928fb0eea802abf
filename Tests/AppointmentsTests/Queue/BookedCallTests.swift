import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// The doctor's call of a booked patient who has arrived.
@Suite struct BookedCallTests {
  private let town: Town
  private let vera: TestVisitor
  /// The path of the appointment.
  private let booking: String
  private let queue = "/appointments/queue"
  private var portal: TestPortal { town.portal }
  private var doctor: TestVisitor { town.doctorVisitor }
  private var display: TestPage { portal.visitor().get("\(town.doctorPage)/display") }

  init() throws {
    town = try Town()
    vera = try town.portal.register(["name": "Vera", "surname": "Quux"])
    booking = try town.book(vera, "2026-05-04", "12:10")
  }

  private func arrive() throws {
    #expect(try town.atReception().push(booking + "/arrived").status == 303)
  }

  private func call() -> TestPage { doctor.press("\(queue)/call", on: queue) }

  @Test func `the call is on the display by time, in the patient's inbox and on the doctor's page`()
    throws
  {
    #expect(!doctor.get(queue).hasForm(for: "\(queue)/call"))
    try arrive()
    #expect(doctor.get(queue).hasForm(for: "\(queue)/call"))
    #expect(call().leads(to: queue))
    #expect(display.contains("12:10</strong>") && !display.contains("Quux"))
    #expect(!display.contains("<li>A patient with an appointment</li>"))
    #expect(portal.notified(vera, "is ready to see you"))
    let page = doctor.get(queue)
    #expect(page.hasSection("Being seen now") && page.contains("Vera Quux"))
    #expect(page.hasLink(to: "\(booking)/again?doctor=\(town.doctor)"))
    #expect(!page.hasForm(for: "\(queue)/call") && page.hasForm(for: "\(booking)/fulfilled"))
  }

  @Test
  func
    `a called patient is in treatment until the doctor has seen them, also before the booked time`()
    throws
  {
    try arrive()
    _ = call()
    portal.now = .start(5)
    #expect(display.contains("12:10</strong>"))
    #expect(doctor.press("\(booking)/fulfilled", on: queue).leads(to: queue))
    #expect(!display.contains("12:10</strong>") && !doctor.get(queue).contains("Vera Quux"))
  }

  @Test func `the waiting list calls nobody while a booked patient is seen`() throws {
    _ = town.pressQueue("open")
    try arrive()
    _ = call()
    let anna = try portal.register()
    _ = town.pressJoin(anna)
    portal.now = .start(3)
    try portal.runJobs()
    #expect(try town.waitingList(at: portal.now).treated(at: portal.now) == nil)
    #expect(!doctor.get(queue).hasButton("Call number 1"))
    #expect(doctor.press("\(booking)/fulfilled", on: queue).status == 303)
    #expect(doctor.get(queue).hasButton("Call number 1"))
    #expect(town.pressQueue("next").status == 303)
    #expect(try town.waitingList(at: portal.now).treated(at: portal.now) != nil)
  }

  @Test func `nobody is called while another patient is seen, nor before the arrival`() throws {
    _ = town.pressQueue("open")
    _ = town.pressJoin(try portal.register())
    try arrive()
    #expect(!doctor.get(queue).hasForm(for: "\(queue)/call"))
    let form = doctor.get(queue).hidden(of: "\(queue)/finish")
    let id = booking.split(separator: "/").last.map(String.init) ?? ""
    #expect(doctor.post("\(queue)/call", pairs: form + [("appointment", id)]).status == 409)
    #expect(try portal.doctor().push("\(queue)/call").status != 303)
    #expect(!portal.notified(vera, "is ready to see you"))
  }

  @Test
  func `a number that is called after the visit's length takes the place of the booked patient`()
    throws
  {
    _ = town.pressQueue("open")
    try arrive()
    _ = call()
    _ = town.pressJoin(try portal.register())
    portal.now = .start(21)
    try portal.runJobs()
    #expect(display.contains("<strong>1</strong>"))
    _ = town.pressQueue("finish")
    #expect(!display.contains("12:10</strong>"))
    #expect(doctor.get(queue).hasForm(for: "\(queue)/call"))
  }

  @Test func `undoing the call brings the patient back to those who have arrived`() throws {
    _ = town.pressQueue("open")
    try arrive()
    _ = call()
    #expect(doctor.press("\(booking)/booked", on: queue).leads(to: queue))
    #expect(!display.contains("12:10</strong>"))
    let page = doctor.get(queue)
    #expect(page.hasSection("Next: booked and arrived") && page.hasForm(for: "\(queue)/call"))
    #expect(vera.get(booking).fact("Status") == "Arrived")
    #expect(vera.get(booking).hasRow("Status was undone"))
    #expect(try town.waitingList(at: portal.now).isFree(at: portal.now))
    #expect(call().leads(to: queue) && display.contains("12:10</strong>"))
  }

  @Test func `a called patient is with the doctor for the reception, and waits no more`() throws {
    let (desk, day) = (try town.atReception(), "/appointments/desk")
    #expect(desk.push(booking + "/arrived").status == 303)
    #expect(desk.get(day).hasBadge("Arrived"))
    #expect(desk.get("/").contains("1 waiting · 0 with a doctor"))
    _ = town.pressQueue("open")
    #expect(doctor.get("/").contains("1 waiting"))
    #expect(doctor.get(queue).contains("1 waiting, 0 booked"))
    _ = call()
    #expect(desk.get(day).hasBadge("With the doctor") && !desk.get(day).hasBadge("Arrived"))
    #expect(desk.get("/").contains("0 waiting · 1 with a doctor"))
    #expect(doctor.get("/").contains("0 waiting"))
  }

  @Test func `the doctor reads the reason for the visit of the called patient`() throws {
    let other = try town.book(
      try portal.register(), "2026-05-04", "12:20", purpose: "Pain in the knee")
    #expect(try town.atReception().push(other + "/arrived").status == 303)
    #expect(!doctor.get(queue).contains("Pain in the knee"))
    _ = call()
    #expect(doctor.get(queue).fact("Reason for the visit") == "Pain in the knee")
  }

  @Test func `undoing the call calls nobody who waits`() throws {
    _ = town.pressQueue("open")
    try arrive()
    _ = call()
    _ = town.pressJoin(try portal.register())
    #expect(doctor.press("\(booking)/booked", on: queue).leads(to: queue))
    try portal.runJobs()
    #expect(try town.waitingList(at: portal.now).treated(at: portal.now) == nil)
    #expect(doctor.get(queue).hasButton("Call number 1"))
  }

  @Test func `undoing the arrival before a call leads back to the booking`() throws {
    try arrive()
    #expect(doctor.press("\(booking)/booked", on: queue).leads(to: queue))
    #expect(vera.get(booking).fact("Status") == "Booked")
  }

  @Test func `undoing the visit of a called patient goes on with it`() throws {
    try arrive()
    _ = call()
    let day = "/appointments/day"
    #expect(doctor.press("\(booking)/fulfilled", on: queue).leads(to: queue))
    let undone = doctor.press("\(booking)/booked", on: day).location
    #expect(doctor.get(undone).hasNotice(.success, "Status undone"))
    #expect(doctor.get(queue).hasSection("Being seen now") && display.contains("12:10</strong>"))
  }
}
