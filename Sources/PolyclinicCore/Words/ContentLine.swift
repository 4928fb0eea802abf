/// One property of a file of content lines, as iCalendar (RFC 5545, 3.1) and vCard (RFC 6350, 3.3) have
/// it: `item1.TEL;TYPE="work,voice":+44 20 7946 0000`.
///
/// The line is kept as it was written, so that what nobody here understands goes out as it came in.
public struct ContentLine: Sendable, Hashable {
  /// The whole line, unfolded.
  public let bytes: [UInt8]
  /// What ties lines together, as it was written; empty for most.
  public let group: String
  /// In capitals.
  public let name: String
  /// In the order in which they were written.
  public let parameters: [Parameter]
  private let valueStart: Int

  /// What is said of a value besides the value.
  public struct Parameter: Sendable, Equatable {
    /// In capitals; empty where only a value stands, as vCard 2.1 has it.
    public let name: String
    /// Without their quotation marks.
    public let values: [String]

    /// A parameter with its values.
    public init(_ name: String, _ values: [String]) {
      self.name = name
      self.values = values
    }
  }

  /// Whether both are written the same.
  public static func == (one: ContentLine, other: ContentLine) -> Bool { one.bytes == other.bytes }

  /// Feeds the hasher what ``==(_:_:)`` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }

  /// Everything behind the colon, as it was written.
  public var value: ArraySlice<UInt8> { bytes[valueStart...] }

  /// All values of the parameters of that name, which is in capitals.
  public func values(of name: String) -> [String] {
    parameters.filter { $0.name == name }.flatMap(\.values)
  }

  /// The most parameters, values of one parameter, and components that are read of a line: no program
  /// writes a tenth of that, and each takes ten times as much memory as file.
  private static let mostParts = 100

  /// Reads an unfolded line; nil if it is not one, or has more combining marks in a row than
  /// ``IncomingText`` takes. Reads each byte once.
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

  /// Makes a line; its value is written as it is.
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

  /// In quotation marks where it has separators; what no parameter can hold is left out.
  private static func quoted(_ value: String) -> String {
    let plain = String(value.unicodeScalars.filter { $0 != "\"" && $0.value >= 0x20 })
    let isQuoted = plain.unicodeScalars.contains { ":;,".unicodeScalars.contains($0) }
    return isQuoted ? "\"\(plain)\"" : plain
  }
}

extension ContentLine {
  /// The value as one text, its escapes undone; what is not UTF-8 in it is replaced by U+FFFD.
  ///
  /// Undoing escapes joins what they parted, so the text passes ``IncomingText`` once more.
  public var text: String { IncomingText(Self.unescaped(value)).repaired }

  /// The value as texts between semicolons, as a name or an address has them; the hundredth holds the rest.
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

  /// A text as a value, its separators escaped (RFC 5545, 3.3.11; RFC 6350, 3.4), without control
  /// characters.
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

/// Goes through the bytes of one line, once.
private struct ContentLineScanner {
  private let bytes: [UInt8]
  private(set) var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func take(_ separator: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: separator) else { return false }
    position += 1
    return true
  }

  /// Letters, digits, hyphens, and the underscore that some programs write.
  mutating func name() -> String? {
    let start = position
    while position < bytes.count, Self.isPartOfName(bytes[position]) { position += 1 }
    return start == position ? nil : String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// Nil for what is none, and for one with more values than `most`.
  mutating func parameter(most: Int) -> ContentLine.Parameter? {
    // Without a name, a value stands alone, as in vCard 2.1.
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

  /// Up to the next separator; nil where a quotation mark is not closed.
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
