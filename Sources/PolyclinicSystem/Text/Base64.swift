/// Base64 (RFC 4648) with a strict decoder, which accepts only the text that the encoder produces.
///
/// Foundation's decoder accepts several texts for the same bytes, and its encoder returns a key in
/// a `String`, which cannot be wiped.
package enum Base64 {
  case standard
  /// The standard alphabet without `=`, as in a PHC string.
  case unpadded
  /// `-` and `_` in place of `+` and `/`, without `=`: for URLs, cookies and form values.
  case url

  package func encoded(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    let alphabet = alphabet.utf8Start
    // Three bytes at a time, for speed, because each page has a token.
    let whole = bytes.count - bytes.count % 3
    for start in stride(from: 0, to: whole, by: 3) {
      let group =
        UInt32(bytes[start]) << 16 | UInt32(bytes[start + 1]) << 8 | UInt32(bytes[start + 2])
      text.append(alphabet[Int(group >> 18)])
      text.append(alphabet[Int(group >> 12 & 63)])
      text.append(alphabet[Int(group >> 6 & 63)])
      text.append(alphabet[Int(group & 63)])
    }
    var queue = BitQueue()
    for byte in bytes[whole...] {
      queue.append(UInt32(byte), bits: 8)
      while let value = queue.next(6) { text.append(alphabet[Int(value)]) }
    }
    if queue.count > 0 { text.append(alphabet[Int(queue.rest << UInt32(6 - queue.count))]) }
    if case .standard = self {
      while text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
    }
    return text
  }

  package func text(_ bytes: [UInt8]) -> String { String(decoding: encoded(bytes), as: UTF8.self) }

  /// Returns the decoded bytes; nil if the text is not their only encoding.
  package func decoded(_ text: String) -> [UInt8]? {
    var text = text
    return text.withUTF8(decoded)
  }

  /// Returns the decoded bytes; nil if the text is not their only encoding.
  package func decoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    text.withUnsafeBufferPointer(decoded)
  }

  private func decoded(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var digits = text[...]
    if case .standard = self {
      guard text.count % 4 == 0 else { return nil }
      for character in text.suffix(2) where character == UInt8(ascii: "=") {
        digits = digits.dropLast()
      }
    }
    guard digits.count % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 4 * 3 + 2)
    var queue = BitQueue()
    let values = isForURLs ? Self.valuesForURLs : Self.values
    for character in digits {
      let value = values[Int(character)]
      if value == Self.nothing { return nil }
      queue.append(UInt32(value), bits: 6)
      if let byte = queue.next(8) { bytes.append(UInt8(byte)) }
    }
    return queue.rest == 0 ? bytes : nil
  }

  /// A lookup table, because the encoded bytes are random, and branches on them would be
  /// mispredicted.
  private var alphabet: StaticString {
    isForURLs
      ? "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
      : "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
  }

  /// The value of each byte; 64 for bytes outside the alphabet.
  private static let (valuesForURLs, values) = (Base64.url.inverse, Base64.standard.inverse)
  private static let nothing: UInt8 = 64

  private var inverse: [UInt8] {
    var values = [UInt8](repeating: Self.nothing, count: 256)
    for value in 0..<64 { values[Int(alphabet.utf8Start[value])] = UInt8(value) }
    return values
  }

  private var isForURLs: Bool { if case .url = self { true } else { false } }
}
