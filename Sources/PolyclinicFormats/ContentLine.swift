import PolyclinicCore

/// One property of a file of content lines, in the syntax of iCalendar (RFC 5545, 3.1) and vCard
/// (RFC 6350, 3.3): `item1.TEL;TYPE="work,voice":+44 20 7946 0000`.
///
/// The original bytes are kept, so that properties unknown to the portal are exported unchanged.
public struct ContentLine: Sendable, Hashable {
  /// The whole line, unfolded.
  public let bytes: [UInt8]
  /// The prefix that groups related lines, as written; empty for most lines.
  public let group: String
  /// The property's name, in capitals.
  public let name: String
  /// The parameters, in the order in which they are written.
  public let parameters: [Parameter]
  private let valueStart: Int

  /// A parameter that describes the value of a content line.
  public struct Parameter: Sendable, Equatable {
    /// The parameter's name, in capitals; empty for a value without a name, which vCard 2.1 allows.
    public let name: String
    /// The values, without quotation marks.
    public let values: [String]

    /// Creates a parameter with its values.
    public init(_ name: String, _ values: [String]) {
      self.name = name
      self.values = values
    }
  }

  /// True if both lines consist of the same bytes.
  public static func == (one: ContentLine, other: ContentLine) -> Bool { one.bytes == other.bytes }

  /// Hashes the bytes, which ``==(_:_:)`` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }

  /// The bytes after the colon, as written.
  public var value: ArraySlice<UInt8> { bytes[valueStart...] }

  /// Returns all values of the parameters with that name, which must be in capitals.
  public func values(of name: String) -> [String] {
    parameters.filter { $0.name == name }.flatMap(\.values)
  }

  /// The maximum number of parameters, of values of one parameter, and of components that are read
  /// of a line.
  ///
  /// No program writes a tenth of that, and each takes ten times as much memory as in the file.
  private static let mostParts = 100

  /// Parses an unfolded line in a single pass over its bytes.
  ///
  /// Nil if it is not a content line, or if it has more combining marks in a row than
  /// `IncomingText` accepts.
  public init?(_ bytes: [UInt8]) {
    guard IncomingText(bytes).fault != .combiningMarks else { return nil }
    var scanner = ContentLineScanner(bytes)
    guard let first = scanner.name() else { return nil }
    var (group, name) = ("", first)
    if scanner.take(".") {
      guard let second = scanner.name() else { return nil }
      (group, name) = (first, second)
    }
    var parameters: [Parameter] = []
    while scanner.take(";") {
      guard parameters.count < Self.mostParts,
        let parameter = scanner.parameter(most: Self.mostParts)
      else { return nil }
      parameters.append(parameter)
    }
    guard scanner.take(":") else { return nil }
    self.bytes = bytes
    self.group = group
    self.name = name.uppercased()
    self.parameters = parameters
    valueStart = scanner.position
  }

  /// Creates a line; the value is written without escaping.
  public init(
    group: String = "", _ name: String, _ parameters: [Parameter] = [], value: some Sequence<UInt8>
  ) {
    var bytes = Array(group.utf8)
    if !group.isEmpty { bytes.append(UInt8(ascii: ".")) }
    bytes += name.utf8
    for parameter in parameters {
      bytes += ";\(parameter.name)=".utf8
      bytes += parameter.values.map(Self.quoted).joined(separator: ",").utf8
    }
    bytes.append(UInt8(ascii: ":"))
    valueStart = bytes.count
    bytes += value
    self.bytes = bytes
    self.group = group
    self.name = name
    self.parameters = parameters
  }

  /// Removes quotation marks and control characters, which a parameter cannot hold, and quotes a
  /// value that contains separators.
  private static func quoted(_ value: String) -> String {
    let plain = String(value.unicodeScalars.filter { $0 != "\"" && $0.value >= 0x20 })
    let isQuoted = plain.unicodeScalars.contains { ":;,".unicodeScalars.contains($0) }
    return isQuoted ? "\"\(plain)\"" : plain
  }
}

extension ContentLine {
  /// The unescaped value as text, with U+FFFD in place of invalid UTF-8.
  ///
  /// Unescaping can join combining marks that a backslash separated, so the text passes
  /// `IncomingText` once more.
  public var text: String { IncomingText(Self.unescaped(value)).repaired }

  /// The unescaped texts between semicolons, as in a name or an address; the hundredth holds the
  /// rest.
  public var components: [String] {
    var parts: [ArraySlice<UInt8>] = []
    var start = value.startIndex
    var isEscaped = false
    for index in value.indices {
      if parts.count == Self.mostParts - 1 { break }
      if value[index] == UInt8(ascii: ";"), !isEscaped {
        parts.append(value[start..<index])
        start = index + 1
      }
      isEscaped = value[index] == UInt8(ascii: "\\") && !isEscaped
    }
    parts.append(value[start...])
    return parts.map { IncomingText(Self.unescaped($0)).repaired }
  }

  /// Returns a text as a value, with its separators escaped (RFC 5545, 3.3.11; RFC 6350, 3.4) and
  /// its control characters removed.
  public static func escaped(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for scalar in text.withPlainLineEnds.unicodeScalars {
      switch scalar {
      case "\\", ";", ",": bytes += [UInt8(ascii: "\\"), UInt8(scalar.value)]
      case "\n": bytes += "\\n".utf8
      case "\t": bytes.append(UInt8(ascii: "\t"))
      case "\u{0}"..<" ", "\u{7F}"..<"\u{A0}": continue
      default: bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      }
    }
    return bytes
  }

  private static func unescaped(_ value: ArraySlice<UInt8>) -> [UInt8] {
    guard value.contains(UInt8(ascii: "\\")) else { return Array(value) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(value.count)
    var isEscaped = false
    for byte in value {
      if isEscaped {
        let isLineEnd = byte == UInt8(ascii: "n") || byte == UInt8(ascii: "N")
        bytes.append(isLineEnd ? UInt8(ascii: "\n") : byte)
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }
}

/// Scans the bytes of one line in a single pass.
private struct ContentLineScanner {
  private let bytes: [UInt8]
  private(set) var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func take(_ separator: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: separator) else { return false }
    position += 1
    return true
  }

  /// Consumes letters, digits, hyphens, and the underscore that some programs write.
  mutating func name() -> String? {
    let start = position
    while position < bytes.count, Self.isPartOfName(bytes[position]) { position += 1 }
    return start == position ? nil : String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// Consumes a parameter; nil if it is malformed or has more values than `most`.
  mutating func parameter(most: Int) -> ContentLine.Parameter? {
    // In vCard 2.1 a value may stand without a name.
    let start = position
    var name = ""
    if let found = self.name(), take("=") { name = found } else { position = start }
    var values: [String] = []
    repeat {
      guard values.count < most, let value = value() else { return nil }
      values.append(value)
    } while take(",")
    return ContentLine.Parameter(name.uppercased(), values)
  }

  /// Consumes a value up to the next separator; nil if a quotation mark is not closed.
  private mutating func value() -> String? {
    if take("\"") {
      let start = position
      while position < bytes.count, bytes[position] != UInt8(ascii: "\"") { position += 1 }
      let value = String(decoding: bytes[start..<position], as: UTF8.self)
      return take("\"") ? value : nil
    }
    let start = position
    while position < bytes.count, !Self.isSeparator(bytes[position]) { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private static func isPartOfName(_ byte: UInt8) -> Bool {
    byte.isASCIILetterOrDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ";") || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ",")
  }
}
