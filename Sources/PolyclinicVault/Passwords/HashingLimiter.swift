import Foundation
import PolyclinicCore

/// Limits the number of password hashes that run at once in one process, because each takes a
/// processor and 19 MB.
///
/// - While all places are taken, one unknown client and ``knownLine`` known ones may wait. Known
///   clients are served first, and all others are refused immediately.
/// - A flood of unknown clients occupies at most one thread more than there are places. It does not
///   block users who have signed in from the same address before.
/// - A client with a correct password cannot block them either, because an account has priority
///   only for one hash at a time, and ``precedencePerMinute`` times a minute.
package final class HashingLimiter: @unchecked Sendable {
  /// The priority of a client.
  package enum Priority: Sendable, Equatable {
    /// A client with a session or a one-time link, or at an address from which the account has
    /// signed in before, ``HashingLimiter/precedencePerMinute`` times a minute.
    ///
    /// `account` is any text that identifies the account.
    case known(account: String)
    /// Any other client.
    case unknown
  }

  /// Enough for a user who mistypes the password, changes it and then confirms an action.
  static let precedencePerMinute = 6
  /// The number of known clients that may wait: one account that sends many requests at once
  /// leaves a place in the line for another.
  static let knownLine = 2
  /// The longest waits, in seconds. A hash takes about 40 ms. On an overloaded machine it can take
  /// a second, but a known client waits only for those that are running.
  private static let timeouts = (known: 10.0, unknown: 1.0)

  /// Guards the properties below.
  private let condition = NSCondition()
  private var free: Int
  private var waitingKnown = 0
  private var waitingUnknown = 0
  /// The accounts of the known clients whose hash runs or waits.
  private var preferred: Set<String> = []
  private var precedence = RateLimit<String>(HashingLimiter.precedencePerMinute, per: .minutes(1))

  package init(_ count: Int) { free = count }

  /// Runs `body` in one of the places. Throws ``HashingBusy`` if none is available.
  package func run<Value>(_ priority: Priority, _ body: () throws -> Value) throws -> Value {
    let account = try take(priority)
    defer { giveBack(account) }
    return try body()
  }

  /// Returns the priority of a client that this account knows, and counts one request with a hash.
  package func priority(knownTo account: String, at now: Instant) -> Priority {
    condition.withLock {
      precedence.take(account, at: now) == nil ? .known(account: account) : .unknown
    }
  }

  /// The numbers of known and of unknown clients that wait.
  var waiting: (known: Int, unknown: Int) {
    condition.withLock { (waitingKnown, waitingUnknown) }
  }

  /// Takes a place. Returns the account that is preferred until the place is given back; nil for
  /// an unknown client, and for a known one whose account is preferred already.
  private func take(_ priority: Priority) throws -> String? {
    condition.lock()
    defer { condition.unlock() }
    var account: String?
    if case .known(let known) = priority, preferred.insert(known).inserted { account = known }
    do {
      try wait(isKnown: account != nil)
    } catch {
      account.map { _ = preferred.remove($0) }
      throw error
    }
    free -= 1
    return account
  }

  /// Waits until a place is free, if the line has room.
  private func wait(isKnown: Bool) throws {
    if mayEnter(isKnown) { return }
    let line = isKnown ? \HashingLimiter.waitingKnown : \HashingLimiter.waitingUnknown
    guard self[keyPath: line] < (isKnown ? Self.knownLine : 1) else { throw HashingBusy() }
    self[keyPath: line] += 1
    defer { self[keyPath: line] -= 1 }
    let end = Date(
      timeIntervalSinceNow: isKnown ? Self.timeouts.known : Self.timeouts.unknown)
    while !mayEnter(isKnown) {
      guard condition.wait(until: end) else { throw HashingBusy() }
    }
  }

  private func mayEnter(_ isKnown: Bool) -> Bool { free > (isKnown ? 0 : waitingKnown) }

  private func giveBack(_ account: String?) {
    condition.withLock {
      free += 1
      if let account { preferred.remove(account) }
      condition.broadcast()
    }
  }
}

/// All places are taken. The response is 429, with a retry after ``retryAfter``.
package struct HashingBusy: Error {
  package static let retryAfter = Seconds(1)
}
