import PolyclinicCryptography
import PolyclinicSystem

/// An encoding of bytes as lines that a person can copy by hand. It uses Crockford's base 32, which
/// has no I, L, O or U, in groups of four. Each line has its number in front and a check at the
/// end.
///
/// ```
/// 1-2  7YQ0 3HTD 9M2K XRA4  check 5WEN
/// ```
///
/// The check is 20 bits of the SHA-256 of label and digits. It misses one in a million mistyped
/// lines, and detects a line in the wrong place.
enum SheetCode {
  private static let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
  /// The number of digits in a line, without the check.
  static let lineLength = 16
  private static let checkLength = 4

  /// Encodes bytes, ten to a line. Their number must be a multiple of ten.
  static func lines(_ bytes: [UInt8], number: Int) -> [String] {
    stride(from: 0, to: bytes.count, by: 10).enumerated().map { index, start in
      let label = "\(number)-\(index + 1)"
      let text = encoded(bytes[start..<(start + 10)])
      let groups = stride(from: 0, to: lineLength, by: 4).map {
        String(text.dropFirst($0).prefix(4))
      }
      return "\(label)  \(groups.joined(separator: " "))  check \(check(label, text))"
    }
  }

  /// Decodes the ten bytes of a typed line, given its label. Throws ``RecoverySheetError``.
  static func bytes(ofLine label: String, _ typed: Substring) throws(RecoverySheetError) -> [UInt8]
  {
    let text = canonical(typed)
    guard text.count == lineLength + checkLength else {
      throw .wrongLength(line: label, count: text.count, of: lineLength + checkLength)
    }
    let values = text.compactMap { digits.firstIndex(of: $0) }
    let line = String(decoding: text.prefix(lineLength), as: UTF8.self)
    guard values.count == text.count,
      check(label, line).utf8.elementsEqual(text.suffix(checkLength))
    else { throw .mistyped(line: label) }
    return decoded(values.prefix(lineLength))
  }

  /// Returns the digits of the typed text, with ambiguous letters corrected.
  static func canonical(_ typed: Substring) -> [UInt8] {
    typed.uppercased().replacing("CHECK", with: "").unicodeScalars.compactMap(digit)
  }

  /// Returns the digit for a typed character; nil for a separator.
  private static func digit(_ scalar: Unicode.Scalar) -> UInt8? {
    switch scalar {
    case "O": UInt8(ascii: "0")
    case "I", "L": UInt8(ascii: "1")
    case " ", "\t", "-", "\r", ":", ".": nil
    default: scalar.isASCII ? UInt8(scalar.value) : UInt8(ascii: "?")
    }
  }

  static func check(_ label: String, _ text: String) -> String {
    let digest = SHA256.digest(of: "polyclinic sheet \(label) \(text)".utf8)
    return String(encoded(Array(digest.prefix(5))[...]).prefix(checkLength))
  }

  private static func encoded(_ bytes: ArraySlice<UInt8>) -> String {
    var text: [UInt8] = []
    var queue = BitQueue()
    for byte in bytes {
      queue.append(UInt32(byte), bits: 8)
      while let value = queue.next(5) { text.append(digits[Int(value)]) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func decoded(_ values: ArraySlice<Int>) -> [UInt8] {
    var bytes: [UInt8] = []
    var queue = BitQueue()
    for value in values {
      queue.append(UInt32(value), bits: 5)
      if let byte = queue.next(8) { bytes.append(UInt8(byte)) }
    }
    return bytes
  }
}
