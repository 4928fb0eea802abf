import PolyclinicFormats
import Testing

/// CBOR: the examples of its RFC, malformed input, and keys of COSE.
@Suite struct CBORTests {
  private static let examples: [(String, CBOR)] = [
    ("00", 0), ("17", 23), ("1818", 24), ("1903e8", 1_000), ("1a000f4240", 1_000_000),
    ("1bffffffffffffffff", .unsigned(.max)), ("3bffffffffffffffff", .negative(.max)),
    ("20", -1), ("3903e7", -1_000), ("f90000", .double(0)), ("f93c00", .double(1)),
    ("f93e00", .double(1.5)), ("f97bff", .double(65_504)), ("f90001", .double(0x1p-24)),
    ("f9c400", .double(-4)), ("f97c00", .double(.infinity)), ("fa47c35000", .double(100_000)),
    ("fb3ff199999999999a", .double(1.1)), ("f4", .boolean(false)), ("f5", .boolean(true)),
    ("f6", .null), ("f7", .simple(23)), ("f8ff", .simple(255)),
    ("4401020304", .bytes([1, 2, 3, 4])),
    ("6161", "a"), ("62c3bc", "ü"), ("63e6b0b4", "水"), ("80", []), ("83010203", [1, 2, 3]),
    ("8301820203820405", [1, [2, 3], [4, 5]]), ("a201020304", [1: 2, 3: 4]),
    ("a26161016162820203", ["a": 1, "b": [2, 3]]),
    ("c11a514b67b0", .tagged(1, 1_363_896_240)), ("5f42010243030405ff", .bytes([1, 2, 3, 4, 5])),
    ("7f657374726561646d696e67ff", "streaming"), ("9fff", []),
    ("9f018202039f0405ffff", [1, [2, 3], [4, 5]]),
    (
      "bf6346756ef563416d7421ff",
      .map([.init(key: "Fun", value: .boolean(true)), .init(key: "Amt", value: -2)])
    ),
  ]

  @Test(arguments: examples)
  func `CBOR reads the examples of RFC 8949`(hexadecimal: String, item: CBOR) throws {
    #expect(try CBOR(reading: bytes(hexadecimal)) == item)
  }

  @Test(arguments: [
    // Empty, truncated, with trailing bytes, a lone break, and reserved additional information.
    "", "18", "1903", "62c3", "82 01", "0000", "ff", "1c", "3d", "fc",
    // A chunk of another type, and a chunk of indefinite length.
    "5f6161ff", "5f5f4101ffff",
    // Text that is not UTF-8, repeated keys, a map with an odd number of items, a Boolean key.
    "62c328", "a2616101616102", "a201010102", "bf6161ff", "a1f501",
    // Lengths of 2^63 and 2^64 − 1.
    "5b8000000000000000", "7bffffffffffffffff", "9b8000000000000000", "bb7fffffffffffffff",
    "9bffffffffffffffff",
  ])
  func `CBOR refuses malformed encodings`(hexadecimal: String) {
    #expect(throws: CBOR.Fault()) { try CBOR(reading: bytes(hexadecimal)) }
  }

  @Test(arguments: [0x81, 0x9F, 0xC6, 0xA1])
  func `CBOR refuses 100 000 nested levels`(byte: UInt8) {
    let nested = [UInt8](repeating: byte, count: 100_000)
    #expect(throws: CBOR.Fault()) { try CBOR(reading: nested) }
  }

  @Test func `CBOR reads 16 levels or 10 000 items, and refuses more`() throws {
    func nested(_ levels: Int) -> [UInt8] { [UInt8](repeating: 0x81, count: levels) + [0] }
    func list(_ count: UInt16) -> [UInt8] {
      [0x99, UInt8(count >> 8), UInt8(count & 0xFF)] + [UInt8](repeating: 0, count: Int(count))
    }
    #expect(throws: Never.self) { try CBOR(reading: nested(16)) }
    #expect(throws: CBOR.Fault()) { try CBOR(reading: nested(17)) }
    #expect(try CBOR(reading: list(9_999)).items?.count == 9_999)
    #expect(throws: CBOR.Fault()) { try CBOR(reading: list(10_000)) }
  }

  private func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = hexadecimal.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  @Test func `the first of several items is read, with the bytes behind it`() throws {
    let (item, rest) = try CBOR.first(in: bytes("8301020343ff00")[...])
    #expect(item == [1, 2, 3] && Array(rest) == [0x43, 0xFF, 0x00])
    #expect(throws: CBOR.Fault()) { try CBOR.first(in: rest) }
    #expect(throws: CBOR.Fault()) { try CBOR.first(in: []) }
  }

  private static let x = [UInt8](repeating: 7, count: 32)
  private static let y = [UInt8](repeating: 9, count: 32)

  @Test func `a COSE key of ES256 or RS256 is read`() throws {
    let point: CBOR = [1: 2, 3: -7, -1: 1, -2: .bytes(Self.x), -3: .bytes(Self.y)]
    #expect(try COSEKey(point) == .es256(x: Self.x, y: Self.y))
    let rsa: CBOR = [1: 3, 3: -257, -1: .bytes(Self.x), -2: .bytes([1, 0, 1])]
    #expect(try COSEKey(rsa) == .rs256(modulus: Self.x, exponent: [1, 0, 1]))
  }

  @Test(
    arguments: [
      ([1: 1, 3: -8, -1: 6, -2: .bytes(x)], .algorithm), ([1: 3, 3: -37], .algorithm),
      ([1: 2], .algorithm), ([:], .algorithm), ([1, 2], .key), ("key", .key),
      // Of another type, on another curve, with a short coordinate, a compressed point, no exponent.
      ([1: 3, 3: -7, -1: 1, -2: .bytes(x), -3: .bytes(y)], .key),
      ([1: 2, 3: -7, -1: 2, -2: .bytes(x), -3: .bytes(y)], .key),
      ([1: 2, 3: -7, -1: 1, -2: .bytes([7]), -3: .bytes(y)], .key),
      ([1: 2, 3: -7, -1: 1, -2: .bytes(x), -3: .boolean(true)], .key),
      ([1: 3, 3: -257, -1: .bytes(x)], .key),
      ([1: 3, 3: -257, -1: .bytes([UInt8](repeating: 1, count: 1_025)), -2: .bytes([3])], .key),
    ] as [(CBOR, COSEKey.Fault)])
  func `other COSE keys are refused`(_ item: CBOR, _ fault: COSEKey.Fault) {
    #expect(throws: fault) { try COSEKey(item) }
  }
}
