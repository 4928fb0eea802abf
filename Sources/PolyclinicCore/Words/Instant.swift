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
    Instant(instant.seconds + span.count)
  }
  /// The moment a span earlier.
  public static func - (instant: Instant, span: Seconds) -> Instant {
    Instant(instant.seconds - span.count)
  }
  /// The time from `other` until `one`; negative when `other` is later.
  public static func - (one: Instant, other: Instant) -> Seconds {
    Seconds(one.seconds - other.seconds)
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
