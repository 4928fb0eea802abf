/// A JSON value (RFC 8259) whose members keep their order.
public enum JSON: Sendable, Equatable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral,
  ExpressibleByNilLiteral
{
  case null
  case boolean(Bool)
  case integer(Int64)
  case number(Double)
  /// A number as it was written, such as `1e309`; only parsing creates this case.
  case written(String)
  case string(String)
  case array([JSON])
  case object([Member])

  /// A member of an object.
  public struct Member: Sendable, Equatable {
    /// The member's name.
    public let name: String
    /// The member's value.
    public let value: JSON

    /// Creates a member of an object.
    public init(_ name: String, _ value: JSON) {
      self.name = name
      self.value = value
    }
  }

  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates an integer.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// Creates `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  /// Creates an array.
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
  /// Creates an object whose members have the order of the literal.
  public init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }
  /// Creates the value `null`.
  public init(nilLiteral: ()) { self = .null }

  /// The value as JSON text in UTF-8, on one line. Numbers without a JSON form (NaN, infinity)
  /// become null.
  public var encoded: [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return bytes
  }

  private func write(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes.append("null")
    case .boolean(let value): bytes.append(value ? "true" : "false")
    case .integer(let value): bytes.append(decimal: value)
    case .number(let value):
      if value.isFinite { bytes += Array("\(value)".utf8) } else { bytes.append("null") }
    case .written(let text): bytes += Array(text.utf8)
    case .string(let value): Self.write(value, to: &bytes)
    case .array(let values):
      bytes.append("[")
      Self.write(values, to: &bytes) { $0.write(to: &$1) }
      bytes.append("]")
    case .object(let members):
      bytes.append("{")
      Self.write(members, to: &bytes) { member, bytes in
        Self.write(member.name, to: &bytes)
        bytes.append(":")
        member.value.write(to: &bytes)
      }
      bytes.append("}")
    }
  }

  /// Writes elements with commas between them.
  private static func write<Element>(
    _ elements: [Element], to bytes: inout [UInt8], _ write: (Element, inout [UInt8]) -> Void
  ) {
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes.append(",") }
      write(element, &bytes)
    }
  }

  private static func write(_ text: String, to bytes: inout [UInt8]) {
    bytes.append("\"")
    var text = text
    text.withUTF8 { utf8 in
      // Bytes that need no escape are appended together.
      var start = 0
      for (index, byte) in utf8.enumerated()
      where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        bytes += utf8[start..<index]
        start = index + 1
        escape(byte, to: &bytes)
      }
      bytes += utf8[start...]
    }
    bytes.append("\"")
  }

  private static func escape(_ byte: UInt8, to bytes: inout [UInt8]) {
    let hexadecimal = Array("0123456789abcdef".utf8)
    switch byte {
    case UInt8(ascii: "\""): bytes.append("\\\"")
    case UInt8(ascii: "\\"): bytes.append("\\\\")
    case UInt8(ascii: "\n"): bytes.append("\\n")
    default:
      bytes.append("\\u00")
      bytes += [hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
    }
  }
}
