extension [UInt8] {
  /// Two lower-case digits for each byte.
  package var hexadecimalText: String {
    let digits = [Character]("0123456789abcdef")
    return String(flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }

  /// Returns the bytes of pairs of hexadecimal digits; nil for any other text.
  package static func reading(hexadecimalText text: some Collection<UInt8>) -> [UInt8]? {
    let digits = text.map { Character(UnicodeScalar($0)).hexDigitValue }
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[index], let low = digits[index + 1] else { return nil }
      bytes.append(UInt8(high << 4 | low))
    }
    return bytes
  }
}
