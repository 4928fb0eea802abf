/// An exponential back-off: each pause is twice the one before, up to a limit.
struct ProcessBackoff: Sendable {
  private let first: Duration
  private let limit: Duration
  private var upcoming: Duration

  init(first: Duration, limit: Duration) {
    self.first = first
    self.limit = limit
    upcoming = first
  }

  /// Returns the pause after a failure, and doubles the next one.
  mutating func next() -> Duration {
    defer { upcoming = min(upcoming * 2, limit) }
    return upcoming
  }

  /// Goes back to the first pause, after a success.
  mutating func reset() {
    upcoming = first
  }
}
