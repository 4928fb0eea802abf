import PolyclinicSystem

extension [UInt8] {
  /// The bytes that a test writes in hexadecimal digits.
  init(hex: String) { self = .reading(hexadecimalText: hex.utf8) ?? [] }

  /// All variants of the bytes with one byte changed, the end missing, or one byte added.
  var damaged: [[UInt8]] {
    let flipped = indices.map { index in
      var copy = self
      copy[index] ^= 1
      return copy
    }
    return flipped + indices.map { Array(prefix($0)) } + [self + [0]]
  }
}
