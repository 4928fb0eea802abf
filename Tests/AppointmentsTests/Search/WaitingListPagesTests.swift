import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// The public pages of doctors, and joining and leaving a waiting list.
@Suite struct WaitingListPagesTests {
  private let town: Town
  private var portal: TestPortal { town.portal }
  /// The path of the doctor's public page.
  private var page: String { town.doctorPage }

  init() throws { town = try Town() }

  @Test func `visitors see the doctors, and joining a waiting list needs a sign-in`() throws {
    let stranger = portal.visitor()
    let list = stranger.get("/appointments/doctors")
    #expect(list.status == 200)
    #expect(list.hasRow("Dr. House"))
    #expect(list.offers("First Clinic", in: "clinic"))
    #expect(!stranger.get(page).hasSection("Waiting list"))
    #expect(town.pressQueue("open").location == "/appointments/queue")
    #expect(stranger.get("/appointments/doctors").hasBadge("Free now"))
    #expect(stranger.get(page).hasLink(to: "/login?next=%2Fappointments%2Fdoctors%2F1"))
    #expect(stranger.send("POST", "\(page)/queue").status == 401)
    #expect(stranger.get("/appointments/doctors/77").status == 404)
    #expect(stranger.get("/appointments/doctors/77/display").status == 404)
  }

