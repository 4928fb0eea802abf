import PolyclinicCore

/// How many requests a token may make: over all processes, by a row of the throttle's table.
///
/// Each thread takes leave for some requests at once, so that not each is a write: where a token may
/// make 600 a minute, as many at once after a pause, it is written every twentieth time.
final class TokenRate {
  /// In the long run.
  static let perMinute = 600
  /// How many requests a thread takes leave for at once.
  static let share = 20

  private static let span = Seconds.seconds(60 * share / perMinute)
  private static let window = Seconds.minutes(1)
  /// More than the tokens that one thread serves within a minute.
  private static let capacity = 256

  private struct Leave {
    var left: Int
    /// Until when it holds: what is left of it then, or when to ask again where nothing was given.
    let until: Instant
  }

  private let vault: Vault
  private var leaves: [ID<AccessToken>: Leave] = [:]

  init(_ vault: Vault) { self.vault = vault }

  /// Counts one request; how long it has to wait, nil when it may be answered now.
  func wait(
    for token: ID<AccessToken>, at now: Instant, on database: any Database
  ) throws -> Seconds? {
    if let leave = leaves[token], leave.until > now, leave.until <= now + Self.window {
      if leave.left == 0 { return leave.until - now }
      if leave.left > 1 {
        leaves[token]?.left -= 1
        return nil
      }
    }
    if leaves.count >= Self.capacity { leaves = [:] }
    leaves[token] = nil
    if let wait = try database.write({ try take(for: token, at: now, on: $0) }) {
      leaves[token] = Leave(left: 0, until: now + wait)
      return wait
    }
    leaves[token] = Leave(left: Self.share, until: now + Self.window)
    return nil
  }

  /// The row's `until` is when all that was taken is used up at the pace of the long run.
  private func take(
    for token: ID<AccessToken>, at now: Instant, on connection: Connection
  ) throws -> Seconds? {
    let subject = vault.lookup("throttle", "token:\(token)")
    let stored = try connection.row("SELECT until FROM throttle WHERE subject = \(subject)") {
      $0.instant(0)
    }
    // Written while the clock was wrong: it would else hold until the clock gets there.
    let known = stored.flatMap { $0 <= now + Self.window + Self.window ? $0 : nil }
    let until = max(known ?? now, now) + Self.span
    if until > now + Self.window { return until - (now + Self.window) }
    try connection.run(
      """
      INSERT INTO throttle (subject, failures, until, updated_at)
      VALUES (\(subject), 0, \(until), \(now))
      ON CONFLICT (subject) DO UPDATE SET until = excluded.until, updated_at = excluded.updated_at
      """)
    return nil
  }
}
