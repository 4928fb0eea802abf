import PolyclinicCore

/// A CBOR data item (RFC 8949).
indirect enum CBOR: Sendable, Equatable {
  case unsigned(UInt64)
  /// The number −1 − n.
  case negative(UInt64)
  case bytes([UInt8])
  case text(String)
  case array([CBOR])
  case map([Pair])
  case tagged(UInt64, CBOR)
  case boolean(Bool)
  case null
  case double(Double)
  /// A simple value that this reader does not use, such as `undefined`.
  case simple(UInt8)

  /// A key of a map and its value.
  struct Pair: Sendable, Equatable {
    let key: CBOR
    let value: CBOR
  }

  /// Reads exactly one item. Throws ``CodeFault/cbor`` for anything else, and for more than 16
  /// levels or 10 000 items.
  init(reading bytes: [UInt8]) throws(CodeFault) {
    var reader = CBORReader(bytes)
    self = try reader.item(depth: 0)
    guard reader.isAtEnd else { throw .cbor }
  }
}

extension CBOR {
  /// The integer; nil if it does not fit into a signed 64-bit integer.
  var integer: Int64? {
    switch self {
    case .unsigned(let value): Int64(exactly: value)
    case .negative(let value): Int64(exactly: value).map { -1 - $0 }
    default: nil
    }
  }

  /// The time in seconds since 1970. RFC 8392 allows fractions, which are rounded down.
  var instant: Instant? {
    if case .double(let value) = self {
      return Int64(exactly: value.rounded(.down)).map(Instant.init)
    }
    return integer.map(Instant.init)
  }

  /// The text of a text or a number, also behind a tag such as the one for a date (RFC 8949, 3.4).
  /// A whole number has no decimal point.
  var scalar: String? {
    switch self {
    case .text(let text): text
    case .double(let value): Int64(exactly: value).map { "\($0)" } ?? "\(value)"
    case .tagged(_, let item): item.scalar
    default: integer.map { "\($0)" }
    }
  }

  /// The whole number of an integer, of `2.0`, or of either as text.
  var wholeNumber: Int64? {
    scalar.flatMap { text in
      Int64(text) ?? Double(text).flatMap { Int64(exactly: $0) }
    }
  }

  var text: String? { if case .text(let text) = self { text } else { nil } }
  var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
  var items: [CBOR]? { if case .array(let items) = self { items } else { nil } }

  /// Returns the value of a map's key; nil if the item is not a map.
  subscript(key: CBOR) -> CBOR? {
    guard case .map(let pairs) = self else { return nil }
    return pairs.first { $0.key == key }?.value
  }

  subscript(name: String) -> CBOR? { self[.text(name)] }

  subscript(label: Int64) -> CBOR? {
    self[label < 0 ? .negative(UInt64(-1 - label)) : .unsigned(UInt64(label))]
  }
}

/// Reads CBOR from a byte buffer, within limits of depth and size.
struct CBORReader {
  static let depthLimit = 16
  static let itemLimit = 10_000

  private let bytes: [UInt8]
  private var place = 0
  private var itemsLeft = itemLimit

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { place == bytes.count }

  /// Reads the next item.
  mutating func item(depth: Int) throws(CodeFault) -> CBOR {
    guard depth <= Self.depthLimit, itemsLeft > 0 else { throw .cbor }
    itemsLeft -= 1
    let (major, information) = try head()
    switch major {
    case 0: return .unsigned(try argument(information))
    case 1: return .negative(try argument(information))
    case 2: return .bytes(try string(major, information))
    case 3:
      let text = IncomingText(try string(major, information))
      guard text.fault != .encoding else { throw .cbor }
      return .text(text.repaired)
    case 4: return .array(try array(information, depth: depth))
    case 5: return .map(try map(information, depth: depth))
    case 6: return .tagged(try argument(information), try item(depth: depth + 1))
    default: return try simple(information)
    }
  }

  /// Reads the major type and the additional information of the next item (RFC 8949, 3).
  private mutating func head() throws(CodeFault) -> (major: UInt8, information: UInt8) {
    guard let byte = next() else { throw .cbor }
    return (byte >> 5, byte & 0x1F)
  }

