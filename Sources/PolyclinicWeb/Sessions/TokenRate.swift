import PolyclinicCore
import PolyclinicVault

/// Limits the requests of an API token across all processes, with a row in the throttle's table.
///
/// Each thread reserves ``share`` requests at once, so that only every twentieth request writes. A
/// token may make ``perMinute`` requests a minute, or as many at once after a pause.
final class TokenRate {
  /// The average number of requests a minute.
  static let perMinute = 600
  /// The number of requests that a thread reserves at once.
  static let share = 20

  private static let span = Seconds.seconds(60 * share / perMinute)
  private static let window = Seconds.minutes(1)
  /// More than the tokens that one thread serves within a minute.
  private static let capacity = 256

  private struct Reservation {
    var left: Int
    /// The end of the reservation: unused requests expire then, and a refused token may try again
    /// then.
    let until: Instant
  }

  private let vault: Vault
  private var reservations: [ID<AccessToken>: Reservation] = [:]

  init(_ vault: Vault) { self.vault = vault }

  /// Counts a request. Returns the time that it must wait; nil if it may be answered now.
  func wait(
    for token: ID<AccessToken>, at now: Instant, on database: any Database
  ) throws -> Seconds? {
    if let reservation = reservations[token], reservation.until > now,
      reservation.until <= now + Self.window
    {
      if reservation.left == 0 { return reservation.until - now }
      if reservation.left > 1 {
        reservations[token]?.left -= 1
        return nil
      }
    }
    if reservations.count >= Self.capacity { reservations = [:] }
    reservations[token] = nil
    if let wait = try database.write({ try take(for: token, at: now, on: $0) }) {
      reservations[token] = Reservation(left: 0, until: now + wait)
      return wait
    }
    reservations[token] = Reservation(left: Self.share, until: now + Self.window)
    return nil
  }

  /// Reserves requests. The row's `until` is the time when all reserved requests are used up at the
  /// average rate.
  private func take(
    for token: ID<AccessToken>, at now: Instant, on connection: Connection
  ) throws -> Seconds? {
    let subject = vault.lookup("throttle", "token:\(token)")
    let stored = try connection.row("SELECT until FROM throttle WHERE subject = \(subject)") {
      $0.instant(0)
    }
    // Ignores a row written while the clock was wrong. Otherwise it would be in force until the
    // clock reaches that time.
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
