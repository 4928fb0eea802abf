/// A moment, in whole seconds since 1970-01-01T00:00:00Z.
public struct Instant: Sendable, Hashable, Comparable {
  public let seconds: Int64

  public init(_ seconds: Int64) { self.seconds = seconds }

  public static func < (one: Instant, other: Instant) -> Bool { one.seconds < other.seconds }
  public static func + (instant: Instant, span: Seconds) -> Instant {
    Instant(instant.seconds + span.count)
  }
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
  public let count: Int64

  public init(_ count: Int64) { self.count = count }

  public static func seconds(_ count: Int) -> Seconds { Seconds(Int64(count)) }
  public static func minutes(_ count: Int) -> Seconds { Seconds(Int64(count) * 60) }
  public static func hours(_ count: Int) -> Seconds { Seconds(Int64(count) * 3_600) }
  public static func days(_ count: Int) -> Seconds { Seconds(Int64(count) * 86_400) }

  public static func < (one: Seconds, other: Seconds) -> Bool { one.count < other.count }
}
