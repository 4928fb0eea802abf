import Glibc

/// The time that a request has waited for a thread. The web server and the portal use the same
/// clock.
enum Waiting {
  /// The limit in seconds. After it the client has given up, or should retry later rather than wait
  /// as long again.
  private static let limit = 5.0
  /// The limit in seconds above which the clock must have been set meanwhile, so the time is
  /// ignored.
  private static let implausible = 120.0

  /// Returns true if the wait was too long. `sent` is nginx's `$msec`: seconds since 1970 with
  /// milliseconds.
  static func isTooLong(since sent: String, at now: Double = Waiting.now) -> Bool {
    guard let sent = Double(sent) else { return false }
    return (limit...implausible).contains(now - sent)
  }

  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
