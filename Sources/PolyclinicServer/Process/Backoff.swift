/// Pauses that double from the first to the limit.
struct Backoff: Sendable {
  private let first: Duration
  private let limit: Duration
  private var upcoming: Duration

  init(first: Duration, limit: Duration) {
    self.first = first
    self.limit = limit
    upcoming = first
  }

  /// How long to wait after one more failure.
  mutating func next() -> Duration {
    defer { upcoming = min(upcoming * 2, limit) }
    return upcoming
  }

  /// After a success the next failure waits as the first one did.
  mutating func reset() {
    upcoming = first
  }
}
