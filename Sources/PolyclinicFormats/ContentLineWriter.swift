import PolyclinicCore

/// Writes content lines (RFC 5545, 3.1; RFC 6350, 3.2), ended by CRLF and folded after 75 octets.
public struct ContentLineWriter: Sendable {
  /// The bytes written since the last ``flush(to:)``.
  public private(set) var bytes: [UInt8] = []
  /// The maximum length of a line in octets, without its CRLF.
  private static let limit = 75

  /// Creates an empty writer.
  public init() {}

  /// Writes a property whose value needs no escaping.
  public mutating func write(_ name: StaticString, _ value: String) {
    write(ContentLine(name.description, value: value.utf8))
  }

  /// Writes a property with a text, whose separators are escaped and control characters removed.
  public mutating func write(_ name: StaticString, text: String) {
    write(ContentLine(name.description, value: ContentLine.escaped(text)))
  }

  /// Writes a line, folded if it is too long.
  public mutating func write(_ line: ContentLine) {
    var rest = line.bytes[...]
    var room = Self.limit
    while rest.count > room {
      // A fold must not split a UTF-8 character, which has at most four octets.
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

  /// Writes the buffered bytes to the sink and empties the buffer, for files of any length.
  ///
  /// Throws any error of the sink.
  public mutating func flush(to sink: ByteSink) throws {
    try sink.write(bytes)
    bytes.removeAll(keepingCapacity: true)
  }

  /// True for a UTF-8 continuation octet.
  private static func isContinuation(_ octet: UInt8) -> Bool { octet & 0xC0 == 0x80 }
}
