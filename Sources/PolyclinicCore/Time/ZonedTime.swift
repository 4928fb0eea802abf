/// A moment to the minute with the local clock's offset from UTC, as a person remembers an event.
///
/// Its text is RFC 3339's, `2026-05-04T11:00:00+03:00`. Two values of the same moment are equal
/// only if their offsets are equal.
public struct ZonedTime: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The moment; its seconds are a multiple of 60.
  public let instant: Instant
  /// The clock's offset from UTC in whole minutes; negative if the clock was behind UTC.
  public let offset: Seconds

  /// Creates a value without seconds; the offset is limited to 18 hours in either direction.
  public init(_ instant: Instant, offset: Seconds) {
    self.instant = Instant(Self.wholeMinutes(instant.seconds))
    let minutes = min(max(Self.wholeMinutes(offset.count), -18 * 3_600), 18 * 3_600)
    self.offset = Seconds(minutes)
  }

  /// Creates the local time of a moment in a zone.
  public init(_ instant: Instant, in zone: Zone) {
    self.init(instant, offset: zone.offset(at: instant))
  }

  /// Parses RFC 3339's `date-time` (5.6) with optional seconds; nil for any other text, and for a
  /// time without an offset.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 17, bytes.count <= 40 else { return nil }
    let separator = bytes[10]
    guard "Tt ".utf8.contains(separator),
      let date = CalendarDate(String(text.prefix(10))),
      let time = Self.time(bytes[11...].prefix(5))
    else { return nil }
    var rest = bytes[16...]
    if rest.first == UInt8(ascii: ":") {
      let digits = rest.dropFirst().prefix(2)
      guard digits.count == 2, digits.allSatisfy(\.isASCIIDigit) else { return nil }
      rest = rest.dropFirst(3)
      if rest.first == UInt8(ascii: ".") {
        let fraction = rest.dropFirst().prefix { $0.isASCIIDigit }
        guard !fraction.isEmpty else { return nil }
        rest = rest.dropFirst(1 + fraction.count)
      }
    }
    guard let offset = Self.offset(String(decoding: rest, as: UTF8.self)) else { return nil }
    let local = Int64(date.daysSince1970) * 86_400 + Int64(time.minutes * 60)
    self.init(Instant(local - offset.count), offset: offset)
  }

  /// The local date and time that the clock showed.
  public var local: LocalDateTime { LocalDateTime(instant + offset, in: .utc) }

  /// The value in RFC 3339's format, such as `2026-05-04T11:00:00+03:00`.
  public var description: String { "\(local):00\(Self.written(offset))" }

  /// Orders values by their moments.
  public static func < (one: ZonedTime, other: ZonedTime) -> Bool { one.instant < other.instant }

  /// Parses an offset such as `Z`, `+03:00` or `-09:30`; nil for any other text.
  public static func offset(_ text: String) -> Seconds? {
    if text == "Z" || text == "z" { return Seconds(0) }
    let bytes = Array(text.utf8)
    guard bytes.count == 6, bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-"),
      let time = time(bytes[1...]), time.hour <= 18
    else { return nil }
    return Seconds(Int64(time.minutes * 60) * (bytes[0] == UInt8(ascii: "-") ? -1 : 1))
  }

  /// Returns an offset such as `+03:00`; `+00:00` for UTC.
  public static func written(_ offset: Seconds) -> String {
    let minutes = Int(offset.count.magnitude / 60)
    let clock = TimeOfDay(hour: minutes / 60, minute: minutes % 60)
    return (offset.count < 0 ? "-" : "+") + (clock?.description ?? "00:00")
  }

  private static func time(_ bytes: ArraySlice<UInt8>) -> TimeOfDay? {
    bytes.count == 5 ? TimeOfDay(String(decoding: bytes, as: UTF8.self)) : nil
  }

  private static func wholeMinutes(_ seconds: Int64) -> Int64 {
    let rest = seconds % 60
    return seconds - (rest < 0 ? rest + 60 : rest)
  }
}

extension Instant {
  /// The moment to the second in UTC, in RFC 3339's format: `2026-05-04T08:00:07Z`.
  public var timestamp: String {
    let second = (seconds % 60 + 60) % 60
    return "\(LocalDateTime(self, in: .utc)):\(second < 10 ? "0" : "")\(second)Z"
  }
}
