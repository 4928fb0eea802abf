extension [UInt8] {
  /// Appends the literal's UTF-8 without making a `String` of it.
  mutating func append(_ literal: StaticString) {
    literal.withUTF8Buffer { append(contentsOf: $0) }
  }

  /// Appends a part, and says where it stands.
  public mutating func place(_ part: some Collection<UInt8>) -> Range<Int> {
    let start = count
    append(contentsOf: part)
    return start..<count
  }

  /// Appends the number in decimal digits.
  mutating func append(decimal value: Int64) { append(contentsOf: String(value).utf8) }
}
