import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

@Suite struct WaitingListTests {
  @Test func `of two joins at the same time one is treated and one is first on the list`() throws {
    let town = try Town()
    let people = try town.people(2)
    try town.open()
    try town.join(people[0], at: .start(1))
    try town.join(people[1], at: .start(1))
    let waitingList = try town.waitingList(at: .start(1))
    #expect(waitingList.treated(at: .start(1))?.ticket.person == people[0])
    let first = try #require(waitingList.waiting(at: .start(1)).first)
    #expect(first.ticket.person == people[1])
    #expect(waitingList.ahead(of: first, at: .start(1)) == 0)
  }

  @Test func `an open list can be joined once, and a closed list refuses joins`() throws {
    let town = try Town()
    let people = try town.people(2)
    #expect(throws: Refusal.conflict("line.closed.conflict")) {
      try town.join(people[0], at: .start(0))
    }
    try town.open()
    try town.open()
    try town.join(people[0], at: .start(0))
    try town.join(people[1], at: .start(1))
    try town.join(people[1], at: .start(2))
    #expect(try town.stored().map(\.number) == [1, 2])
    try town.close(at: .start(3))
    #expect(throws: Refusal.self) { try town.join(people[0], at: .start(3)) }
    let stored = try town.stored()
    #expect(stored.map(\.outcome) == [nil, .dismissed])
    let waitingList = try town.waitingList(at: .start(3))
    #expect(waitingList.treated(at: .start(3))?.ticket.person == people[0])
  }

  @Test func `a waiting patient can leave the list, and a called one cannot`() throws {
    let town = try Town()
    let people = try town.people(3)
    try town.open()
    for person in people { try town.join(person, at: .start(0)) }
    #expect(throws: Refusal.conflict("line.leave.called")) {
      try town.leave(people[0], at: .start(0))
    }
    try town.leave(people[1], at: .start(9))
    // No request has stored the third patient's call: it follows from the clock.
    #expect(throws: Refusal.conflict("line.leave.called")) {
      try town.leave(people[2], at: .start(10))
    }
    #expect(throws: Refusal.conflict("line.leave.absent")) {
      try town.leave(people[0], at: .start(15))
    }
  }

  @Test func `a patient who declines the call stays called until the doctor calls the next one`()
    throws
  {
    let town = try Town()
    let people = try town.people(2)
    try town.open()
    for person in people { try town.join(person, at: .start(0)) }
    #expect(throws: Refusal.conflict("decline.over")) { try town.decline(people[1], at: .start(1)) }
    let ticket = try town.decline(people[0], at: .start(1))
    #expect(throws: Refusal.conflict("decline.done-before")) {
      try town.decline(people[0], at: .start(1))
    }
    let waitingList = try town.waitingList(at: .start(2))
    #expect(waitingList.treated(at: .start(2))?.ticket.isDeclined == true)
    try town.portal.write {
      try WaitingList.finishAndCall(
        town.doctor, expecting: ticket.id, as: .left, in: $0.at(.start(2)))
    }
    #expect(try town.stored().map(\.outcome) == [.left, nil])
    #expect(try town.stored().map(\.calledAt) == [.start(0), .start(2)])
  }

  @Test
  func `a declined call whose time is over is no visit, and a call that is undone is not declined`()
    throws
  {
    let town = try Town()
    let people = try town.people(1)
    try town.open()
    try town.join(people[0], at: .start(0))
    let ticket = try town.decline(people[0], at: .start(1))
    try town.portal.write {
      try WaitingList.undoCall(ticket.id, of: town.doctor, in: $0.at(.start(2)))
    }
    try town.call(ticket.id, at: .start(3))
    #expect(
      try town.waitingList(at: .start(3)).treated(at: .start(3))?.ticket.isDeclined == false)
    try town.decline(people[0], at: .start(4))
    try town.settle(at: .start(13))
    #expect(try town.stored().map(\.outcome) == [.left])
  }

  @Test func `finishing early frees the rest of the time`() throws {
    let town = try Town(slotMinutes: 30)
    let people = try town.people(2)
    try town.open()
    try town.join(people[0], at: .start(0))
    try town.finish(at: .start(5))
    #expect(try town.waitingList(at: .start(5)).isFree(at: .start(5)))
    try town.book(people[1], .start(10)..<Instant.start(40), at: .start(6))
    try town.join(people[0], at: .start(7))
    #expect(try town.waitingList(at: .start(7)).places[0].treatment?.lowerBound == .start(40))
    #expect(throws: Refusal.conflict("queue.finish.nobody")) { try town.finish(at: .start(8)) }
  }

  @Test func `a finished treatment alone calls nobody until the doctor calls`() throws {
    let town = try Town()
    let people = try town.people(4)
    try town.open()
    for person in people.prefix(3) { try town.join(person, at: .start(0)) }
    try town.finish(at: .start(4))
    try town.settle(at: .start(60))
    try town.join(people[3], at: .start(60))
    let paused = try town.waitingList(at: .start(60))
    #expect(paused.treated(at: .start(60)) == nil && !paused.isFree(at: .start(60)))
    let waiting = paused.waiting(at: .start(60))
    #expect(waiting.map(\.ticket.number) == [2, 3, 4])
    #expect(waiting.allSatisfy { $0.treatment == nil })
    #expect(throws: Refusal.conflict("queue.finish.nobody")) { try town.finish(at: .start(60)) }
    #expect(throws: Refusal.conflict("queue.call.other")) {
      try town.call(waiting[1].ticket.id, at: .start(60))
    }
    try town.call(waiting[0].ticket.id, at: .start(61))
    try town.call(waiting[0].ticket.id, at: .start(62))
    let resumed = try town.waitingList(at: .start(71))
    #expect(resumed.treated(at: .start(71))?.ticket.person == people[2])
  }

  @Test func `a list that was paused and closed calls patients again when it is opened`() throws {
    let town = try Town()
    let people = try town.people(2)
    try town.open()
    for person in people { try town.join(person, at: .start(0)) }
    try town.finish(at: .start(4))
    try town.close(at: .start(5))
    try town.open(at: .start(6))
    try town.join(people[1], at: .start(7))
    #expect(try town.waitingList(at: .start(7)).treated(at: .start(7))?.ticket.person == people[1])
  }

  @Test func `finishing a ticket other than the current one is refused`() throws {
    let town = try Town()
    let people = try town.people(2)
    try town.open()
    for person in people { try town.join(person, at: .start(0)) }
    let first = try #require(try town.waitingList(at: .start(9)).treated(at: .start(9)))
    #expect(throws: Refusal.conflict("queue.finish.other")) {
      try town.finish(at: .start(10), expecting: first.ticket.id)
    }
    try town.finishAndCall(at: .start(9), expecting: first.ticket.id)
    let waitingList = try town.waitingList(at: .start(9))
    #expect(waitingList.treated(at: .start(9))?.ticket.person == people[1])
  }

  @Test func `a booking cannot take the time of a patient called meanwhile`() throws {
    let town = try Town()
    let people = try town.people(3)
    try town.open()
    for person in people { try town.join(person, at: .start(1)) }
    // The second patient is treated from minute 11 to 21, though no request has stored the call.
    #expect(throws: ClaimedTime.Taken.self) {
      try town.book(people[0], .start(20)..<Instant.start(30), at: .start(12))
    }
    try town.book(people[0], .start(25)..<Instant.start(35), at: .start(12))
    #expect(try town.waitingList(at: .start(21)).treated(at: .start(21)) == nil)
    #expect(
      try town.waitingList(at: .start(35)).treated(at: .start(35))?.ticket.person == people[2])
  }

  @Test func `after a cancelled booking the next patient is called from then on`() throws {
    let town = try Town()
    let people = try town.people(2)
    let booked = try town.book(people[0], .start(0)..<Instant.start(60), at: .start(-60))
    try town.open()
    try town.join(people[1], at: .start(1))
    #expect(try town.waitingList(at: .start(20)).treated(at: .start(20)) == nil)
    try town.cancel(booked, at: .start(20))
    let place = try #require(try town.waitingList(at: .start(25)).treated(at: .start(25)))
    #expect(place.treatment == .start(20)..<Instant.start(30))
  }

  @Test func `calls are stored at their own times when settled later`() throws {
    let town = try Town()
    let people = try town.people(4)
    try town.open()
    for (minute, person) in people.enumerated() { try town.join(person, at: .start(minute)) }
    try town.settle(at: .start(35))
    let stored = try town.stored()
    #expect(stored.map(\.calledAt) == [.start(0), .start(10), .start(20), .start(30)])
    #expect(stored.map(\.outcome) == [.finished, .finished, .finished, nil])
    try town.settle(at: .start(36))
    #expect(try town.stored() == stored)
  }

  @Test func `erasing a patient deletes the ticket and moves no call into the past`() throws {
    let town = try Town()
    let people = try town.people(3)
    try town.open()
    for person in people { try town.join(person, at: .start(0)) }
    try erase(people[0], in: town)
    #expect(try town.waitingList(at: .start(5)).treated(at: .start(5)) == nil)
    #expect(
      try town.waitingList(at: .start(10)).treated(at: .start(10))?.ticket.person == people[1])
    try town.finishAndCall(at: .start(6))
    #expect(try town.waitingList(at: .start(6)).treated(at: .start(6))?.ticket.person == people[1])
    try erase(people[2], in: town)
    #expect(try town.waitingList(at: .start(7)).waiting(at: .start(7)).isEmpty)
    try town.join(try #require(town.people(1).first), at: .start(8))
    #expect(try town.stored().map(\.number) == [2, 4])
  }

  @Test func `the waiting list of an erased or disabled doctor is closed`() throws {
    for isErased in [true, false] {
      let town = try Town()
      let people = try town.people(2)
      try town.open()
      for person in people { try town.join(person, at: .start(0)) }
      if isErased {
        try town.portal.erase(town.doctorVisitor)
      } else {
        try town.portal.write { connection in
          _ = try connection.run(
            "UPDATE appointments_doctors SET disabled_at = \(Instant.start(1))")
        }
      }
      #expect(try !town.waitingList(at: .start(2)).isOpen(at: .start(2)))
      #expect(throws: Refusal.self) { try town.join(people[1], at: .start(2)) }
      try town.settle(at: .start(3))
      #expect(try town.stored().map(\.outcome) == [nil, .dismissed])
    }
  }

  /// The tests start at noon in Minsk.
  @Test func `a list closes at the end of the day and starts at number 1 the next day`() throws {
    let town = try Town()
    let people = try town.people(4)
    let midnight = Instant.start(12 * 60)
    try town.open()
    for person in people.prefix(3) { try town.join(person, at: midnight - .minutes(15)) }
    let seen = try town.waitingList(at: midnight)
    #expect(!seen.isOpen(at: midnight) && seen.waiting(at: midnight).isEmpty)
    #expect(seen.treated(at: midnight)?.ticket.person == people[1])
    #expect(throws: Refusal.self) { try town.join(people[3], at: midnight + .hours(1)) }
    let morning = midnight + .hours(9)
    try town.open(at: morning)
    try town.join(people[3], at: morning)
    let stored = try town.stored()
    #expect(
      stored.map(\.calledAt) == [
        midnight - .minutes(15), midnight - .minutes(5), nil, morning,
      ])
    #expect(stored.map(\.outcome) == [.finished, .finished, .dismissed, nil])
    #expect(stored[2].overAt == midnight)
    #expect(stored.last?.number == 1)
  }

  @Test func `patients still waiting at the end of the day are notified once`() throws {
    let town = try Town()
    let boris = try town.portal.register()
    let anna = try town.portal.register()
    try town.open()
    for visitor in [boris, anna] {
      try town.join(try town.portal.person(of: visitor), at: .start(12 * 60 - 1))
    }
    town.portal.now = .start(12 * 60 + 2)
    _ = try anna.signIn(anna.login)
    #expect(!anna.get("/").contains("Dr. House"))
    try town.portal.runJobs()
    #expect(town.portal.notified(anna, "Dr. House has closed the waiting list"))
    try town.portal.runJobs()
    let notices = "SELECT count(*) FROM notifications" as SQL
    #expect(try town.count(notices) == 2)
  }

  @Test func `a day without a local midnight starts at 01:00`() throws {
    // Beirut sets its clocks forward at midnight, so 29 March 2026 begins at 01:00.
    let beirut = try #require(Zone("Asia/Beirut"))
    let sunday = beirut.start(of: try #require(CalendarDate("2026-03-29")))
    #expect(sunday == Instant(1_774_735_200))
    #expect(LocalDateTime(sunday, in: beirut).description == "2026-03-29T01:00")
  }

  @Test func `a reopened list lets the current treatment finish first`() throws {
    let town = try Town()
    let people = try town.people(2)
    try town.open()
    try town.join(people[0], at: .start(0))
    try town.close(at: .start(1))
    try town.open(at: .start(2))
    try town.join(people[1], at: .start(3))
    let waitingList = try town.waitingList(at: .start(3))
    #expect(waitingList.treated(at: .start(3))?.ticket.person == people[0])
    #expect(waitingList.waiting(at: .start(3)).map(\.ticket.number) == [1])
    try town.finishAndCall(at: .start(4))
    #expect(try town.waitingList(at: .start(4)).treated(at: .start(4))?.ticket.person == people[1])
  }

  private func erase(_ person: ID<Person>, in town: Town) throws {
    try town.portal.write { connection in
      _ = try connection.run("DELETE FROM people WHERE id_person = \(person)")
    }
  }
}
