import PolyclinicCore

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