  private mutating func next() -> UInt8? {
    guard place < bytes.count else { return nil }
    place += 1
    return bytes[place - 1]
  }

  private mutating func argument(_ information: UInt8) throws(CodeFault) -> UInt64 {
    switch information {
    case 0..<24: return UInt64(information)
    case 24...27: return try number(byteCount: 1 << (information - 24))
    default: throw .cbor
    }
  }

  private mutating func number(byteCount: Int) throws(CodeFault) -> UInt64 {
    try take(byteCount).reduce(0) { $0 << 8 | UInt64($1) }
  }

  private mutating func take(_ count: Int) throws(CodeFault) -> ArraySlice<UInt8> {
    guard count <= bytes.count - place else { throw .cbor }
    place += count
    return bytes[(place - count)..<place]
  }

  /// Reads a length; nil for an item that ends with a break. Each unit needs at least one byte, so
  /// a length beyond the remaining bytes is invalid.
  private mutating func length(_ information: UInt8) throws(CodeFault) -> Int? {
    if information == 31 { return nil }
    guard let length = Int(exactly: try argument(information)), length <= bytes.count - place
    else { throw .cbor }
    return length
  }

  /// Consumes the break of an item of indefinite length, if it is next.
  private mutating func takeBreak() -> Bool {
    guard place < bytes.count, bytes[place] == 0xFF else { return false }
    place += 1
    return true
  }

  private mutating func string(_ major: UInt8, _ information: UInt8) throws(CodeFault) -> [UInt8] {
    if let length = try length(information) { return Array(try take(length)) }
    var whole: [UInt8] = []
    while !takeBreak() {
      // The chunks must have the same type and a definite length (RFC 8949, 3.2.3).
      let part = try head()
      guard part.major == major, let length = try length(part.information) else { throw .cbor }
      whole += try take(length)
    }
    return whole
  }

  private mutating func array(_ information: UInt8, depth: Int) throws(CodeFault) -> [CBOR] {
    let length = try length(information)
    var items: [CBOR] = []
    while length.map({ items.count < $0 }) ?? !takeBreak() {
      items.append(try item(depth: depth + 1))
    }
    return items
  }

  private mutating func map(_ information: UInt8, depth: Int) throws(CodeFault) -> [CBOR.Pair] {
    let length = try length(information)
    var pairs: [CBOR.Pair] = []
    var names: Set<String> = []
    while length.map({ pairs.count < $0 }) ?? !takeBreak() {
      let key = try item(depth: depth + 1)
      // Refuses duplicate keys, because two readers could use different values. Only text and
      // integer keys are accepted.
      switch key {
      case .text(let name): guard names.insert("t\(name)").inserted else { throw .cbor }
      case .unsigned(let number): guard names.insert("+\(number)").inserted else { throw .cbor }
      case .negative(let number): guard names.insert("-\(number)").inserted else { throw .cbor }
      default: throw .cbor
      }
      pairs.append(CBOR.Pair(key: key, value: try item(depth: depth + 1)))
    }
    return pairs
  }

  private mutating func simple(_ information: UInt8) throws(CodeFault) -> CBOR {
    switch information {
    case 20: return .boolean(false)
    case 21: return .boolean(true)
    case 22: return .null
    case 0..<24: return .simple(information)
    case 24: return .simple(UInt8(try number(byteCount: 1)))
    case 25: return .double(Self.half(UInt16(try number(byteCount: 2))))
    case 26: return .double(Double(Float(bitPattern: UInt32(try number(byteCount: 4)))))
    case 27: return .double(Double(bitPattern: try number(byteCount: 8)))
    default: throw .cbor
    }
  }

  /// Decodes a 16-bit floating-point number (RFC 8949, appendix D). Swift's `Float16` is not
  /// available on all processors.
  private static func half(_ bits: UInt16) -> Double {
    let mantissa = Double(bits & 0x3FF)
    let exponent = Int(bits >> 10 & 0x1F)
    let magnitude: Double =
      switch exponent {
      case 0: mantissa * 0x1p-24
      case 31: mantissa == 0 ? .infinity : .nan
      default: Double(sign: .plus, exponent: exponent - 25, significand: mantissa + 1_024)
      }
    return bits & 0x8000 == 0 ? magnitude : -magnitude
  }
}
