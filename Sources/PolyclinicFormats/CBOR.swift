import PolyclinicCore

/// A CBOR data item (RFC 8949).
public indirect enum CBOR: Sendable, Equatable {
  /// A number from zero on.
  case unsigned(UInt64)
  /// The number −1 − n.
  case negative(UInt64)
  /// A byte string.
  case bytes([UInt8])
  /// A text.
  case text(String)
  /// An array.
  case array([CBOR])
  /// A map with its pairs in their order.
  case map([Pair])
  /// An item with its tag.
  case tagged(UInt64, CBOR)
  /// A Boolean.
  case boolean(Bool)
  /// The value `null`.
  case null
  /// A floating-point number of any length.
  case double(Double)
  /// A simple value that this reader does not use, such as `undefined`.
  case simple(UInt8)

  /// A key of a map and its value.
  public struct Pair: Sendable, Equatable {
    /// The key: a text or an integer.
    public let key: CBOR
    /// The value of the key.
    public let value: CBOR

    /// Creates a pair.
    public init(key: CBOR, value: CBOR) {
      self.key = key
      self.value = value
    }
  }

  /// The error of bytes that are not CBOR, exceed the limits, or have a key twice.
  public struct Fault: Error, Sendable, Equatable {
    /// Creates the error.
    public init() {}
  }

  /// Reads exactly one item.
  ///
  /// Throws ``Fault`` for anything else, for more than 16 levels or 10 000 items, and for maps with
  /// repeated keys or with keys other than texts and integers.
  public init(reading bytes: [UInt8]) throws(Fault) {
    var reader = CBORReader(bytes[...])
    self = try reader.item(depth: 0)
    guard reader.rest.isEmpty else { throw Fault() }
  }

  /// Reads the first item of the bytes, within the limits of ``init(reading:)``. Returns it with the
  /// bytes behind it.
  public static func first(
    in bytes: ArraySlice<UInt8>
  ) throws(Fault) -> (item: CBOR, rest: ArraySlice<UInt8>) {
    var reader = CBORReader(bytes)
    let item = try reader.item(depth: 0)
    return (item, reader.rest)
  }
}

extension CBOR {
  /// The integer; nil if it does not fit into a signed 64-bit integer.
  public var integer: Int64? {
    switch self {
    case .unsigned(let value): Int64(exactly: value)
    case .negative(let value): Int64(exactly: value).map { -1 - $0 }
    default: nil
    }
  }

  /// The time in seconds since 1970. RFC 8392 allows fractions, which are rounded down.
  public var instant: Instant? {
    if case .double(let value) = self {
      return Int64(exactly: value.rounded(.down)).map(Instant.init)
    }
    return integer.map(Instant.init)
  }

  /// The text of a text or a number, also behind a tag such as the one for a date (RFC 8949, 3.4).
  /// A whole number has no decimal point.
  public var scalar: String? {
    switch self {
    case .text(let text): text
    case .double(let value): Int64(exactly: value).map { "\($0)" } ?? "\(value)"
    case .tagged(_, let item): item.scalar
    default: integer.map { "\($0)" }
    }
  }

  /// The whole number of an integer, of `2.0`, or of either as text.
  public var wholeNumber: Int64? {
    scalar.flatMap { text in
      Int64(text) ?? Double(text).flatMap { Int64(exactly: $0) }
    }
  }

  /// The text; nil for any other item.
  public var text: String? { if case .text(let text) = self { text } else { nil } }
  /// The bytes of a byte string; nil for any other item.
  public var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
  /// The items of an array; nil for any other item.
  public var items: [CBOR]? { if case .array(let items) = self { items } else { nil } }

  /// Returns the value of a map's key; nil if the item is not a map.
  private subscript(key: CBOR) -> CBOR? {
    guard case .map(let pairs) = self else { return nil }
    return pairs.first { $0.key == key }?.value
  }

  /// Returns the value of a map's text key; nil if there is none.
  public subscript(name: String) -> CBOR? { self[.text(name)] }

  /// Returns the value of a map's integer key; nil if there is none.
  public subscript(label: Int64) -> CBOR? {
    self[label < 0 ? .negative(UInt64(-1 - label)) : .unsigned(UInt64(label))]
  }
}

extension CBOR: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Creates a text.
  public init(stringLiteral value: String) { self = .text(value) }
  /// Creates an integer.
  public init(integerLiteral value: Int64) {
    self = value < 0 ? .negative(UInt64(-1 - value)) : .unsigned(UInt64(value))
  }
  /// Creates an array.
  public init(arrayLiteral elements: CBOR...) { self = .array(elements) }
  /// Creates a map whose pairs have the order of the literal.
  public init(dictionaryLiteral elements: (CBOR, CBOR)...) {
    self = .map(elements.map { Pair(key: $0.0, value: $0.1) })
  }
}

/// Reads CBOR from a byte buffer, within limits of depth and size.
private struct CBORReader {
  static let depthLimit = 16
  static let itemLimit = 10_000

