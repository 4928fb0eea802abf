import PolyclinicSystem
import Testing

@testable import PolyclinicCryptography

@Suite struct SymmetricKeyTests {
  private let bytes = [UInt8](0..<32)

  @Test func `a key has 32 bytes, and no other number of them makes one`() throws {
    let key = try #require(SymmetricKey(bytes))
    #expect(key.withUnsafeBytes(Array.init) == bytes)
    for count in [0, 16, 31, 33, 64] {
      #expect(SymmetricKey([UInt8](repeating: 1, count: count)) == nil, "\(count) bytes")
    }
  }

  @Test func `keys are equal if all their bytes are`() throws {
    let key = try #require(SymmetricKey(bytes))
    #expect(SymmetricKey(bytes) == key)
    for index in bytes.indices {
      var other = bytes
      other[index] ^= 0x80
      #expect(SymmetricKey(other) != key, "byte \(index)")
    }
    #expect(SymmetricKey.random() != SymmetricKey.random())
  }

  @Test func `no way of printing a key shows its bytes`() throws {
    let key = try #require(SymmetricKey([UInt8](repeating: 0xa7, count: 32)))
    var dumped = ""
    dump(key, to: &dumped)
    for text in ["\(key)", String(reflecting: key), "\([key])", dumped] {
      // Addresses of memory may contain a few of these digits.
      #expect(text.ranges(of: "167").count < 4 && !text.lowercased().contains("a7a7a7"), "\(text)")
    }
  }

  /// RFC 5869, appendix A.1 to A.3.
  @Test(
    arguments: [
      (
        .init(repeating: 0x0b, count: 22), Array(0x00...0x0c), Array(0xf0...0xf9),
        """
        3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865
        """
      ),
      (
        Array(0x00...0x4f), Array(0x60...0xaf), Array(0xb0...0xff),
        """
        b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e\
        09da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87
        """
      ),
      (
        .init(repeating: 0x0b, count: 22), [], [],
        """
        8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8
        """
      ),
    ] as [([UInt8], [UInt8], [UInt8], String)])
  func `HKDF gives the bytes of RFC 5869`(
    key: [UInt8], salt: [UInt8], info: [UInt8], expected: String
  ) {
    var derived = [UInt8](repeating: 0, count: expected.utf8.count / 2)
    derived.withUnsafeMutableBytes { derived in
      key.withUnsafeBytes { SymmetricKey.derive(derived, from: $0, salt: salt, info: info) }
    }
    #expect(derived.hexadecimalText == expected)
  }

  @Test func `derived keys differ by key, salt and purpose, and by nothing else`() throws {
    let key = try #require(SymmetricKey(bytes))
    let derived = key.derived(salt: [1], info: "one".utf8)
    #expect(key.derived(salt: [1], info: "one".utf8) == derived)
    #expect(key.derived(salt: [2], info: "one".utf8) != derived)
    #expect(key.derived(salt: [1], info: "two".utf8) != derived)
    #expect(SymmetricKey.random().derived(salt: [1], info: "one".utf8) != derived)
    #expect(derived != key)
  }
}
