import PolyclinicFormats

/// A CBOR encoder for tests, with definite lengths.
package enum CBORWriter {
  package static func bytes(_ item: CBOR) -> [UInt8] {
    switch item {
    case .unsigned(let value): head(0, value)
    case .negative(let value): head(1, value)
    case .bytes(let bytes): head(2, UInt64(bytes.count)) + bytes
    case .text(let text): head(3, UInt64(text.utf8.count)) + Array(text.utf8)
    case .array(let items): head(4, UInt64(items.count)) + items.flatMap(bytes)
    case .map(let pairs):
      head(5, UInt64(pairs.count)) + pairs.flatMap { bytes($0.key) + bytes($0.value) }
    case .tagged(let tag, let item): head(6, tag) + bytes(item)
    case .boolean(let value): [value ? 0xF5 : 0xF4]
    case .null: [0xF6]
    case .double(let value): [0xFB] + bigEndian(value.bitPattern, 8)
    case .simple(let value): [0xE0 | value]
    }
  }

  private static func head(_ major: UInt8, _ value: UInt64) -> [UInt8] {
    switch value {
    case 0..<24: [major << 5 | UInt8(value)]
    case 24..<256: [major << 5 | 24, UInt8(value)]
    case 256..<65_536: [major << 5 | 25] + bigEndian(value, 2)
    case 65_536..<(1 << 32): [major << 5 | 26] + bigEndian(value, 4)
    default: [major << 5 | 27] + bigEndian(value, 8)
    }
  }

  private static func bigEndian(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (UInt64($0) * 8)) }
  }
}
