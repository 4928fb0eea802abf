import Glibc
import Synchronization
import Testing

@testable import PolyclinicSystem
@testable import PolyclinicVault
@testable import PolyclinicWeb

@Suite final class LargeFileLimiterTests: Sendable {
  private let limiter = LargeFileLimiter()
  private let served = Mutex(0)
  private static let large = LargeFileLimiter.small + 1

  /// Starts a thread with a large file, and returns when the thread waits for the turn.
  private func wait() throws -> SystemThread {
    let thread = try SystemThread { [self] in
      do { try limiter.run(Self.large) { served.withLock { $0 += 1 } } } catch {
        Issue.record(error)
      }
    }
    while !limiter.hasWaiter { sched_yield() }
    return thread
  }

  @Test func `a second large file waits until the first is done`() throws {
    let waiting = try limiter.run(Self.large) {
      let waiting = try wait()
      #expect(served.withLock { $0 } == 0)
      return waiting
    }
    waiting.join()
    #expect(served.withLock { $0 } == 1)
  }

  @Test func `a third large file is refused at once, and a small file needs no turn`() throws {
    let waiting = try limiter.run(Self.large) {
      let waiting = try wait()
      #expect(throws: LargeFileLimiter.Busy.self) { try limiter.run(Self.large) {} }
      try limiter.run(LargeFileLimiter.small) {}
      return waiting
    }
    waiting.join()
  }

  @Test func `the turn is free again after an error`() throws {
    #expect(throws: MalformedHash.self) { try limiter.run(Self.large) { throw MalformedHash() } }
    try limiter.run(Self.large) {}
  }
}
