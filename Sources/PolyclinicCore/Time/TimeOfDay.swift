/// A time of day on a wall clock, in hours and minutes.
public struct TimeOfDay: Sendable, Hashable, Comparable, LosslessStringConvertible {
  /// The hour, 0 to 23.
  public let hour: Int
  /// The minute, 0 to 59.
  public let minute: Int

  /// Creates a time of day; nil if the hour or the minute is out of range.
  public init?(hour: Int, minute: Int) {
    guard (0...23).contains(hour), (0...59).contains(minute) else { return nil }
    self.hour = hour
    self.minute = minute
  }

  init(_ local: LocalDateTime) {
    hour = local.hour
    minute = local.minute
  }

  /// Parses `HH:MM`, the value of HTML's time fields, or `H:MM`; nil for any other text.
  public init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
      parts.allSatisfy({ $0.allSatisfy(\.isASCIIDigit) }),
      let hour = Int(Substring(parts[0])), let minute = Int(Substring(parts[1]))
    else { return nil }
    self.init(hour: hour, minute: minute)
  }

  /// The number of minutes since midnight on the clock, 0 to 1439.
  public var minutes: Int { hour * 60 + minute }

  /// `HH:MM`.
  public var description: String {
    String(unsafeUninitializedCapacity: 5) { bytes in
      func place(_ number: Int, at start: Int) {
        bytes[start] = UInt8(ascii: "0") + UInt8(number / 10)
        bytes[start + 1] = UInt8(ascii: "0") + UInt8(number % 10)
      }
      place(hour, at: 0)
      bytes[2] = UInt8(ascii: ":")
      place(minute, at: 3)
      return 5
    }
  }

  /// Orders times of day from midnight on.
  public static func < (one: TimeOfDay, other: TimeOfDay) -> Bool { one.minutes < other.minutes }
}
