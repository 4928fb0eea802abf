import PolyclinicCore

/// Limits the number of requests of each key in a time window, within one process.
package struct RateLimit<Key: Hashable & Sendable>: Sendable {
  package let most: Int
  package let span: Seconds
  /// The number of keys in one window. Any further key is refused.
  package let capacity: Int

  private var window: Int64 = -1
  private var passed: [Key: Int] = [:]

  package init(_ most: Int, per span: Seconds, capacity: Int = 10_000) {
    self.most = most
    self.span = span
    self.capacity = capacity
  }

  /// Counts a request. Returns the time until the next window if the key must wait; otherwise nil.
  package mutating func take(_ key: Key, at now: Instant) -> Seconds? {
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
