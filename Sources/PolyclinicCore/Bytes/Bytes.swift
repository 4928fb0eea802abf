extension [UInt8] {
  /// Appends the literal's UTF-8 without creating a `String`.
  package mutating func append(_ literal: StaticString) {
    literal.withUTF8Buffer { append(contentsOf: $0) }
  }

  /// Appends a part and returns its range.
  package mutating func place(_ part: some Collection<UInt8>) -> Range<Int> {
    let start = count
    append(contentsOf: part)
    return start..<count
  }

  /// Appends the number in decimal digits.
  package mutating func append(decimal value: Int64) { append(contentsOf: String(value).utf8) }
}
