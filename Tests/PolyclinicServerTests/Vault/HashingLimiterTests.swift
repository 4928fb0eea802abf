import Glibc
import PolyclinicCore
import Synchronization
import Testing

@testable import PolyclinicSystem
@testable import PolyclinicVault

@Suite final class HashingLimiterTests: Sendable {
  private let limiter = HashingLimiter(1)
  private let served = Mutex<[HashingLimiter.Priority]>([])

  /// Starts a thread that takes the place, and returns when the thread is waiting.
  private func wait(_ priority: HashingLimiter.Priority) throws -> SystemThread {
    let thread = try SystemThread { [self] in
      do {
        try limiter.run(priority) { served.withLock { $0.append(priority) } }
      } catch {
        Issue.record(error)
      }
    }
    while !limiter.isWaiting(priority) { sched_yield() }
    return thread
  }

  @Test func `a known client is served before an unknown one that came earlier`() throws {
    let waiting = try limiter.run(.unknown) { [try wait(.unknown), try wait(.known)] }
    for thread in waiting { thread.join() }
    #expect(served.withLock { $0 } == [.known, .unknown])
  }

  @Test func `a second waiting client of the same priority is refused at once`() throws {
    let waiting = try limiter.run(.unknown) {
      let waiting = [try wait(.unknown), try wait(.known)]
      for priority in [HashingLimiter.Priority.unknown, .known] {
        #expect(throws: HashingBusy.self) { try limiter.run(priority) {} }
      }
      return waiting
    }
    for thread in waiting { thread.join() }
  }

  @Test func `an account has priority six times a minute, independently of others`() {
    let now = Instant(1_800_000_000)
    let priorities = (0..<8).map { _ in limiter.priority(knownTo: "anna", at: now) }
    #expect(priorities == Array(repeating: .known, count: 6) + [.unknown, .unknown])
    #expect(limiter.priority(knownTo: "boris", at: now) == .known)
    #expect(limiter.priority(knownTo: "anna", at: now + .minutes(1)) == .known)
  }

  @Test func `a place is free again after an error`() throws {
    #expect(throws: MalformedHash.self) { try limiter.run(.unknown) { throw MalformedHash() } }
    try limiter.run(.unknown) {}
  }
}
