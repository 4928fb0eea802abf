/// The alphabet of Base45 (RFC 9285), the text encoding of HCERT.
private let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8)

/// The value of each byte in the alphabet; 0xFF for a byte outside of it.
private let values: [UInt8] = {
  var values = [UInt8](repeating: 0xFF, count: 256)
  for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
  return values
}()

extension [UInt8] {
  /// Decodes Base45; nil if the text is invalid by the RFC.
  init?(base45 text: ArraySlice<UInt8>) {
    self = []
    reserveCapacity(text.count / 3 * 2 + 1)
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
      if group.count == 3 { append(UInt8(value >> 8)) }
      append(UInt8(value & 0xFF))
    }
  }
}
