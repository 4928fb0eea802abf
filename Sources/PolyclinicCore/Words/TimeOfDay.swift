/// What a clock on a wall shows, whatever the day: hours and minutes.
public struct TimeOfDay: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// 0 to 23.
  public let hour: Int
  /// 0 to 59.
  public let minute: Int

  /// Nil when no clock shows it.
  public init?(hour: Int, minute: Int) {
    guard (0...23).contains(hour), (0...59).contains(minute) else { return nil }
    self.hour = hour
    self.minute = minute
  }

  /// Reads `HH:MM`, as HTML's time fields send it, or `H:MM`; nil for anything else.
  public init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
      parts.allSatisfy({ $0.allSatisfy(\.isASCIIDigit) }),
      let hour = Int(Substring(parts[0])), let minute = Int(Substring(parts[1]))
    else { return nil }
    self.init(hour: hour, minute: minute)
  }

  /// 0 to 1439, from midnight on the clock.
  public var minutes: Int { hour * 60 + minute }

  /// `HH:MM`.
  public var description: String {
    "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
  }

  /// The earlier on the clock first.
  public static func < (one: TimeOfDay, other: TimeOfDay) -> Bool { one.minutes < other.minutes }
}
