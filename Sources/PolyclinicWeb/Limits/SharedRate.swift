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
  ///
  /// The row's `until` is the time when all counted events are used up at the average rate.
  func take(_ count: Int, of subject: String, in work: Work) throws -> Seconds? {
    let now = work.now
    let subject = vault.lookup("throttle", "\(name):\(subject)")
    let stored = try work.row("SELECT until FROM throttle WHERE subject = \(subject)") {
      $0.instant(0)
    }
    // Ignores a row written while the clock was wrong. Otherwise it would be in force until the
    // clock reaches that time.
    let known = stored.flatMap { $0 <= now + Self.window + Self.window ? $0 : nil }
    let until = max(known ?? now, now) + .seconds(60 * count / perMinute)
    if until > now + Self.window { return until - (now + Self.window) }
    try work.run(
      """
      INSERT INTO throttle (subject, failures, until, updated_at)
      VALUES (\(subject), 0, \(until), \(now))
      ON CONFLICT (subject) DO UPDATE SET until = excluded.until, updated_at = excluded.updated_at
      """)
    return nil
  }
}
