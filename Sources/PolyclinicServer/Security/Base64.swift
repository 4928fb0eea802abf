/// Base64 (RFC 4648) that reads back only what it would itself have written.
///
/// Foundation's decoder takes several texts for the same bytes, and its encoder leaves a key's text in
/// a `String` that cannot be wiped.
enum Base64 {
  case standard
  /// The standard alphabet without `=`, as in a PHC string.
  case unpadded
  /// `-` and `_` in place of `+` and `/`, without `=`: for URLs, cookies and form values.
  case url

  func encoded(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    // Three at a time, since each page has a token.
    let whole = bytes.count - bytes.count % 3
    for start in stride(from: 0, to: whole, by: 3) {
      let group =
        UInt32(bytes[start]) << 16 | UInt32(bytes[start + 1]) << 8 | UInt32(bytes[start + 2])
      text.append(character(group >> 18))
      text.append(character(group >> 12 & 63))
      text.append(character(group >> 6 & 63))
      text.append(character(group & 63))
    }
    var queue = BitQueue()
    for byte in bytes[whole...] {
      queue.append(UInt32(byte), bits: 8)
      while let value = queue.next(6) { text.append(character(value)) }
    }
    if queue.count > 0 { text.append(character(queue.rest << UInt32(6 - queue.count))) }
    if case .standard = self {
      while text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
    }
    return text
  }

  func text(_ bytes: [UInt8]) -> String { String(decoding: encoded(bytes), as: UTF8.self) }

  /// The bytes whose only text this is; nil for anything else.
  func decoded(_ text: some Collection<UInt8>) -> [UInt8]? {
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
    for character in digits {
      guard let value = value(of: character) else { return nil }
      queue.append(value, bits: 6)
      if let byte = queue.next(8) { bytes.append(UInt8(byte)) }
    }
    return queue.rest == 0 ? bytes : nil
  }

  private func character(_ value: UInt32) -> UInt8 {
    switch UInt8(value) {
    case let value where value < 26: UInt8(ascii: "A") + value
    case let value where value < 52: UInt8(ascii: "a") + value - 26
    case let value where value < 62: UInt8(ascii: "0") + value - 52
    case 62: isForURLs ? UInt8(ascii: "-") : UInt8(ascii: "+")
    default: isForURLs ? UInt8(ascii: "_") : UInt8(ascii: "/")
    }
  }

  private func value(of character: UInt8) -> UInt32? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a") + 26)
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0") + 52)
    case self.character(62): 62
    case self.character(63): 63
    default: nil
    }
  }

  private var isForURLs: Bool { if case .url = self { true } else { false } }
}
