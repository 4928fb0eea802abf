import Glibc
import PolyclinicCore
import Synchronization
import Testing

@testable import PolyclinicServer

@Suite final class HashingPlacesTests: Sendable {
  private let places = HashingPlaces(1)
  private let served = Mutex<[HashingPlaces.Priority]>([])

  /// A thread that takes the place, and returns when it waits for it.
  private func wait(_ priority: HashingPlaces.Priority) throws -> SystemThread {
    let thread = try SystemThread { [self] in
      do {
        try places.run(priority) { served.withLock { $0.append(priority) } }
      } catch {
        Issue.record(error)
      }
    }
    while !places.isWaiting(priority) { sched_yield() }
    return thread
  }

  @Test func `a known client gets the next free place before an unknown one that came earlier`()
    throws
  {
    let waiting = try places.run(.unknown) { [try wait(.unknown), try wait(.known)] }
    for thread in waiting { thread.join() }
    #expect(served.withLock { $0 } == [.known, .unknown])
  }

  @Test func `a second client of the same priority is refused at once`() throws {
    let waiting = try places.run(.unknown) {
      let waiting = [try wait(.unknown), try wait(.known)]
      for priority in [HashingPlaces.Priority.unknown, .known] {
        #expect(throws: HashingBusy.self) { try places.run(priority) {} }
      }
      return waiting
    }
    for thread in waiting { thread.join() }
  }

  @Test func `an account is served first six times a minute, and others meanwhile as before`() {
    let now = Instant(1_800_000_000)
    let priorities = (0..<8).map { _ in places.priority(knownTo: "anna", at: now) }
    #expect(priorities == Array(repeating: .known, count: 6) + [.unknown, .unknown])
    #expect(places.priority(knownTo: "boris", at: now) == .known)
    #expect(places.priority(knownTo: "anna", at: now + .minutes(1)) == .known)
  }

  @Test func `a place is free again after an error`() throws {
    #expect(throws: MalformedHash.self) { try places.run(.unknown) { throw MalformedHash() } }
    try places.run(.unknown) {}
  }
}