  @Test func `the doctor's page shows weekly hours without breaks, or that none exist`() throws {
    let stranger = portal.visitor()
    #expect(stranger.get(page).contains("Mon–Fri <bdi>09:00–13:00, 14:00–17:00</bdi>"))
    try portal.database.write { try $0.run("DELETE FROM appointments_hours") }
    #expect(
      stranger.get(page).fact("Hours")
        == "No regular hours have been entered for this doctor.")
  }

  @Test func `a patient who joins a free doctor's list sees that it is their turn`() throws {
    let anna = try portal.register()
    _ = town.pressQueue("open")
    #expect(anna.get(page).hasField("present"))
    #expect(town.pressJoin(anna).location == page)
    let turn = anna.get(page).main.first { $0.attributes["id"] == "call" }
    #expect(turn?.hasClass("turn") == true && turn?.text.contains("Go in now") == true)
    #expect(anna.get(page).body.contains("data-refresh=\"15\""))
    #expect(anna.get("/").contains("Dr. House is ready to see you"))
    #expect(!anna.get("/").contains("My waiting list"))
  }

  @Test func `joining without confirming to be at the clinic is refused with 422`() throws {
    let anna = try portal.register()
    _ = town.pressQueue("open")
    let refused = anna.press("\(page)/queue", on: page)
    #expect(refused.status == 422 && refused.heading == "Dr. House" && refused.hasField("present"))
    let box = try #require(refused.main.first { $0.attributes["id"] == "present" })
    #expect(box.attributes["aria-invalid"] == "true")
    #expect(box.attributes["aria-describedby"] == "present-hint present-error")
    #expect(try town.stored().isEmpty)
    #expect(anna.get("\(page)/queue/leave").status == 409)
    #expect(portal.visitor().get("\(page)/queue/leave").status == 303)
    #expect(town.pressJoin(anna).status == 303)
  }

  @Test func `a waiting patient sees number, people ahead and time, and can leave`() throws {
    let visitors = try (0..<3).map { _ in try portal.register() }
    _ = town.pressQueue("open")
    for visitor in visitors { #expect(town.pressJoin(visitor).status == 303) }
    let list = visitors[2].get("/appointments/doctors")
    #expect(list.hasBadge("Walk in: 2 waiting, about 12:30"))
    #expect(list.hasNotice(.plain, "You have number 3 on the waiting list of Dr. House."))
    #expect(list.hasNotice(.plain, "1 person is ahead of you."))
    // The tests start at 09:00 UTC, which is 12:00 in Minsk.
    #expect(list.hasNotice(.plain, "You will be seen at about 12:20."))
    #expect(visitors[1].get(page).text.contains("You are next."))
    let card = visitors[1].get(page).main.first { $0.attributes["id"] == "call" }
    #expect(card?.hasClass("next-turn") == true && card?.hasClass("turn") == false)
    #expect(!visitors[2].get(page).contains("next-turn"))
    #expect(visitors[1].get(page).hasLink(to: "\(page)/queue/leave"))
    #expect(visitors[1].get("\(page)/queue/leave").text.contains("You have number 2"))
    let left = try visitors[1].submit("\(page)/queue/leave", [:])
    #expect(left.location == "\(page)")
    let said = "You have left the waiting list."
    #expect(visitors[1].get(left.location).contains(said))
    #expect(!visitors[0].get(left.location).contains(said))
    #expect(visitors[2].get(page).text.contains("You are next."))
    #expect(!visitors[1].get("/appointments/doctors").contains("You have number"))
  }

  @Test func `a patient who would wait past a free time is offered it`() throws {
    let visitors = try (0..<3).map { _ in try portal.register() }
    _ = town.pressQueue("open")
    let stranger = portal.visitor()
    #expect(stranger.get(page).notices(.plain).isEmpty)
    for visitor in visitors { _ = town.pressJoin(visitor) }
    // The next patient is called at 12:30, but 12:10 is still free.
    let notice = stranger.get(page).main.first { $0.hasClass("notice") }
    let link = try #require(notice?.all("a").first?.attributes["href"])
    #expect(link.contains("date=2026-05-04&time="))
  }

  @Test func `a patient on the list sees no empty card`() throws {
    let visitors = try (0..<2).map { _ in try portal.register() }
    _ = town.pressQueue("open")
    for visitor in visitors { _ = town.pressJoin(visitor) }
    portal.now = .start(15)
    _ = town.pressQueue("finish")
    for visitor in visitors {
      let panels = visitor.get(page).main.all { $0.hasClass("panel") }
      #expect(!panels.contains { $0.text == $0.first { $0.name == "h2" }?.text })
    }
  }

  @Test func `outside the doctor's hours nobody can join, and the page tells the hours`() throws {
    let anna = try portal.register()
    _ = town.pressQueue("open")
    let form = anna.get(page).hidden(of: "\(page)/queue")
    // 18:00 in Minsk, an hour after the doctor's day.
    portal.now = portal.now + .hours(6)
    #expect(try anna.signIn(anna.login).status == 303)
    let shown = anna.get(page)
    #expect(!shown.hasField("present") && shown.contains("09:00–13:00, 14:00–17:00"))
    let token = shown.hidden(of: "/logout").filter { $0.0 != "once" }
    let refused = anna.post(
      "\(page)/queue", pairs: form.filter { $0.0 == "once" } + token + [("present", "yes")])
    #expect(refused.status == 409)
    #expect(refused.text.contains("You can join only during the doctor’s hours"))
    #expect(refused.text.contains("Mon–Fri 09:00–13:00, 14:00–17:00"))
    #expect(try town.stored().isEmpty)
  }

  @Test func `nobody can join a list that is opened while the clinic is closed`() throws {
    // 04:50 on Tuesday in Minsk. The clinic opens at 09:00.
    portal.now = .start(16 * 60 + 50)
    _ = try town.doctorVisitor.signIn("doctor")
    #expect(town.pressQueue("open").status == 303)
    #expect(town.doctorVisitor.get("/appointments/queue").hasNotice(.warning, "09:00–17:00"))
    let anna = try portal.register()
    let shown = anna.get(page)
    #expect(!shown.hasField("present") && !shown.text.contains("Join now"))
    #expect(shown.text.contains("The clinic is closed now") && shown.text.contains("09:00–17:00"))
    let form = shown.hidden(of: "/logout").filter { $0.0 != "once" } + [("present", "yes")]
    #expect(anna.post("\(page)/queue", pairs: form).status == 409)
    let list = portal.visitor().get("/appointments/doctors")
    #expect(!list.hasBadge("Free now") && list.hasBadge("The waiting list is closed"))
    #expect(portal.visitor().get("/appointments/doctors?available=1").contains("0 doctors"))
    #expect(portal.visitor().get("\(page)/display").text.contains("The waiting list is closed"))
    // 08:00, an hour before the clinic opens.
    portal.now = .start(20 * 60)
    #expect(try anna.signIn(anna.login).status == 303)
    #expect(anna.get(page).hasField("present"))
    #expect(town.pressJoin(anna).status == 303)
  }

  @Test
  func
    `a list that is opened outside of the doctor's hours can be joined while the clinic is open`()
    throws
  {
    let other = try portal.register(login: "other")
    let person = try portal.person(of: other)
    try portal.write { connection in
      try town.insertDoctor("Dr. Late", person, on: connection)
      try connection.run(
        """
        INSERT INTO appointments_hours (doctor, weekday, starts, ends, kind)
        VALUES (2, 1, 1080, 1200, 'work')
        """)
    }
    // 19:00 in Minsk: the clinic is open until 20:00, and the doctor's hours have ended at 17:00.
    portal.now = .start(7 * 60)
    try town.open(at: portal.now)
    let anna = try portal.register()
    #expect(anna.get(page).hasField("present"))
    portal.now = .start(8 * 60)
    #expect(!anna.get(page).hasField("present"))
  }

  @Test func `a patient who would be seen after the doctor's hours is warned`() throws {
    _ = town.pressQueue("open")
    // 16:40 in Minsk. The doctor's hours end at 17:00.
    portal.now = .start(4 * 60 + 40)
    for _ in 1...2 {
      #expect(!portal.visitor().get(page).text.contains("which end at 17:00"))
      _ = town.pressJoin(try portal.register())
    }
    try town.book(
      try #require(town.people(1).first), .start(4 * 60 + 50)..<Instant.start(5 * 60),
      at: portal.now)
    let shown = portal.visitor().get(page)
    #expect(shown.text.contains("which end at 17:00"))
    let notice = try #require(shown.main.first { $0.hasClass("notice") })
    #expect(notice.all("a").first?.attributes["href"]?.contains("date=2026-05-05&time=") == true)
  }

  @Test func `a patient on the list is told that the call comes after the doctor's hours`() throws {
    // 16:55 in Minsk. The doctor's hours end at 17:00.
    portal.now = .start(4 * 60 + 55)
    _ = try town.doctorVisitor.signIn("doctor")
    try town.open(at: portal.now)
    let visitors = try (0..<2).map { _ in try portal.register() }
    for visitor in visitors { _ = town.pressJoin(visitor) }
    #expect(!visitors[0].get(page).text.contains("which end at 17:00"))
    #expect(visitors[1].get(page).text.contains("which end at 17:00"))
  }

  @Test func `the display shows a booked patient who has arrived, without a name`() throws {
    let vera = try portal.register(["name": "Vera", "surname": "Quux"])
    let path = try town.book(vera, "2026-05-04", "12:10")
    _ = town.pressQueue("open")
    #expect(!portal.visitor().get("\(page)/display").contains("<li>"))
    #expect(try town.atReception().push(path + "/arrived").status == 303)
    for _ in 0..<2 { _ = town.pressJoin(try portal.register()) }
    let display = portal.visitor().get("\(page)/display")
    #expect(display.contains("<strong>1</strong>"))
    #expect(display.contains("<li>A patient with an appointment</li><li>2</li>"))
    #expect(!display.contains("Quux"))
  }

  @Test func `leaving the list after the call is refused with 409`() throws {
    let (anna, boris) = (try portal.register(), try portal.register())
    _ = town.pressQueue("open")
    _ = town.pressJoin(anna)
    _ = town.pressJoin(boris)
    let hidden = boris.get("\(page)/queue/leave").hidden(of: "\(page)/queue/leave")
    portal.now = .start(10)
    let refused = boris.post("\(page)/queue/leave", pairs: hidden)
    #expect(refused.status == 409)
    #expect(refused.contains("You have been called, so you can no longer leave the list"))
    #expect(refused.link(to: "\(page)") == "Back")
    #expect(!boris.get(page).hasLink(to: "\(page)/queue/leave"))
    #expect(boris.get(page).link(to: "\(page)/queue/decline") == "I cannot come")
  }

  @Test func `the doctor's page shows numbers and times of arrival, and no names`() throws {
    let anna = try portal.register(["name": "Zinaida", "surname": "Quux"])
    let boris = try portal.register(["name": "Zinaida", "surname": "Quux"])
    _ = town.pressQueue("open")
    _ = town.pressJoin(anna)
    portal.now = .start(3)
    _ = town.pressJoin(boris)
    let shown = portal.visitor().get(page)
    #expect(shown.heading == "Dr. House")
    #expect(shown.contains("Being seen now: number 1"))
    #expect(shown.contains("<th scope=\"row\">2</th><td>12:03</td>"))
    #expect(!shown.contains("Quux"))
    let display = portal.visitor().get("\(page)/display")
    #expect(!display.contains("<header class=\"site\""))
    #expect(display.contains("data-refresh=\"15\""))
    #expect(
      display.contains("<noscript><meta http-equiv=\"refresh\" content=\"15\"></noscript>"))
    #expect(display.contains("<strong>1</strong>"))
    #expect(display.contains("<li>2</li>"))
    #expect(!display.contains("Quux"))
  }

  @Test func `the pages show due calls even when no job has run`() throws {
    let visitors = try (0..<3).map { _ in try portal.register() }
    _ = town.pressQueue("open")
    for visitor in visitors { _ = town.pressJoin(visitor) }
    portal.now = .start(25)
    #expect(portal.visitor().get("\(page)/display").contains("<strong>3</strong>"))
    #expect(visitors[2].get("/").contains("is ready to see you"))
    #expect(!visitors[1].get("/appointments/doctors").contains("Free now"))
    portal.now = .start(30)
    #expect(portal.visitor().get("/appointments/doctors?available=1").hasRow("Dr. House"))
  }

  @Test func `the doctors can be filtered by specialization, clinic and availability`() throws {
    let stranger = portal.visitor()
    func finds(_ query: String) -> Bool {
      let page = stranger.get("/appointments/doctors?\(query)")
      return !page.isEmptyList() && !page.hasSection("Free times later today")
        && page.contains("Dr. House")
    }
    #expect(finds("specialization=cardiology&clinic=\(town.clinic)"))
    #expect(!finds("specialization=urology"))
    #expect(!finds("clinic=99"))
    #expect(!finds("available=1"))
    #expect(finds("specialization=%3Cscript%3E&clinic=-1&available=maybe&page=900"))
    _ = town.pressQueue("open")
    #expect(finds("available=1"))
    try town.book(try #require(town.people(1).first), .start(5)..<Instant.start(15), at: .start(0))
    #expect(!finds("available=1"))
  }

  @Test func `a repeated form does not put a treated patient on the list again`() throws {
    let anna = try portal.register()
    _ = town.pressQueue("open")
    let form = anna.get(page).hidden(of: "\(page)/queue") + [("present", "yes")]
    #expect(anna.post("\(page)/queue", pairs: form).location == page)
    _ = town.pressQueue("finish")
    #expect(anna.post("\(page)/queue", pairs: form).location == page)
    #expect(try town.stored().map(\.number) == [1])
  }

  @Test func `a doctor cannot join their own waiting list`() throws {
    _ = town.pressQueue("open")
    let refused = town.doctorVisitor.press(
      "\(page)/queue", on: page, ["present": "yes"], evenIfAbsent: true)
    #expect(refused.status == 409)
    #expect(refused.contains("This is your own waiting list"))
  }

  @Test func `the doctor and the clinic's receptionists are not offered to join`() throws {
    let desk = try town.atReception()
    let stranger = try portal.receptionist()
    _ = town.pressQueue("open")
    let join = "action=\"\(page)/queue\""
    #expect(!town.doctorVisitor.get(page).contains(join))
    #expect(town.doctorVisitor.get(page).contains("href=\"/appointments/queue\">My waiting list"))
    #expect(!desk.get(page).contains(join))
    #expect(desk.get(page).hasLink(to: "/appointments/desk/book?list=\(town.doctor)"))
    #expect(stranger.get(page).contains(join))
    #expect(try portal.register().get(page).contains(join))
  }

  @Test func `browser notifications are offered to a patient who has joined, and to a new person`()
    throws
  {
    let visitors = try (0..<2).map { _ in try portal.register() }
    _ = town.pressQueue("open")
    for visitor in visitors { _ = town.pressJoin(visitor) }
    for path in [page, "/account/welcome"] {
      let shown = visitors[1].get(path)
      let offer = try #require(shown.main.first { $0.attributes["id"] == "browser-notices" })
      #expect(offer.attributes["hidden"] != nil && offer.all("button").count == 1)
      #expect(shown.body.contains("browser-notices"))
    }
    #expect(!portal.visitor().get(page).contains("id=\"browser-notices\""))
  }

  @Test func `the waiting list pages are translated into every language`() throws {
    _ = town.pressQueue("open")
    for language in Language.allCases {
      let visitor = portal.visitor(language: language)
      for path in ["/appointments/doctors", page, "\(page)/display", "/privacy"] {
        let shown = visitor.get(path)
        #expect(shown.status == 200)
        #expect(!shown.contains("⟦"))
      }
    }
  }
}
