/// Writes content lines (RFC 5545, 3.1; RFC 6350, 3.2): ended by CRLF, and folded where they are longer
/// than 75 octets.
public struct ContentLineWriter: Sendable {
  /// Bytes that were written and not passed on by ``flush(to:)``.
  public private(set) var bytes: [UInt8] = []
  /// In octets, without the line's end.
  private static let limit = 75

  /// Begins with nothing.
  public init() {}

  /// A value that is written as it is.
  public mutating func write(_ name: StaticString, _ value: String) {
    write(ContentLine(name.description, value: value.utf8))
  }

  /// A text, in which separators are escaped, and control characters left out.
  public mutating func write(_ name: StaticString, text: String) {
    write(ContentLine(name.description, value: ContentLine.escaped(text)))
  }

  /// A line as it stands.
  public mutating func write(_ line: ContentLine) {
    var rest = line.bytes[...]
    var room = Self.limit
    while rest.count > room {
      // A fold stands between two characters, never in the middle of one, which has four octets at most.
      var end = rest.startIndex + room
      for _ in 0..<3 where Self.isContinuation(rest[end]) { end -= 1 }
      bytes += rest[..<end]
      bytes += "\r\n ".utf8
      rest = rest[end...]
      room = Self.limit - 1
    }
    bytes += rest
    bytes += "\r\n".utf8
  }

  /// Passes on what was written, and keeps nothing of it: for a file of any length.
  public mutating func flush(to sink: ByteSink) throws {
    try sink.write(bytes)
    bytes.removeAll(keepingCapacity: true)
  }

  /// Whether an octet goes on with a character of UTF-8.
  private static func isContinuation(_ octet: UInt8) -> Bool { octet & 0xC0 == 0x80 }
}

extension Instant {
  /// `20260504T090000Z` (ISO 8601, basic format): in UTC, so that whoever reads it has to know no zone.
  public var basicText: String {
    let local = LocalDateTime(self, in: .utc)
    let second = Int(seconds.floorDivided(by: 60).remainder)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let date = local.date.description.filter { $0 != "-" }
    return "\(date)T\(two(local.hour))\(two(local.minute))\(two(second))Z"
  }
}
