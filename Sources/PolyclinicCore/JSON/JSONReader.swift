/// The error of a text that is not JSON or exceeds a limit.
package struct JSONFault: Error, Sendable, Equatable {
  /// The number of bytes read before the error.
  package let offset: Int
  /// The error, in words that quote nothing of the text.
  package let reason: String
}

extension JSON {
  /// The maximum nesting depth of arrays and objects.
  package static let depthLimit = 16
  /// The maximum number of values in a visitor's request.
  package static let valueLimit = 20_000

  /// Parses a text strictly by RFC 8259.
  ///
  /// - The text is UTF-8, with nothing after the value.
  /// - Member names are unique within an object and have at most 200 bytes.
  /// - Numbers stay texts, as ``JSON/written(_:)``.
  /// - A text with too many combining marks (``IncomingText``) is shortened, and U+0000 becomes
  ///   U+0001, so that its field refuses it.
  /// - Beyond the standard, `NaN`, `Infinity` and `-Infinity` are read as numbers, because some
  ///   programs write them. Every field refuses them, so that the error names the field.
  ///
  /// Throws ``JSONFault`` if the text is not JSON or exceeds a limit.
  package init(
    reading bytes: [UInt8], valueLimit: Int = JSON.valueLimit
  ) throws(JSONFault) {
    var reader = JSONReader(bytes, valuesLeft: valueLimit)
    self = try reader.document()
  }
}

/// A recursive descent parser of a JSON text.
private struct JSONReader {
  private let bytes: [UInt8]
  private var place = 0
  private var valuesLeft: Int

  init(_ bytes: [UInt8], valuesLeft: Int) {
    self.bytes = bytes
    self.valuesLeft = valuesLeft
  }

  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }
  private func fault(_ reason: String) -> JSONFault { JSONFault(offset: place, reason: reason) }

  mutating func document() throws(JSONFault) -> JSON {
    let value = try value(depth: 0)
    skipBlanks()
    guard place == bytes.count else { throw fault("something follows the value") }
    return value
  }

  private mutating func value(depth: Int) throws(JSONFault) -> JSON {
    skipBlanks()
    valuesLeft -= 1
    guard valuesLeft >= 0, depth <= JSON.depthLimit else {
      throw fault("there are too many values, or too many within one another")
    }
    guard let first = next else { throw fault("a value is missing") }
    switch first {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""):
      guard let text = try string().value else { throw fault("a text is not UTF-8") }
      return .string(text)
    case UInt8(ascii: "t"): return try word("true", .boolean(true))
    case UInt8(ascii: "f"): return try word("false", .boolean(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "N"): return try word("NaN", .written("NaN"))
    case UInt8(ascii: "I"): return try word("Infinity", .written("Infinity"))
    default: return try number()
    }
  }

  private mutating func object(depth: Int) throws(JSONFault) -> JSON {
    var members: [JSON.Member] = []
    var names: Set<[UInt8]> = []
    place += 1
    if take("}") { return .object(members) }
    repeat {
      skipBlanks()
      guard next == UInt8(ascii: "\"") else {
        throw fault("a name in quotation marks is missing")
      }
      let text = try string()
      guard text.fault != .combiningMarks, let name = text.value,
        name.utf8.count <= IncomingText.nameLimit
      else {
        throw fault("a name is too long, or not UTF-8")
      }
      guard names.insert(Array(name.utf8)).inserted else { throw fault("a name is there twice") }
      guard take(":") else { throw fault("“:” is missing") }
      members.append(JSON.Member(name, try value(depth: depth + 1)))
    } while take(",")
    guard take("}") else { throw fault("“}” is missing") }
    return .object(members)
  }

  private mutating func array(depth: Int) throws(JSONFault) -> JSON {
    var values: [JSON] = []
    place += 1
    if take("]") { return .array(values) }
    repeat { values.append(try value(depth: depth + 1)) } while take(",")
    guard take("]") else { throw fault("“]” is missing") }
    return .array(values)
  }

  private mutating func word(_ word: StaticString, _ value: JSON) throws(JSONFault) -> JSON {
    let length = word.utf8CodeUnitCount
    guard bytes[place...].prefix(length).elementsEqual(word.description.utf8) else {
      throw fault("a value is missing")
    }
    place += length
    return value
  }

  /// A minus sign, digits without a leading zero, a fraction and an exponent (RFC 8259, 6).
  private mutating func number() throws(JSONFault) -> JSON {
    let start = place
    _ = step(over: UInt8(ascii: "-"))
    if place > start, next == UInt8(ascii: "I") {
      return try word("Infinity", .written("-Infinity"))
    }
    if !step(over: UInt8(ascii: "0")) { try digits() }
    if step(over: UInt8(ascii: ".")) { try digits() }
    if step(over: UInt8(ascii: "e")) || step(over: UInt8(ascii: "E")) {
      if !step(over: UInt8(ascii: "+")) { _ = step(over: UInt8(ascii: "-")) }
      try digits()
    }
    return .written(String(decoding: bytes[start..<place], as: UTF8.self))
  }

  private mutating func digits() throws(JSONFault) {
    let start = place
    while let byte = next, byte.isASCIIDigit { place += 1 }
    guard place > start else { throw fault("a value is missing") }
  }

  private mutating func string() throws(JSONFault) -> IncomingText {
    place += 1
    // Most texts contain no backslash, so that the part before one is copied at once.
    let plain = bytes[place...].prefix {
      $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") && $0 >= 0x20
    }
    var text = Array(plain)
    place = plain.endIndex
    while let byte = next {
      place += 1
      switch byte {
      case UInt8(ascii: "\""):
        return IncomingText(text)
      case UInt8(ascii: "\\"): try escape(into: &text)
      case 0..<0x20: throw fault("a text holds a line break or control character")
      default: text.append(byte)
      }
    }
    throw fault("a text does not end")
  }

  private mutating func escape(into text: inout [UInt8]) throws(JSONFault) {
    guard let byte = next else { throw fault("a text does not end") }
    place += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"): text += Array(String(try escapedScalar()).utf8)
    default: throw fault("a backslash is followed by what JSON does not know")
    }
  }

  /// Parses `\uXXXX`, or a surrogate pair of two. Throws ``JSONFault`` for a lone surrogate.
  private mutating func escapedScalar() throws(JSONFault) -> Character {
    let high = try codeUnit()
    if let scalar = Unicode.Scalar(high) { return Character(scalar) }
    guard high < 0xDC00, step(over: UInt8(ascii: "\\")), step(over: UInt8(ascii: "u")) else {
      throw fault("half of a surrogate pair")
    }
    let low = try codeUnit()
    guard (0xDC00...0xDFFF).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    else { throw fault("half of a surrogate pair") }
    return Character(scalar)
  }

  private mutating func codeUnit() throws(JSONFault) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = next.flatMap(hexadecimal) else {
        throw fault("“\\u” without four hexadecimal digits")
      }
      place += 1
      unit = unit << 4 | UInt32(digit)
    }
    return unit
  }

  private mutating func step(over byte: UInt8) -> Bool {
    guard next == byte else { return false }
    place += 1
    return true
  }

  private mutating func take(_ mark: Unicode.Scalar) -> Bool {
    skipBlanks()
    return step(over: UInt8(ascii: mark))
  }

  private mutating func skipBlanks() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      place += 1
    }
  }
}
