import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

@Suite struct WaitingListTests {
  @Test func `two who join in the same instant are one treated and one first in line`() throws {
    let town = try Town()
    let people = try town.people(2)
    try town.open()
    try town.join(people[0], at: .start(1))
    try town.join(people[1], at: .start(1))
    let line = try town.line(at: .start(1))
    #expect(line.treated(at: .start(1))?.ticket.person == people[0])
    let first = try #require(line.waiting(at: .start(1)).first)
    #expect(first.ticket.person == people[1])
    #expect(line.ahead(of: first, at: .start(1)) == 0)
  }

  @Test func `an open desk can be joined once, a closed one not at all`() throws {
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
    let line = try town.line(at: .start(3))
    #expect(line.treated(at: .start(3))?.ticket.person == people[0])
  }

  @Test func `who was called cannot leave, who waits can`() throws {
    let town = try Town()
    let people = try town.people(3)
    try town.open()
    for person in people { try town.join(person, at: .start(0)) }
    #expect(throws: Refusal.conflict("line.leave.called")) {
      try town.leave(people[0], at: .start(1))
    }
    try town.leave(people[1], at: .start(9))
    // Nobody has looked since: the call of the third follows from the clock.
    #expect(throws: Refusal.conflict("line.leave.called")) {
      try town.leave(people[2], at: .start(10))
    }
    #expect(throws: Refusal.conflict("line.leave.absent")) {
      try town.leave(people[0], at: .start(10))
    }
  }

  @Test func `finishing early calls the next and gives the rest of the time back`() throws {
    let town = try Town(slotMinutes: 30)
    let people = try town.people(2)
    try town.open()
    try town.join(people[0], at: .start(0))
    try town.finish(at: .start(5))
    #expect(try town.line(at: .start(5)).isFree(at: .start(5)))
    try town.book(people[1], .start(10)..<Instant.start(40), at: .start(6))
    try town.join(people[0], at: .start(7))
    #expect(try town.line(at: .start(7)).places[0].treatment?.lowerBound == .start(40))
    #expect(throws: Refusal.conflict("queue.finish.nobody")) { try town.finish(at: .start(8)) }
  }

  @Test func `finish ends nobody but whom the doctor sees`() throws {
    let town = try Town()
    let people = try town.people(2)
    try town.open()
    for person in people { try town.join(person, at: .start(0)) }
    let first = try #require(try town.line(at: .start(9)).treated(at: .start(9)))
    #expect(throws: Refusal.conflict("queue.finish.other")) {
      try town.finish(at: .start(10), expecting: first.ticket.id)
    }
    try town.finish(at: .start(9), expecting: first.ticket.id)
    let line = try town.line(at: .start(9))
    #expect(line.treated(at: .start(9))?.ticket.person == people[1])
  }

  @Test func `a booking cannot take the time of who was called meanwhile`() throws {
    let town = try Town()
    let people = try town.people(3)
    try town.open()
    for person in people { try town.join(person, at: .start(1)) }
    // By the clock the second is treated from minute 11 to 21, though nobody has looked.
    #expect(throws: DoctorTime.Taken.self) {
      try town.book(people[0], .start(20)..<Instant.start(30), at: .start(12))
    }
    try town.book(people[0], .start(25)..<Instant.start(35), at: .start(12))
    #expect(try town.line(at: .start(21)).treated(at: .start(21)) == nil)
    #expect(try town.line(at: .start(35)).treated(at: .start(35))?.ticket.person == people[2])
  }

  @Test func `a cancelled booking calls the next from then on, not before`() throws {
    let town = try Town()
    let people = try town.people(2)
    let booked = try town.book(people[0], .start(0)..<Instant.start(60), at: .start(-60))
    try town.open()
    try town.join(people[1], at: .start(1))
    #expect(try town.line(at: .start(20)).treated(at: .start(20)) == nil)
    try town.cancel(booked, at: .start(20))
    let place = try #require(try town.line(at: .start(25)).treated(at: .start(25)))
    #expect(place.treatment == .start(20)..<Instant.start(30))
  }

  @Test func `calls that nobody saw are stored at their own times`() throws {
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

  @Test func `an erased patient's place is gone, and nobody's call is moved into the past`() throws
  {
    let town = try Town()
    let people = try town.people(3)
    try town.open()
    for person in people { try town.join(person, at: .start(0)) }
    try erase(people[0], in: town)
    #expect(try town.line(at: .start(5)).treated(at: .start(5)) == nil)
    #expect(try town.line(at: .start(10)).treated(at: .start(10))?.ticket.person == people[1])
    try town.finish(at: .start(6))
    #expect(try town.line(at: .start(6)).treated(at: .start(6))?.ticket.person == people[1])
    try erase(people[2], in: town)
    #expect(try town.line(at: .start(7)).waiting(at: .start(7)).isEmpty)
    try town.join(try #require(town.people(1).first), at: .start(8))
    #expect(try town.stored().map(\.number) == [2, 4])
  }

  @Test func `the desk of a doctor who is gone is closed`() throws {
    for isErased in [true, false] {
      let town = try Town()
      let people = try town.people(2)
      try town.open()
      for person in people { try town.join(person, at: .start(0)) }
      if isErased {
        try town.portal.erase(town.doctorVisitor)
      } else {
        try town.portal.database.write { connection in
          _ = try connection.run(
            "UPDATE appointments_doctors SET disabled_at = \(Instant.start(1))")
        }
      }
      #expect(try !town.line(at: .start(2)).isOpen(at: .start(2)))
      #expect(throws: Refusal.self) { try town.join(people[1], at: .start(2)) }
      try town.settle(at: .start(3))
      #expect(try town.stored().map(\.outcome) == [nil, .dismissed])
    }
  }

  /// Tests begin at noon in Minsk.
  @Test func `a forgotten desk closes when the day ends, and tomorrow begins anew`() throws {
    let town = try Town()
    let people = try town.people(4)
    let midnight = Instant.start(12 * 60)
    try town.open()
    for person in people.prefix(3) { try town.join(person, at: midnight - .minutes(15)) }
    let seen = try town.line(at: midnight)
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

  @Test func `whoever still waits when the day ends is told so, once`() throws {
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
    #expect(anna.get("/notifications").contains("Dr. House has closed the waiting list"))
    try town.portal.runJobs()
    let told = "SELECT count(*) FROM notifications" as SQL
    #expect(try town.count(told) == 2)
  }

  @Test func `the day ends when the clinic's clocks say so`() throws {
    // Clocks in Beirut are set forward at midnight: 29 March 2026 begins at 01:00.
    let beirut = try #require(Zone("Asia/Beirut"))
    let sunday = beirut.start(of: try #require(CalendarDate("2026-03-29")))
    #expect(sunday == Instant(1_774_735_200))
    #expect(LocalDateTime(sunday, in: beirut).description == "2026-03-29T01:00")
  }

  @Test func `a desk opened again lets who is treated finish first`() throws {
    let town = try Town()
    let people = try town.people(2)
    try town.open()
    try town.join(people[0], at: .start(0))
    try town.close(at: .start(1))
    try town.open(at: .start(2))
    try town.join(people[1], at: .start(3))
    let line = try town.line(at: .start(3))
    #expect(line.treated(at: .start(3))?.ticket.person == people[0])
    #expect(line.waiting(at: .start(3)).map(\.ticket.number) == [1])
    try town.finish(at: .start(4))
    #expect(try town.line(at: .start(4)).treated(at: .start(4))?.ticket.person == people[1])
  }

  private func erase(_ person: ID<Person>, in town: Town) throws {
    try town.portal.database.write { connection in
      _ = try connection.run("DELETE FROM people WHERE id_person = \(person)")
    }
  }
}