  /// The bytes that are not read yet.
  private(set) var rest: ArraySlice<UInt8>
  private var itemsLeft = itemLimit

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// Reads the next item.
  mutating func item(depth: Int) throws(CBOR.Fault) -> CBOR {
    guard depth <= Self.depthLimit, itemsLeft > 0 else { throw CBOR.Fault() }
    itemsLeft -= 1
    let (major, information) = try head()
    switch major {
    case 0: return .unsigned(try argument(information))
    case 1: return .negative(try argument(information))
    case 2: return .bytes(try string(major, information))
    case 3:
      let text = IncomingText(try string(major, information))
      guard text.fault != .encoding else { throw CBOR.Fault() }
      return .text(text.repaired)
    case 4: return .array(try array(information, depth: depth))
    case 5: return .map(try map(information, depth: depth))
    case 6: return .tagged(try argument(information), try item(depth: depth + 1))
    default: return try simple(information)
    }
  }

  /// Reads the major type and the additional information of the next item (RFC 8949, 3).
  private mutating func head() throws(CBOR.Fault) -> (major: UInt8, information: UInt8) {
    guard let byte = next() else { throw CBOR.Fault() }
    return (byte >> 5, byte & 0x1F)
  }

  private mutating func next() -> UInt8? { rest.popFirst() }

  private mutating func argument(_ information: UInt8) throws(CBOR.Fault) -> UInt64 {
    switch information {
    case 0..<24: return UInt64(information)
    case 24...27: return try number(byteCount: 1 << (information - 24))
    default: throw CBOR.Fault()
    }
  }

  private mutating func number(byteCount: Int) throws(CBOR.Fault) -> UInt64 {
    try take(byteCount).reduce(0) { $0 << 8 | UInt64($1) }
  }

  private mutating func take(_ count: Int) throws(CBOR.Fault) -> ArraySlice<UInt8> {
    guard count <= rest.count else { throw CBOR.Fault() }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  /// Reads a length; nil for an item that ends with a break. Each unit needs at least one byte, so
  /// a length beyond the remaining bytes is invalid.
  private mutating func length(_ information: UInt8) throws(CBOR.Fault) -> Int? {
    if information == 31 { return nil }
    guard let length = Int(exactly: try argument(information)), length <= rest.count
    else { throw CBOR.Fault() }
    return length
  }

  /// Consumes the break of an item of indefinite length, if it is next.
  private mutating func takeBreak() -> Bool {
    guard rest.first == 0xFF else { return false }
    rest = rest.dropFirst()
    return true
  }

  private mutating func string(
    _ major: UInt8, _ information: UInt8
  ) throws(CBOR.Fault) -> [UInt8] {
    if let length = try length(information) { return Array(try take(length)) }
    var whole: [UInt8] = []
    while !takeBreak() {
      // The chunks must have the same type and a definite length (RFC 8949, 3.2.3).
      let part = try head()
      guard part.major == major, let length = try length(part.information) else {
        throw CBOR.Fault()
      }
      whole += try take(length)
    }
    return whole
  }

  private mutating func array(_ information: UInt8, depth: Int) throws(CBOR.Fault) -> [CBOR] {
    let length = try length(information)
    var items: [CBOR] = []
    while length.map({ items.count < $0 }) ?? !takeBreak() {
      items.append(try item(depth: depth + 1))
    }
    return items
  }

  private mutating func map(_ information: UInt8, depth: Int) throws(CBOR.Fault) -> [CBOR.Pair] {
    let length = try length(information)
    var pairs: [CBOR.Pair] = []
    var names: Set<String> = []
    while length.map({ pairs.count < $0 }) ?? !takeBreak() {
      let key = try item(depth: depth + 1)
      // Refuses duplicate keys, because two readers could use different values. Only text and
      // integer keys are accepted.
      switch key {
      case .text(let name): guard names.insert("t\(name)").inserted else { throw CBOR.Fault() }
      case .unsigned(let number):
        guard names.insert("+\(number)").inserted else { throw CBOR.Fault() }
      case .negative(let number):
        guard names.insert("-\(number)").inserted else { throw CBOR.Fault() }
      default: throw CBOR.Fault()
      }
      pairs.append(CBOR.Pair(key: key, value: try item(depth: depth + 1)))
    }
    return pairs
  }

  private mutating func simple(_ information: UInt8) throws(CBOR.Fault) -> CBOR {
    switch information {
    case 20: return .boolean(false)
    case 21: return .boolean(true)
    case 22: return .null
    case 0..<24: return .simple(information)
    case 24: return .simple(UInt8(try number(byteCount: 1)))
    case 25: return .double(Self.half(UInt16(try number(byteCount: 2))))
    case 26: return .double(Double(Float(bitPattern: UInt32(try number(byteCount: 4)))))
    case 27: return .double(Double(bitPattern: try number(byteCount: 8)))
    default: throw CBOR.Fault()
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
