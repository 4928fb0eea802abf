import PolyclinicCore

/// How long failed sign-ins make the next one wait.
///
/// Three things are counted, and each attempt waits for the longest:
/// - the **pair** of account and address: what somebody who mistypes, or guesses at one account, meets;
/// - the **address** (IPv6: its /64): guesses at many accounts from one place. More failures are free,
///   since a whole clinic or family may share one address;
/// - the **account** from everywhere: guesses from many places at one account. Its wait is short: at a
///   try a minute nobody guesses fifteen characters, and the right person should get in.
///
/// So that no attacker can lock the right person out, an address from which this account has signed
/// in before is *known* to it: only the pair's own count makes it wait there. A one-time link does
/// not pass here at all. The alternative, a long-lived cookie on the device, would follow a telephone
/// from network to network, but adds a secret to keep, to renew and to lose with the browser's
/// cookies; the table needs nothing of the visitor.
///
/// Attempts refused by a wait are not counted: otherwise impatience would lengthen it.
struct ThrottlePolicy: Sendable, Equatable {
  /// Failures that make nobody wait.
  let free: Int
  /// The longest wait.
  let longest: Seconds

  /// In the long run some twelve attempts an hour at one account from one address.
  static let pair = ThrottlePolicy(free: 5, longest: .minutes(5))
  static let address = ThrottlePolicy(free: 20, longest: .minutes(15))
  static let account = ThrottlePolicy(free: 20, longest: .minutes(1))

  /// After this time without a failure half of them are forgotten.
  static let halfLife = Seconds.hours(1)
  /// After this time nothing can be left of a count: ``countLimit`` is below 2^10.
  static let forgetting = Seconds.hours(10)
  /// What a count grows to at most, so that no attacker makes the forgetting long.
  static let countLimit = 1_000

  /// What stands in a row of `throttle`.
  struct Count: Sendable, Equatable {
    var failures = 0
    var until = Instant(0)
    var updated = Instant(0)

    /// The failures that are still remembered.
    func remembered(at now: Instant) -> Int {
      guard !isFromTheFuture(now) else { return 0 }
      let halvings = max(0, (now - updated).count) / ThrottlePolicy.halfLife.count
      return halvings < 10 ? failures >> halvings : 0
    }

    /// How long to wait from now on; nil for not at all.
    func wait(at now: Instant) -> Seconds? {
      until > now && !isFromTheFuture(now) ? until - now : nil
    }

    /// Written while the clock was wrong: it would else hold until the clock gets there.
    private func isFromTheFuture(_ now: Instant) -> Bool {
      updated > now + ThrottlePolicy.halfLife
    }
  }

  /// The count after one more failure.
  func count(after count: Count, failureAt now: Instant) -> Count {
    let failures = min(count.remembered(at: now) + 1, Self.countLimit)
    return Count(failures: failures, until: now + delay(after: failures), updated: now)
  }

  /// None for the free failures, then 1, 2, 4, … seconds.
  func delay(after failures: Int) -> Seconds {
    guard failures > free else { return Seconds(0) }
    let doublings = min(failures - free - 1, 30)
    return min(Seconds(1 << doublings), longest)
  }
}
