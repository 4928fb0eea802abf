import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// A called patient who cannot come, and the doctor who settles it.
@Suite struct DeclineTests {
  private let town: Town
  private let anna: TestVisitor
  private let queue = "/appointments/queue"
  private var portal: TestPortal { town.portal }
  private var doctor: TestVisitor { town.doctorVisitor }
  private var page: String { town.doctorPage }
  private var settle: String { "\(queue)/declined" }

  init() throws {
    town = try Town()
    anna = try town.portal.register(["name": "Vera", "surname": "Quux"])
  }

  /// Puts Anna and another patient on the list. Anna is called.
  private func join() throws -> TestVisitor {
    let boris = try portal.register()
    _ = town.pressQueue("open")
    for visitor in [anna, boris] { _ = town.pressJoin(visitor) }
    return boris
  }

  private func decline() throws -> TestPage { try anna.submit("\(page)/queue/decline", [:]) }

  /// Books for Anna, who arrives and is called.
  private func callBooked() throws -> String {
    let booking = try town.book(anna, "2026-05-04", "12:10")
    #expect(try town.atReception().push(booking + "/arrived").status == 303)
    #expect(doctor.press("\(queue)/call", on: queue).status == 303)
    return booking
  }

  @Test func `a called patient tells the doctor, who calls the next one with one press`() throws {
    let boris = try join()
    #expect(!doctor.get(queue).hasForm(for: settle))
    #expect(try decline().leads(to: page))
    let told = anna.get(page)
    #expect(told.hasSection("The doctor knows that you cannot come"))
    #expect(!told.hasLink(to: "\(page)/queue/decline") && !told.contains("Go in now"))
    #expect(portal.notified(doctor, "Number 1 on your waiting list cannot come."))
    let shown = doctor.get(queue)
    #expect(shown.hasNotice(.warning, "Number 1 cannot come."))
    #expect(
      shown.hasButton("Call number 2 instead") && !shown.hasButton("Finish and call number 2"))
    #expect(doctor.press(settle, on: queue).leads(to: queue))
    #expect(try town.stored().map(\.outcome) == [.left, nil])
    #expect(boris.get(page).contains("Go in now") && !anna.get(page).contains("id=\"call\""))
    #expect(portal.notified(boris, "It is your turn"))
  }

  @Test func `the doctor takes the last patient off the list`() throws {
    _ = town.pressQueue("open")
    _ = town.pressJoin(anna)
    _ = try decline()
    #expect(doctor.get(queue).hasButton("Take off the list"))
    #expect(doctor.press(settle, on: queue).status == 303)
    #expect(try town.stored().map(\.outcome) == [.left])
    #expect(try town.waitingList(at: portal.now).isFree(at: portal.now))
  }

  @Test func `the one who comes too late is refused with 409`() throws {
    _ = try join()
    let form = anna.get("\(page)/queue/decline").hidden(of: "\(page)/queue/decline")
    _ = town.pressQueue("finish")
    #expect(anna.post("\(page)/queue/decline", pairs: form).status == 409)
    _ = town.pressJoin(anna)
    _ = town.pressQueue("next")
    _ = town.pressQueue("next")
    #expect(try decline().status == 303)
    #expect(try decline().status == 409)
    let shown = doctor.get(queue).hidden(of: settle)
    #expect(doctor.press(settle, on: queue).status == 303)
    #expect(doctor.post(settle, pairs: shown.filter { $0.0 != "once" }).status == 409)
  }

  @Test func `the doctor settles only what the patient has declined`() throws {
    _ = try join()
    let ticket = try town.count("SELECT min(id_ticket) FROM appointments_tickets")
    let form = doctor.get(queue).hidden(of: "\(queue)/finish").filter { $0.0 != "once" }
    #expect(doctor.post(settle, pairs: form).status == 409)
    #expect(anna.push(settle).status == 403)
    _ = try decline()
    let other = try portal.doctor()
    let token = other.get("/account").hidden(of: "/logout").filter { $0.0 != "once" }
    #expect(other.post(settle, pairs: token + [("ticket", "\(ticket)")]).status == 409)
    #expect(try town.stored().map(\.outcome) == [nil, nil])
  }

  @Test func `a booked patient who was called cannot cancel, on the page and in the API`() throws {
    let booking = try callBooked()
    for path in ["cancel", "edit"] {
      let refused = anna.get("\(booking)/\(path)")
      #expect(refused.status == 409 && refused.text.contains("You have been called"))
    }
    let program = TestProgram(portal, token: try anna.makeToken(["appointments": "write"]))
    let path = "/api/v1\(booking)"
    let refused = program.delete(path, over: program.get(path).tag)
    #expect(refused.status == 409 && refused.contains("You have been called"))
    #expect(anna.get(booking).hasLink(to: "\(booking)/decline"))
  }

  @Test func `a booked patient declines the call, and the doctor calls the list's next one`() throws
  {
    let booking = try callBooked()
    let boris = try portal.register()
    _ = town.pressQueue("open")
    #expect(doctor.press("\(booking)/booked", on: queue).status == 303)
    #expect(anna.get("\(booking)/decline").status == 409)
    #expect(doctor.press("\(queue)/call", on: queue).status == 303)
    _ = town.pressJoin(boris)
    #expect(boris.get("\(booking)/decline").status == 404)
    #expect(try anna.submit("\(booking)/decline", [:]).leads(to: booking))
    #expect(anna.get("\(booking)/decline").status == 409)
    let export = try portal.export(of: anna, from: "appointments")
    #expect(export["bookings"]?[0]?["declined_at"]?.text == "2026-05-04T09:00:00+00:00")
    #expect(anna.get(booking).hasSection("The doctor knows that you cannot come"))
    #expect(portal.notified(doctor, "whom you have called cannot come"))
    #expect(doctor.get(queue).hasNotice(.warning, "The patient cannot come."))
    #expect(doctor.get(queue).hasButton("Call number 1 instead"))
    #expect(doctor.press(settle, on: queue).leads(to: queue))
    #expect(anna.get(booking).fact("Status") == "Cancelled")
    #expect(boris.get(page).contains("Go in now"))
  }

  @Test func `the reception tells the doctor for a called patient`() throws {
    _ = try join()
    let (desk, day) = (try town.atReception(), "/appointments/desk")
    let ticket = try town.count("SELECT min(id_ticket) FROM appointments_tickets")
    let path = "\(day)/tickets/\(ticket)/decline"
    #expect(try portal.receptionist().push(path).status == 404)
    #expect(!desk.get(day).hasLink(to: "\(day)/tickets/\(ticket)/remove"))
    #expect(desk.press(path, on: day).leads(to: day))
    #expect(desk.get(day).hasRow("Number 1 cannot come.") && !desk.get(day).hasForm(for: path))
    #expect(doctor.get(queue).hasNotice(.warning, "Number 1 cannot come."))
    #expect(anna.get("/account/access-log").contains("The reception told the doctor"))
  }

  @Test func `the poll of a waiting person says so, and tells of the call in their language`()
    throws
  {
    func poll(_ visitor: TestVisitor) throws -> JSON {
      try visitor.get("/notifications/poll").json()
    }
    #expect(try poll(anna)["waiting"] == .boolean(false))
    let boris = try join()
    #expect(try poll(boris)["waiting"] == .boolean(true) && poll(boris)["turn"] == .null)
    // Nothing has stored the call: it follows from the clock.
    portal.now = .start(10)
    let turn = try poll(boris)["turn"]
    #expect(
      turn?["text"]?.text?.contains("Dr. House is ready to see you. Your number is 2.") == true)
    #expect(turn?["page"]?.text == page)
    for (language, words) in [("ru", "Подошла ваша очередь"), ("he", "הגיע תורכם")] {
      _ = boris.press("/language", on: "/", ["language": language], evenIfAbsent: true)
      #expect(try poll(boris)["turn"]?["title"]?.text == words)
    }
    try town.decline(portal.person(of: boris), at: portal.now)
    #expect(try poll(boris)["waiting"] == .boolean(false) && poll(boris)["turn"] == .null)
  }

  @Test func `a booked patient waits from the arrival on, and the poll tells of the call`() throws {
    func poll() throws -> JSON { try anna.get("/notifications/poll").json() }
    let booking = try town.book(anna, "2026-05-04", "12:10")
    #expect(try poll()["waiting"] == .boolean(false))
    #expect(try town.atReception().push(booking + "/arrived").status == 303)
    #expect(try poll()["waiting"] == .boolean(true) && poll()["turn"] == .null)
    #expect(anna.get(booking).contains("data-refresh=\"15\""))
    #expect(doctor.press("\(queue)/call", on: queue).status == 303)
    #expect(try poll()["turn"]?["page"]?.text == booking)
    #expect(anna.get(booking).contains("Go in now"))
    #expect(doctor.press("\(booking)/fulfilled", on: queue).status == 303)
    #expect(try poll()["waiting"] == .boolean(false))
  }
}
