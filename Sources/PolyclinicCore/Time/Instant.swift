/// A point in time, in whole seconds since 1970-01-01T00:00:00Z.
public struct Instant: Sendable, Hashable, Comparable {
  /// The Unix time in whole seconds; negative before 1970.
  public let seconds: Int64

  /// Creates a point in time from Unix seconds.
  public init(_ seconds: Int64) { self.seconds = seconds }

  /// Orders points in time chronologically.
  public static func < (one: Instant, other: Instant) -> Bool { one.seconds < other.seconds }
  /// Returns the point in time that is `span` later, limited to the range of ``seconds``.
  public static func + (instant: Instant, span: Seconds) -> Instant {
    Instant(saturated(instant.seconds.addingReportingOverflow(span.count), towards: span.count))
  }
  /// Returns the point in time that is `span` earlier, limited to the range of ``seconds``.
  public static func - (instant: Instant, span: Seconds) -> Instant {
    let difference = instant.seconds.subtractingReportingOverflow(span.count)
    return Instant(saturated(difference, towards: -span.count.signum()))
  }
  /// Returns the time from `other` to `one`; negative if `other` is later.
  public static func - (one: Instant, other: Instant) -> Seconds {
    Seconds(
      saturated(one.seconds.subtractingReportingOverflow(other.seconds), towards: one.seconds))
  }
}

/// A duration in whole seconds.
public struct Seconds: Sendable, Hashable, Comparable {
  /// The number of seconds; negative for a duration backwards in time.
  public let count: Int64

  /// Creates a duration of `count` seconds.
  public init(_ count: Int64) { self.count = count }

  /// Returns a duration of `count` seconds.
  public static func seconds(_ count: Int) -> Seconds { Seconds(Int64(count)) }
  /// Returns a duration of `count` minutes.
  public static func minutes(_ count: Int) -> Seconds { Seconds(Int64(count) * 60) }
  /// Returns a duration of `count` hours.
  public static func hours(_ count: Int) -> Seconds { Seconds(Int64(count) * 3_600) }
  /// Returns a duration of `count` times 24 hours, regardless of daylight saving time.
  public static func days(_ count: Int) -> Seconds { Seconds(Int64(count) * 86_400) }

  /// Orders durations, the shorter first.
  public static func < (one: Seconds, other: Seconds) -> Bool { one.count < other.count }
}

/// Returns the sum or, on overflow, the nearest bound, because a time that a user typed must not
/// trap.
private func saturated(
  _ sum: (partialValue: Int64, overflow: Bool), towards sign: Int64
) -> Int64 {
  guard sum.overflow else { return sum.partialValue }
  return sign < 0 ? .min : .max
}
