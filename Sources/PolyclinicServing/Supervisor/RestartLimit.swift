/// The limit for restarts of killed programs, because a program that dies at its start would be
/// restarted forever.
package struct RestartLimit {
  package init() {}

  private static let limit = 10
  private static let span = Duration.seconds(10)
  private var latest: [SuspendingClock.Instant] = []

  /// Counts a restart. Returns false if there were ten in the last ten seconds.
  package mutating func allow(at now: SuspendingClock.Instant) -> Bool {
    latest.removeAll { $0 + Self.span <= now }
    guard latest.count < Self.limit else { return false }
    latest.append(now)
    return true
  }
}
