import PolyclinicCore
import PolyclinicVault

/// A limit of events a minute that all processes share, with a row in the throttle's table.
///
/// As many events as ``perMinute`` may happen at once after a pause, the others at that rate. It is
/// the generic cell rate algorithm (ATM Forum, Traffic Management 4.0).
struct SharedRate: Sendable {
  /// The kind of events, which are counted for each subject on its own.
  let name: String
  let perMinute: Int
  let vault: Vault

  private static let window = Seconds.minutes(1)

  /// Counts events of a subject. Returns the time that they must wait; nil if they may happen now.
  /// There are at most ``perMinute`` events. May be called in ``Database/writeIndependently(_:)``.
  ///
  /// The row's `until` is the time when all counted events are used up at the average rate. A row
  /// written while the clock was wrong counts as none. Otherwise it would be in force until the clock
  /// reaches that time.
  func take(_ count: Int, of subject: String, in work: Work) throws -> Seconds? {
    let (now, cost) = (work.now, Seconds.seconds(60 * count / perMinute))
    let subject = vault.lookup("throttle", "\(name):\(subject)")
    let latest = now + Self.window - cost
    let wrong = now + Self.window + Self.window
    let taken = try work.runCounting(
      """
      INSERT INTO throttle (subject, failures, until, updated_at)
      VALUES (\(subject), 0, \(now + cost), \(now))
      ON CONFLICT (subject) DO UPDATE SET updated_at = excluded.updated_at,
        until = CASE WHEN throttle.until > \(now) AND throttle.until <= \(wrong)
          THEN throttle.until + \(cost.count) ELSE excluded.until END
      WHERE throttle.until <= \(latest) OR throttle.until > \(wrong)
      """)
    if taken == 1 { return nil }
    let until = try work.row("SELECT until FROM throttle WHERE subject = \(subject)") {
      $0.instant(0)
    }
    return max(until.map { $0 - latest } ?? .seconds(1), .seconds(1))
  }
}
