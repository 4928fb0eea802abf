/// The text encoding of HCERT (RFC 9285).
enum Base45 {
  private static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8)

  /// The value of each byte in the alphabet; 0xFF for a byte outside of it.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xFF, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()

  /// Returns the decoded bytes; nil if the text is invalid by the RFC.
  static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 3 * 2 + 1)
    for start in stride(from: text.startIndex, to: text.endIndex, by: 3) {
      let group = text[start...].prefix(3)
      var (value, weight) = (0, 1)
      for character in group {
        let digit = values[Int(character)]
        guard digit < 45 else { return nil }
        value += Int(digit) * weight
        weight *= 45
      }
      // Three characters encode two bytes, and two characters encode one.
      guard group.count > 1, value >> (8 * (group.count - 1)) == 0 else { return nil }
      if group.count == 3 { bytes.append(UInt8(value >> 8)) }
      bytes.append(UInt8(value & 0xFF))
    }
    return bytes
  }
}
