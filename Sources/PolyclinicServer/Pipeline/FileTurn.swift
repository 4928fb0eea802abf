import Foundation
import PolyclinicCore

/// The turn at taking large files apart in one process: one at a time, because the records of a file may
/// take twenty times its size in memory, and a process has ``MemoryBound``.
///
/// One thread may wait for the turn; any further one is refused at once, so that files never hold all
/// threads.
final class FileTurn: @unchecked Sendable {
  /// Files up to so many bytes need no turn: an address book of thousands without photographs.
  static let small = 1 << 20
  /// The seconds after which the largest file has been taken apart.
  private static let patience = 3.0

  /// Guards what follows.
  private let condition = NSCondition()
  private var isTaken = false
  private var isAwaited = false

  /// Runs `body`, which takes apart a file of so many bytes; throws ``Taken`` where it would wait too long.
  func run<Value>(_ bytes: Int, _ body: () throws -> Value) throws -> Value {
    guard bytes > Self.small else { return try body() }
    try take()
    defer { giveBack() }
    return try body()
  }

  /// True if a thread waits for the turn.
  var hasWaiter: Bool { condition.withLock { isAwaited } }

  private func take() throws {
    condition.lock()
    defer { condition.unlock() }
    if isTaken { try wait() }
    isTaken = true
  }

  private func wait() throws {
    guard !isAwaited else { throw Taken() }
    isAwaited = true
    defer { isAwaited = false }
    let end = Date(timeIntervalSinceNow: Self.patience)
    while isTaken {
      guard condition.wait(until: end) else { throw Taken() }
    }
  }

  private func giveBack() {
    condition.withLock {
      isTaken = false
      condition.broadcast()
    }
  }

  /// Other large files are being read: the answer is 429, to be tried again after ``retryAfter``.
  struct Taken: Error {
    static let retryAfter = Seconds(5)
  }
}
