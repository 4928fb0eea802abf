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
