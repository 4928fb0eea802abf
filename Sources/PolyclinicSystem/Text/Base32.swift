/// Base 32 (RFC 4648, section 6), without padding, for secrets that people type.
package enum Base32 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

  /// Encodes five bits in each letter. The last letter is padded with zero bits.
  package static func text(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    var queue = BitQueue()
    for byte in bytes {
      queue.append(UInt32(byte), bits: 8)
      while let value = queue.next(5) { text.append(alphabet[Int(value)]) }
    }
    if queue.count > 0 { text.append(alphabet[Int(queue.rest << UInt32(5 - queue.count))]) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the letters in groups of four, for people to read.
  package static func grouped(_ text: String) -> String {
    Array(text.utf8).parts(of: 4).map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
  }

  /// Returns the letters of a typed secret; nil if it has other characters, or more than `limit`
  /// letters.
  ///
  /// - Spaces, hyphens and case are ignored.
  /// - The digits 0, 1 and 8 are read as O, I and B, because they are not part of the alphabet.
  package static func letters(in typed: String, limit: Int) -> String? {
    var letters: [UInt8] = []
    for scalar in typed.unicodeScalars.prefix(2 * limit) {
      switch scalar {
      case " ", "-", "\t", "\n", "\r": continue
      case "0": letters.append(UInt8(ascii: "O"))
      case "1": letters.append(UInt8(ascii: "I"))
      case "8": letters.append(UInt8(ascii: "B"))
      default:
        let isSmall = ("a"..."z").contains(scalar)
        guard scalar.isASCII else { return nil }
        letters.append(UInt8(scalar.value) - (isSmall ? 0x20 : 0))
      }
    }
    guard letters.count <= limit, letters.allSatisfy(alphabet.contains) else { return nil }
    return String(decoding: letters, as: UTF8.self)
  }
}

/// A queue of bits that are added in groups of one size and removed in groups of another, highest
/// first.
package struct BitQueue {
  private var pending: UInt32 = 0
  /// The number of bits in the queue.
  package private(set) var count = 0

  package init() {}

  /// The bits in the queue as a number below two to the power of ``count``.
  package var rest: UInt32 { pending & (1 << UInt32(count) - 1) }

  /// Adds the lowest bits of a value. The queue must not exceed 24 bits afterwards.
  package mutating func append(_ value: UInt32, bits: Int) {
    pending = pending << UInt32(bits) | value
    count += bits
  }

  /// Removes the next bits and returns them as a number; nil if the queue has fewer.
  package mutating func next(_ bits: Int) -> UInt32? {
    guard count >= bits else { return nil }
    count -= bits
    return pending >> UInt32(count) & (1 << UInt32(bits) - 1)
  }
}
