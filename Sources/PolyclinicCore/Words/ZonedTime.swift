/// A moment to the minute and what the clock beside it showed: how a person remembers when something was.
///
/// Written as RFC 3339 has it, `2026-05-04T11:00:00+03:00`; two of the same moment are equal only where
/// their clocks were, too.
public struct ZonedTime: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// When it was; its seconds are a multiple of 60.
  public let instant: Instant
  /// How far the clock was ahead of UTC, in whole minutes; negative where it was behind.
  public let offset: Seconds

  /// Drops seconds. The offset is kept within the 18 hours that RFC 3339's clocks can say.
  public init(_ instant: Instant, offset: Seconds) {
    self.instant = Instant(Self.wholeMinutes(instant.seconds))
    let minutes = min(max(Self.wholeMinutes(offset.count), -18 * 3_600), 18 * 3_600)
    self.offset = Seconds(minutes)
  }

  /// As clocks in a zone show that moment.
  public init(_ instant: Instant, in zone: Zone) {
    self.init(instant, offset: zone.offset(at: instant))
  }

  /// Reads RFC 3339's `date-time` (5.6), its seconds optional: nil for anything else, and for a time
  /// without an offset.
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

  /// What the clock showed.
  public var local: LocalDateTime { LocalDateTime(instant + offset, in: .utc) }

  /// `2026-05-04T11:00:00+03:00`.
  public var description: String { "\(local):00\(Self.written(offset))" }

  /// The earlier moment first.
  public static func < (one: ZonedTime, other: ZonedTime) -> Bool { one.instant < other.instant }

  /// Reads `Z`, `+03:00` or `-09:30`; nil for anything else.
  public static func offset(_ text: String) -> Seconds? {
    if text == "Z" || text == "z" { return Seconds(0) }
    let bytes = Array(text.utf8)
    guard bytes.count == 6, bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-"),
      let time = time(bytes[1...]), time.hour <= 18
    else { return nil }
    return Seconds(Int64(time.minutes * 60) * (bytes[0] == UInt8(ascii: "-") ? -1 : 1))
  }

  /// `+03:00`; `+00:00` for UTC.
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
  /// The moment to the second in UTC, as RFC 3339 has it: `2026-05-04T08:00:07Z`.
  public var timestamp: String {
    let second = (seconds % 60 + 60) % 60
    return "\(LocalDateTime(self, in: .utc)):\(second < 10 ? "0" : "")\(second)Z"
  }
}
