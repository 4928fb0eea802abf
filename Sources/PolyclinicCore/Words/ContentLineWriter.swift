/// Writes content lines (RFC 5545, 3.1; RFC 6350, 3.2): ended by CRLF, and folded where they are longer
/// than 75 octets.
public struct ContentLineWriter: Sendable {
  /// What was written so far.
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
    bytes.reserveCapacity(bytes.count + line.bytes.count * 78 / 75 + 2)
    var length = 0
    var rest = line.bytes[...]
    while let first = rest.first {
      let octets = rest.prefix(Self.length(of: first))
      // A fold stands between two characters, never in the middle of one.
      if length + octets.count > Self.limit {
        bytes += [UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: " ")]
        length = 1
      }
      bytes += octets
      length += octets.count
      rest = rest.dropFirst(octets.count)
    }
    bytes += [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
  }

  /// How many octets a character takes in UTF-8, by its first.
  private static func length(of first: UInt8) -> Int {
    switch first {
    case 0xF0...: 4
    case 0xE0...: 3
    case 0xC0...: 2
    default: 1
    }
  }
}

extension Instant {
  /// `20260504T090000Z` (ISO 8601, basic format): in UTC, so that whoever reads it has to know no zone.
  public var basicText: String {
    let local = LocalDateTime(self, in: .utc)
    let second = Int(((seconds % 60) + 60) % 60)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let date = local.date.description.filter { $0 != "-" }
    return "\(date)T\(two(local.hour))\(two(local.minute))\(two(second))Z"
  }
}
