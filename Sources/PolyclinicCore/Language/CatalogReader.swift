/// Parses one file of a catalog: a JSON object (RFC 8259) of strings and of objects of strings.
///
/// Foundation's parser is not used, because it silently takes the last of two equal keys and cannot
/// report the line of an error.
struct CatalogReader {
  enum Value: Equatable {
    case text(String)
    case forms([Entry<String>])
  }

  struct Entry<Content: Equatable>: Equatable {
    let key: String
    let value: Content
    let line: Int
  }

  struct Fault: Error {
    let line: Int
    let reason: String
  }

  private let bytes: [UInt8]
  private var position = 0
  private var line = 1

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns all entries in the order of the file, including duplicate keys.
  static func entries(of bytes: [UInt8]) throws(Fault) -> [Entry<Value>] {
    var reader = CatalogReader(bytes)
    let entries = try reader.object { (reader) throws(Fault) in
      if reader.peek() == UInt8(ascii: "{") {
        return Value.forms(try reader.object { (reader) throws(Fault) in try reader.text() })
      }
      return Value.text(try reader.text())
    }
    guard reader.peek() == nil else { throw reader.fault("something follows the object") }
    return entries
  }

  private func fault(_ reason: String) -> Fault { Fault(line: line, reason: reason) }

  /// Skips white space and returns the next byte without consuming it; nil at the end.
  private mutating func peek() -> UInt8? {
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\n"): line += 1
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): break
      default: return bytes[position]
      }
      position += 1
    }
    return nil
  }

  private mutating func skip(_ expected: Unicode.Scalar) throws(Fault) {
    guard peek() == UInt8(ascii: expected) else { throw fault("“\(expected)” is missing") }
    position += 1
  }

  private mutating func object<Content>(
    of content: (inout CatalogReader) throws(Fault) -> Content
  ) throws(Fault) -> [Entry<Content>] {
    try skip("{")
    var entries: [Entry<Content>] = []
    if peek() == UInt8(ascii: "}") {
      position += 1
      return entries
    }
    while true {
      let key = try text()
      let line = line
      try skip(":")
      entries.append(Entry(key: key, value: try content(&self), line: line))
      guard peek() == UInt8(ascii: ",") else { break }
      position += 1
    }
    try skip("}")
    return entries
  }

  private mutating func text() throws(Fault) -> String {
    guard peek() == UInt8(ascii: "\"") else { throw fault("a text in quotation marks is missing") }
    position += 1
    // Most strings contain no backslash, so the part before one is copied at once.
    let plain = bytes[position...].prefix {
      $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") && $0 >= 0x20
    }
    var content = Array(plain)
    position = plain.endIndex
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let text = IncomingText(content).text else {
          throw fault("a text is not UTF-8, or has too many combining marks")
        }
        return text
      case UInt8(ascii: "\\"): content.append(contentsOf: Array(String(try escaped()).utf8))
      case 0..<0x20: throw fault("a text holds a line break or control character")
      default: content.append(byte)
      }
    }
    throw fault("a text does not end")
  }

  /// Parses an escape sequence after its backslash.
  private mutating func escaped() throws(Fault) -> Unicode.Scalar {
    guard position < bytes.count else { throw fault("a text does not end") }
    let byte = bytes[position]
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try escapedScalar()
    default: throw fault("a backslash is followed by what JSON does not know")
    }
  }

  private mutating func escapedScalar() throws(Fault) -> Unicode.Scalar {
    let first = try hexadecimal()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard (0xD800..<0xDC00).contains(first), bytes[position...].starts(with: Array("\\u".utf8))
    else { throw fault("half of a surrogate pair") }
    position += 2
    let second = try hexadecimal()
    guard (0xDC00..<0xE000).contains(second),
      let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
    else { throw fault("half of a surrogate pair") }
    return scalar
  }

  private mutating func hexadecimal() throws(Fault) -> UInt32 {
    let digits = bytes[position...].prefix(4)
    guard digits.count == 4, digits.allSatisfy(\.isASCIILetterOrDigit),
      let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw fault("“\\u” without four hexadecimal digits") }
    position += 4
    return value
  }
}
