import Foundation
import PolyclinicCore

/// Limits the parsing of large files to one at a time in a process. A file's records may take
/// twenty times its size in memory, and the process's memory is limited by ``MemoryBound``.
///
/// One thread may wait for its turn. Any further thread is refused immediately, so that files never
/// occupy all threads.
final class LargeFileLimiter: @unchecked Sendable {
  /// The largest file, in bytes, that needs no turn. An address book of thousands of contacts
  /// without photographs is smaller.
  static let small = 1 << 20
  /// The longest wait, in seconds. The largest allowed file is parsed within this time.
  private static let timeout = 3.0

  /// Guards the properties below.
  private let condition = NSCondition()
  private var isTaken = false
  private var isAwaited = false

  /// Runs `body`, which parses a file of `bytes` bytes. Throws ``Busy`` if the wait would be too
  /// long.
  func run<Value>(_ bytes: Int, _ body: () throws -> Value) throws -> Value {
    guard bytes > Self.small else { return try body() }
    try take()
    defer { giveBack() }
    return try body()
  }

  /// True if a thread is waiting for its turn.
  var hasWaiter: Bool { condition.withLock { isAwaited } }

  private func take() throws {
    condition.lock()
    defer { condition.unlock() }
    if isTaken { try wait() }
    isTaken = true
  }

  private func wait() throws {
    guard !isAwaited else { throw Busy() }
    isAwaited = true
    defer { isAwaited = false }
    let end = Date(timeIntervalSinceNow: Self.timeout)
    while isTaken {
      guard condition.wait(until: end) else { throw Busy() }
    }
  }

  private func giveBack() {
    condition.withLock {
      isTaken = false
      condition.broadcast()
    }
  }

  /// Another large file is being parsed. The response is 429, with a retry after ``retryAfter``.
  struct Busy: Error {
    static let retryAfter = Seconds(5)
  }
}
