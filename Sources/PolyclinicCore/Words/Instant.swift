/// A moment, in whole seconds since 1970-01-01T00:00:00Z.
public struct Instant: Sendable, Hashable, Comparable {
  /// Unix seconds: whole, UTC, negative before 1970.
  public let seconds: Int64

  /// Takes Unix seconds.
  public init(_ seconds: Int64) { self.seconds = seconds }

  /// The earlier moment first.
  public static func < (one: Instant, other: Instant) -> Bool { one.seconds < other.seconds }
  /// The moment a span later.
  public static func + (instant: Instant, span: Seconds) -> Instant {
    Instant(saturated(instant.seconds.addingReportingOverflow(span.count), towards: span.count))
  }
  /// The moment a span earlier.
  public static func - (instant: Instant, span: Seconds) -> Instant {
    let difference = instant.seconds.subtractingReportingOverflow(span.count)
    return Instant(saturated(difference, towards: -span.count.signum()))
  }
  /// The time from `other` until `one`; negative when `other` is later.
  public static func - (one: Instant, other: Instant) -> Seconds {
    Seconds(
      saturated(one.seconds.subtractingReportingOverflow(other.seconds), towards: one.seconds))
  }
}

/// A span of time in whole seconds.
public struct Seconds: Sendable, Hashable, Comparable {
  /// How many seconds; negative for a span backwards.
  public let count: Int64

  /// A span of so many seconds.
  public init(_ count: Int64) { self.count = count }

  /// So many seconds.
  public static func seconds(_ count: Int) -> Seconds { Seconds(Int64(count)) }
  /// So many minutes.
  public static func minutes(_ count: Int) -> Seconds { Seconds(Int64(count) * 60) }
  /// So many hours.
  public static func hours(_ count: Int) -> Seconds { Seconds(Int64(count) * 3_600) }
  /// So many times 24 hours, whatever the clocks on the wall do.
  public static func days(_ count: Int) -> Seconds { Seconds(Int64(count) * 86_400) }

  /// The shorter span first.
  public static func < (one: Seconds, other: Seconds) -> Bool { one.count < other.count }
}

/// The sum, or the end of the scale where it would lie beyond: a time that somebody typed must not trap.
private func saturated(
  _ sum: (partialValue: Int64, overflow: Bool), towards sign: Int64
) -> Int64 {
  guard sum.overflow else { return sum.partialValue }
  return sign < 0 ? .min : .max
}
