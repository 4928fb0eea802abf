import Glibc
import Synchronization
import Testing

@testable import PolyclinicServer

@Suite final class FileTurnTests: Sendable {
  private let turn = FileTurn()
  private let served = Mutex(0)
  private static let large = FileTurn.small + 1

  /// A thread with a large file, which waits for the turn.
  private func wait() throws -> SystemThread {
    let thread = try SystemThread { [self] in
      do { try turn.run(Self.large) { served.withLock { $0 += 1 } } } catch { Issue.record(error) }
    }
    while !turn.hasWaiter { sched_yield() }
    return thread
  }

  @Test func `a second large file waits until the first is done`() throws {
    let waiting = try turn.run(Self.large) {
      let waiting = try wait()
      #expect(served.withLock { $0 } == 0)
      return waiting
    }
    waiting.join()
    #expect(served.withLock { $0 } == 1)
  }

  @Test func `a third large file is refused at once, and a small one needs no turn`() throws {
    let waiting = try turn.run(Self.large) {
      let waiting = try wait()
      #expect(throws: FileTurn.Taken.self) { try turn.run(Self.large) {} }
      try turn.run(FileTurn.small) {}
      return waiting
    }
    waiting.join()
  }

  @Test func `the turn is free again after an error`() throws {
    #expect(throws: MalformedHash.self) { try turn.run(Self.large) { throw MalformedHash() } }
    try turn.run(Self.large) {}
  }
}
