import Glibc
import PolyclinicCore
import Synchronization
import Testing

@testable import PolyclinicSystem
@testable import PolyclinicVault

@Suite final class HashingLimiterTests: Sendable {
  private let limiter = HashingLimiter(1)
  private let served = Mutex<[HashingLimiter.Priority]>([])

  private static let anna = HashingLimiter.Priority.known(account: "anna")
  private static let boris = HashingLimiter.Priority.known(account: "boris")
  private static let clara = HashingLimiter.Priority.known(account: "clara")

  /// Starts a thread that takes the place, and returns when the thread is waiting.
  private func wait(_ priority: HashingLimiter.Priority) throws -> SystemThread {
    let before = limiter.waiting
    let thread = try SystemThread { [self] in
      do {
        try limiter.run(priority) { served.withLock { $0.append(priority) } }
      } catch {
        Issue.record(error)
      }
    }
    while limiter.waiting == before { sched_yield() }
    return thread
  }

  @Test func `a known client is served before an unknown one that came earlier`() throws {
    let waiting = try limiter.run(.unknown) { [try wait(.unknown), try wait(Self.anna)] }
    for thread in waiting { thread.join() }
    #expect(served.withLock { $0 } == [Self.anna, .unknown])
  }

  @Test func `two known clients are served before an unknown one`() throws {
    let waiting = try limiter.run(.unknown) {
      [try wait(.unknown), try wait(Self.anna), try wait(Self.boris)]
    }
    for thread in waiting { thread.join() }
    #expect(served.withLock { $0.last } == .unknown)
  }

  @Test func `a second unknown client and a third known one are refused at once`() throws {
    let waiting = try limiter.run(.unknown) {
      let waiting = [try wait(.unknown), try wait(Self.anna), try wait(Self.boris)]
      for priority in [HashingLimiter.Priority.unknown, Self.clara] {
        #expect(throws: HashingBusy.self) { try limiter.run(priority) {} }
      }
      return waiting
    }
    for thread in waiting { thread.join() }
  }

  @Test func `an account has priority for one hash at a time`() throws {
    let waiting = try limiter.run(Self.anna) {
      let waiting = [try wait(Self.anna)]
      #expect(limiter.waiting == (known: 0, unknown: 1))
      #expect(throws: HashingBusy.self) { try limiter.run(Self.anna) {} }
      return waiting + [try wait(Self.boris)]
    }
    for thread in waiting { thread.join() }
    #expect(served.withLock { $0 } == [Self.boris, Self.anna])
  }

  @Test func `an account that was refused has priority again`() throws {
    let waiting = try limiter.run(.unknown) {
      let waiting = [try wait(Self.anna), try wait(Self.boris)]
      #expect(throws: HashingBusy.self) { try limiter.run(Self.clara) {} }
      return waiting
    }
    for thread in waiting { thread.join() }
    let again = try limiter.run(.unknown) { [try wait(.unknown), try wait(Self.clara)] }
    for thread in again { thread.join() }
    #expect(served.withLock { $0.suffix(2) } == [Self.clara, .unknown])
  }

  @Test func `an account has priority six times a minute, independently of others`() {
    let now = Instant(1_800_000_000)
    let priorities = (0..<8).map { _ in limiter.priority(knownTo: "anna", at: now) }
    #expect(priorities == Array(repeating: Self.anna, count: 6) + [.unknown, .unknown])
    #expect(limiter.priority(knownTo: "boris", at: now) == Self.boris)
    #expect(limiter.priority(knownTo: "anna", at: now + .minutes(1)) == Self.anna)
  }

  @Test func `a place is free again after an error`() throws {
    #expect(throws: MalformedHash.self) { try limiter.run(.unknown) { throw MalformedHash() } }
    try limiter.run(.unknown) {}
  }
}
