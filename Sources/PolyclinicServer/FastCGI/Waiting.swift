import Glibc

/// How long a request has waited for a thread, by the web server's clock and ours, which are one.
enum Waiting {
  /// Whoever waited for longer has given up, or is better told to come again than made to wait for as
  /// long once more. Seconds.
  private static let limit = 5.0
  /// What seems to have waited for longer has not: the clock was set meanwhile.
  private static let implausible = 120.0

  /// `sent` is nginx's `$msec`: seconds since 1970 with milliseconds.
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
