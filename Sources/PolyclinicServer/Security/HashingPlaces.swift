import Foundation
import PolyclinicCore

/// The places for hashing in one process: a few at once, because a hash takes a processor and 19 MB.
///
/// While all places are taken, one client of each priority may wait for the next; a known one is served
/// first. All others are refused at once. So a flood of strangers holds at most one thread more than
/// there are places, and keeps nobody out who has signed in from the same address before. Nor does one
/// with a right password: an account is served first only so often a minute.
final class HashingPlaces: @unchecked Sendable {
  /// The priority of a client at the places.
  enum Priority: Sendable {
    /// Somebody with a session or a one-time link, or at an address from which the account has signed
    /// in before, ``HashingPlaces/precedencePerMinute`` times a minute.
    case known
    /// Anybody else.
    case unknown
  }

  /// More than somebody needs who mistypes, changes the password and then confirms something.
  static let precedencePerMinute = 6
  /// A hash takes some 40 ms, so that a place is free long before.
  private static let patience = 1.0

  /// Guards what follows.
  private let condition = NSCondition()
  private var free: Int
  private var knownWait = false
  private var unknownWait = false
  private var precedence = RateLimit<String>(HashingPlaces.precedencePerMinute, per: .minutes(1))

  init(_ count: Int) { free = count }

  /// Runs `body` in one of the places; throws ``HashingBusy`` when none can be had.
  func run<Value>(_ priority: Priority, _ body: () throws -> Value) throws -> Value {
    try take(priority)
    defer { giveBack() }
    return try body()
  }

  /// The priority of a client that is known to this account, which is named by anything that tells it
  /// from others. Counts one hash, or the few that one request takes.
  func priority(knownTo account: String, at now: Instant) -> Priority {
    condition.withLock { precedence.take(account, at: now) == nil ? .known : .unknown }
  }

  /// True if a client of this priority waits.
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
      priority == .known ? \HashingPlaces.knownWait : \HashingPlaces.unknownWait
    guard !self[keyPath: line] else { throw HashingBusy() }
    self[keyPath: line] = true
    defer { self[keyPath: line] = false }
    let end = Date(timeIntervalSinceNow: Self.patience)
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

/// All places for hashing are taken: the answer is 429, to be tried again after ``retryAfter``.
struct HashingBusy: Error {
  /// A hash takes some 40 ms, so that a place is free long before.
  static let retryAfter = Seconds(1)
}
