import PolyclinicCore
import PolyclinicVault

/// Limits the requests of an API token across all processes.
///
/// Each thread reserves ``share`` requests at once, so that only every twentieth request writes. A
/// token may make ``perMinute`` requests a minute, or as many at once after a pause.
final class TokenRate {
  /// The average number of requests a minute.
  static let perMinute = 600
  /// The number of requests that a thread reserves at once.
  static let share = 20

  private static let window = Seconds.minutes(1)
  /// More than the tokens that one thread serves within a minute.
  private static let capacity = 256

  private struct Reservation {
    var left: Int
    /// The end of the reservation: unused requests expire then, and a refused token may try again
    /// then.
    let until: Instant
  }

  private let rate: SharedRate
  private var reservations: [ID<AccessToken>: Reservation] = [:]

  init(_ vault: Vault) {
    rate = SharedRate(name: "token", perMinute: Self.perMinute, vault: vault)
  }

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
    let taken = try database.writeIndependently {
      try rate.take(Self.share, of: token.description, in: Work(at: now, on: $0))
    }
    if let wait = taken {
      reservations[token] = Reservation(left: 0, until: now + wait)
      return wait
    }
    reservations[token] = Reservation(left: Self.share, until: now + Self.window)
    return nil
  }
}
