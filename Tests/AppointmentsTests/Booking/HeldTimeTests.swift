import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// The time that is held while a visitor registers during a booking.
@Suite struct HeldTimeTests {
  private let town: Town

  init() throws { town = try Town() }

  /// Presses the button that leads a new visitor to the registration, and returns the visitor with
  /// the page to which the registration leads.
  private func hold(_ time: String) throws -> (guest: TestVisitor, next: String) {
    let guest = town.portal.visitor()
    let registration = guest.press(
      "/appointments/book/hold", on: town.confirmation("2026-05-05", time)
    ).location
    let page = guest.get(registration)
    return (guest, try #require(page.value(of: "next")))
  }

  private func isFree(_ time: String) -> Bool {
    let page = town.portal.visitor().get(
      "/appointments/book?doctor=\(town.doctor)&date=2026-05-05")
    return page.hasLink(with: "date=2026-05-05&time=\(time.replacing(":", with: "%3A"))")
  }

  @Test func `a time is held while a visitor registers, who can then book it`() throws {
    let (guest, next) = try hold("09:00")
    #expect(next.contains("hold=") && !isFree("09:00") && isFree("09:10"))
    let boris = try town.portal.register()
    #expect(throws: Town.Refused.self) { try town.book(boris, "2026-05-05", "09:00") }
    let fields = TestVisitor.registration(login: "guest").merging(["next": next]) { $1 }
    let registered = try guest.submit("/register", fields)
    #expect(registered.location == next)
    #expect(!guest.get(next).contains("already booked"))
    #expect(guest.get(next).hasNotice(.plain, "We hold this time for you until 12:10."))
    #expect(try guest.submit(next, ["purpose": "A question"]).status == 303)
    #expect(try town.count("SELECT count(*) FROM appointments_held_times") == 0)
    #expect(try town.count("SELECT count(*) FROM appointments_claimed_units") == 2)
  }

  @Test func `the registration says that the time is held`() throws {
    let guest = town.portal.visitor()
    let registration = guest.press(
      "/appointments/book/hold", on: town.confirmation("2026-05-05", "09:00")
    ).location
    #expect(guest.get(registration).hasNotice(.plain, "We hold this time for you until 12:10."))
  }

  @Test func `a visitor who goes back from the registration finds the time held, not booked`()
    throws
  {
    let (guest, _) = try hold("09:00")
    let page = guest.get(town.confirmation("2026-05-05", "09:00"))
    #expect(page.hasNotice(.plain, "We hold this time for you until 12:10."))
    #expect(!page.contains("already booked") && page.hasForm(for: "/appointments/book/hold"))
    #expect(
      guest.get(town.confirmation("2026-05-05", "09:10")).hasForm(for: "/appointments/book/hold"))
    let stranger = town.portal.visitor().get(town.confirmation("2026-05-05", "09:00"))
    #expect(stranger.contains("already booked"))
  }

  @Test func `a held time is free for others after ten minutes`() throws {
    _ = try hold("09:00")
    town.portal.now = town.portal.now + .minutes(10)
    let boris = try town.portal.register()
    try town.book(boris, "2026-05-05", "09:00")
    #expect(try town.count("SELECT count(*) FROM appointments_held_times") == 0)
  }

  @Test func `the job ends what was held for too long`() throws {
    _ = try hold("09:00")
    town.portal.now = town.portal.now + .minutes(11)
    try town.portal.runJobs()
    #expect(isFree("09:00"))
  }

  @Test func `a few times of a doctor are held at once, and a press again holds no second one`()
    throws
  {
    let (guest, next) = try hold("09:00")
    let again = guest.press("/appointments/book/hold", on: next).location
    #expect(guest.get(again).value(of: "next") == next)
    for time in ["09:10", "09:20"] { #expect(try hold(time).next.contains("hold=")) }
    #expect(try !hold("09:30").next.contains("hold="))
    #expect(isFree("09:30"))
  }

  @Test func `the waiting list calls nobody into a held time`() throws {
    try town.open()
    let person = try town.people(1)[0]
    let start = TestPortal.start
    let token = try #require(
      try town.portal.write {
        try HeldTime.hold(
          start + .minutes(5)..<start + .minutes(15), of: town.doctor, in: $0.at(start))
      })
    try town.join(person, at: start)
    func call() throws -> Instant? {
      try town.waitingList(at: start).places.first?.treatment?.lowerBound
    }
    #expect(try call() == start + .minutes(15))
    try town.portal.write {
      try HeldTime.release(token, of: town.doctor, in: $0.at(start))
    }
    #expect(try call() == start)
  }

  @Test func `the end of a held time does not change the calls before it`() throws {
    try town.open()
    let person = try town.people(1)[0]
    let start = TestPortal.start
    try town.portal.write {
      _ = try HeldTime.hold(start..<start + .minutes(10), of: town.doctor, in: $0.at(start))
    }
    try town.join(person, at: start)
    let later = start + .minutes(13)
    try town.settle(at: later)
    try town.portal.write { try HeldTime.endOverdue(of: town.doctor, in: $0.at(later)) }
    #expect(try town.stored().map(\.calledAt) == [start + .minutes(10)])
    #expect(try town.count("SELECT count(*) FROM appointments_held_times") == 0)
  }
}
