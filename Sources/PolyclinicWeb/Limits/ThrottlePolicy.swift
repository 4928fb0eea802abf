import PolyclinicCore

/// The waiting time after failed sign-ins.
///
/// Three subjects are counted, and each attempt waits for the longest of their times:
/// - the **pair** of account and address, for a user who mistypes or an attacker of one account;
/// - the **address** (IPv6: its /64), for an attacker of many accounts from one place. More
///   failures are free, because a whole clinic or family may share one address;
/// - the **account** from all addresses, for an attacker of one account from many places. Its wait
///   is short: at one try a minute fifteen characters cannot be guessed, and the rightful user
///   should get in.
///
/// An address from which the account has signed in before is *known*. Only the pair's count makes
/// it wait, so that no attacker can lock the rightful user out. A one-time link is not throttled.
///
/// The alternative is a long-lived cookie on the device, which would work on all networks. But it
/// adds a secret to store, renew and lose with the browser's cookies. The table needs nothing from
/// the visitor.
///
/// Attempts refused during a wait are not counted, so that impatience does not lengthen it.
struct ThrottlePolicy: Sendable, Equatable {
  /// The number of failures without a wait.
  let free: Int
  /// The longest wait.
  let longest: Seconds

  /// In the long run about twelve attempts an hour at one account from one address.
  static let pair = ThrottlePolicy(free: 5, longest: .minutes(5))
  static let address = ThrottlePolicy(free: 20, longest: .minutes(15))
  static let account = ThrottlePolicy(free: 20, longest: .minutes(1))
  /// The **account** for codes of its second factor. A code has six digits only, and who enters one
  /// knows the password: in the long run about five attempts an hour from all unknown addresses.
  static let codesOfAccount = ThrottlePolicy(free: 10, longest: .hours(1))

  /// The time without a failure after which half of the failures are forgotten.
  static let halfLife = Seconds.hours(1)
  /// The time after which all failures are forgotten: ``countLimit`` is below 2^10.
  static let forgetting = Seconds.hours(10)
  /// The largest count, so that an attacker cannot prolong the time to forget it.
  static let countLimit = 1_000

  /// The values of a row of `throttle`.
  struct Count: Sendable, Equatable {
    var failures = 0
    var until = Instant(0)
    var updated = Instant(0)

    /// Returns the number of failures that are still remembered.
    func remembered(at now: Instant) -> Int {
      guard !isFromTheFuture(now) else { return 0 }
      let halvings = max(0, (now - updated).count) / ThrottlePolicy.halfLife.count
      return halvings < 10 ? failures >> halvings : 0
    }

    /// Returns the remaining wait; nil if there is none.
    func wait(at now: Instant) -> Seconds? {
      until > now && !isFromTheFuture(now) ? until - now : nil
    }

    /// True if the row was written while the clock was ahead. Otherwise it would be in force until
    /// the clock reaches that time. A clock that is set back by less is only being adjusted.
    private func isFromTheFuture(_ now: Instant) -> Bool { updated > now + .minutes(1) }
  }

  /// Returns the count after one more failure.
  func count(after count: Count, failureAt now: Instant) -> Count {
    let failures = min(count.remembered(at: now) + 1, Self.countLimit)
    return Count(failures: failures, until: now + delay(after: failures), updated: now)
  }

  /// Returns no wait for the free failures, then 1, 2, 4, … seconds.
  func delay(after failures: Int) -> Seconds {
    guard failures > free else { return Seconds(0) }
    let doublings = min(failures - free - 1, 30)
    return min(Seconds(1 << doublings), longest)
  }
}
