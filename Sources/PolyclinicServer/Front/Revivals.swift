/// Whether a program that was killed may be started again: one that dies of its start would be for
/// ever.
struct Revivals {
  private static let limit = 10
  private static let span = Duration.seconds(10)
  private var latest: [SuspendingClock.Instant] = []

  /// Counts one more, unless there were ten in the last ten seconds.
  mutating func allow(at now: SuspendingClock.Instant) -> Bool {
    latest.removeAll { $0 + Self.span <= now }
    guard latest.count < Self.limit else { return false }
    latest.append(now)
    return true
  }
}
