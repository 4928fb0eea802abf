import Dispatch
import PolyclinicCore
import PolyclinicTesting
import Synchronization
import Testing

@testable import Appointments

/// Concurrent changes of the waiting list on SQLite, each thread with its own connection. No thread
/// uses the part of a town that is not `Sendable`, the doctor's browser.
@Suite struct WaitingListRaceTests {
  /// Runs `body` concurrently for each number below `count` and returns all errors but refusals.
  private func race(_ count: Int, _ body: @Sendable (Int) throws -> Void) -> [String] {
    let faults = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: count) { number in
      do { try insisting { try body(number) } } catch is Refusal {} catch {
        faults.withLock { $0.append("\(error)") }
      }
    }
    return faults.withLock { $0 }
  }

  @Test func `of two concurrent joins one is treated and one is first on the list`() throws {
    nonisolated(unsafe) let town = try Town()
    let people = try town.people(2)
    try town.open()
    #expect(race(2) { try town.join(people[$0], at: .start(1)) } == [])
    let waitingList = try town.waitingList(at: .start(1))
    #expect(waitingList.treated(at: .start(1))?.ticket.number == 1)
    #expect(waitingList.waiting(at: .start(1)).map(\.ticket.number) == [2])
  }

  @Test func `joins concurrent with the closing are refused or dismissed`() throws {
    nonisolated(unsafe) let town = try Town()
    let people = try town.people(24)
    try town.open()
    let faults = race(people.count + 1) { number in
      if number == 12 { return try town.close(at: .start(1)) }
      try town.join(people[number > 12 ? number - 1 : number], at: .start(1))
    }
    #expect(faults == [])
    let stored = try town.stored()
    #expect(stored.dropFirst().allSatisfy { $0.outcome == .dismissed })
    #expect(try town.waitingList(at: .start(1)).waiting(at: .start(1)).isEmpty)
  }

  @Test func `a patient who leaves during a call has either left or been called`() throws {
    nonisolated(unsafe) let town = try Town()
    let people = try town.people(2)
    try town.open()
    for person in people { try town.join(person, at: .start(0)) }
    let faults = race(8) { number in
      if number.isMultiple(of: 2) { return try town.finishAndCall(at: .start(1)) }
      try town.leave(people[1], at: .start(1))
    }
    #expect(faults == [])
    let last = try #require(try town.stored().last)
    #expect(last.outcome == .left || last.calledAt != nil && last.outcome == .finished)
  }

  @Test
  func `of a finished treatment and a declined call, the first wins and the other is refused`()
    throws
  {
    nonisolated(unsafe) let town = try Town()
    let people = try town.people(1)
    try town.open()
    try town.join(people[0], at: .start(0))
    let ticket = try #require(try town.waitingList(at: .start(1)).treated(at: .start(1))?.ticket.id)
    let done = Mutex<[Int]>([])
    let faults = race(8) { number in
      if number.isMultiple(of: 2) {
        try town.decline(people[0], at: .start(1))
      } else {
        try town.finish(at: .start(1), expecting: ticket)
      }
      done.withLock { $0.append(number % 2) }
    }
    #expect(faults == [])
    // The doctor may finish with a patient who comes all the same, but nobody declines what is
    // over.
    #expect([[0, 1], [1]].contains(done.withLock { $0 }))
    #expect(try town.stored().map(\.outcome) == [.finished])
  }

  @Test func `after 500 concurrent changes tickets have one state and no calls overlap`() throws {
    nonisolated(unsafe) let town = try Town(slotMinutes: 5)
    let people = try town.people(250)
    try town.open()
    let clock = Mutex(TestPortal.start)
    let faults = race(500) { number in
      let now = clock.withLock { now in
        now = now + .seconds(11)
        return now
      }
      if number < 250 { return try town.join(people[number], at: now) }
      if number.isMultiple(of: 5) { return try town.finishAndCall(at: now) }
      if number.isMultiple(of: 3) { return try town.settle(at: now) }
      try town.leave(people[number - 250], at: now)
    }
    #expect(faults == [])
    let end = clock.withLock { $0 } + .days(2)
    try town.settle(at: end)
    let stored = try town.stored()
    #expect(stored.map(\.number) == Array(1...stored.count))
    #expect(Set(stored.map(\.person)).count == stored.count)
    for ticket in stored {
      #expect(ticket.outcome != .finished || ticket.calledAt != nil)
      #expect(ticket.outcome == .finished || ticket.outcome == .left)
    }
    let called = stored.filter { $0.calledAt != nil }
    for (one, next) in zip(called, called.dropFirst()) {
      #expect((one.overAt ?? end) <= (next.calledAt ?? TestPortal.start))
    }
  }
}
