import Foundation
import PolyclinicCore

/// Limits the number of password hashes that run at once in one process, because each takes a
/// processor and 19 MB.
///
/// - While all places are taken, one client of each priority may wait. A known client is served
///   first, and all others are refused immediately.
/// - A flood of unknown clients occupies at most one thread more than there are places. It does not
///   block users who have signed in from the same address before.
/// - A client with a correct password cannot block them either, because an account has priority
///   only ``precedencePerMinute`` times a minute.
package final class HashingLimiter: @unchecked Sendable {
  /// The priority of a client.
  package enum Priority: Sendable {
    /// A client with a session or a one-time link, or at an address from which the account has
    /// signed in before, ``HashingLimiter/precedencePerMinute`` times a minute.
    case known
    /// Any other client.
    case unknown
  }

  /// Enough for a user who mistypes the password, changes it and then confirms an action.
  static let precedencePerMinute = 6
  /// The longest wait, in seconds. A hash takes about 40 ms, so a place is free long before.
  private static let timeout = 1.0

  /// Guards the properties below.
  private let condition = NSCondition()
  private var free: Int
  private var knownWait = false
  private var unknownWait = false
  private var precedence = RateLimit<String>(HashingLimiter.precedencePerMinute, per: .minutes(1))

  package init(_ count: Int) { free = count }

  /// Runs `body` in one of the places. Throws ``HashingBusy`` if none is available.
  package func run<Value>(_ priority: Priority, _ body: () throws -> Value) throws -> Value {
    try take(priority)
    defer { giveBack() }
    return try body()
  }

  /// Returns the priority of a client that this account knows, and counts one request with a hash.
  ///
  /// `account` is any text that identifies the account.
  package func priority(knownTo account: String, at now: Instant) -> Priority {
    condition.withLock { precedence.take(account, at: now) == nil ? .known : .unknown }
  }

  /// True if a client of this priority is waiting.
  func isWaiting(_ priority: Priority) -> Bool {
    condition.withLock { priority == .known ? knownWait : unknownWait }
  }

  private func take(_ priority: Priority) throws {
    condition.lock()
    defer { condition.unlock() }
    if !mayEnter(priority) { try wait(priority) }
    free -= 1
  }

  private func mayEnter(_ priority: Priority) -> Bool {
    free > (priority == .unknown && knownWait ? 1 : 0)
  }

  private func wait(_ priority: Priority) throws {
    let line =
      priority == .known ? \HashingLimiter.knownWait : \HashingLimiter.unknownWait
    guard !self[keyPath: line] else { throw HashingBusy() }
    self[keyPath: line] = true
    defer { self[keyPath: line] = false }
    let end = Date(timeIntervalSinceNow: Self.timeout)
    while !mayEnter(priority) {
      guard condition.wait(until: end) else { throw HashingBusy() }
    }
  }

  private func giveBack() {
    condition.withLock {
      free += 1
      condition.broadcast()
    }
  }
}

/// All places are taken. The response is 429, with a retry after ``retryAfter``.
package struct HashingBusy: Error {
  /// A hash takes about 40 ms, so a place is free long before.
  package static let retryAfter = Seconds(1)
}
