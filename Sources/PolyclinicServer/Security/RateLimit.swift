import PolyclinicCore

/// Lets each key pass so many times in each span of time, as one process counts it.
struct RateLimit<Key: Hashable & Sendable>: Sendable {
  let most: Int
  let span: Seconds
  /// More keys than can pass within a span; any further one does not.
  let capacity: Int

  private var window: Int64 = -1
  private var passed: [Key: Int] = [:]

  init(_ most: Int, per span: Seconds, capacity: Int = 10_000) {
    self.most = most
    self.span = span
    self.capacity = capacity
  }

  /// Counts one passage; how long the key has to wait, nil when it may pass.
  mutating func take(_ key: Key, at now: Instant) -> Seconds? {
    let current = now.seconds / span.count
    if current != window {
      window = current
      passed = [:]
    }
    let count = passed[key] ?? 0
    guard count < most, count > 0 || passed.count < capacity else {
      return Seconds((current + 1) * span.count - now.seconds)
    }
    passed[key] = count + 1
    return nil
  }
}
