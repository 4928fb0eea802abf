/// The text encoding of HCERT (RFC 9285).
enum Base45 {
  private static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8)

  /// The value of each byte in the alphabet; 0xFF for a byte outside of it.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xFF, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()

  /// Returns the bytes that the text stands for; nil if the RFC does not allow the text.
  static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 3 * 2 + 1)
    var rest = text
    while !rest.isEmpty {
      let group = rest.prefix(3).map { UInt32(values[Int($0)]) }
      rest = rest.dropFirst(3)
      guard group.count > 1, group.allSatisfy({ $0 < 45 }) else { return nil }
      let value = group.reversed().reduce(0) { $0 * 45 + $1 }
      guard value <= (group.count == 3 ? 0xFFFF : 0xFF) else { return nil }
      if group.count == 3 { bytes.append(UInt8(value >> 8)) }
      bytes.append(UInt8(value & 0xFF))
    }
    return bytes
  }
}
