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
  mutating func append(decimal value: Int64) {
    withDecimalDigits(of: value) { append(contentsOf: $0) }
  }
}

/// Lends the number's digits in ASCII, with a minus before those of a negative one.
func withDecimalDigits<Value>(
  of value: Int64, _ body: (Swift.Slice<UnsafeMutableBufferPointer<UInt8>>) -> Value
) -> Value {
  withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
    var rest = value.magnitude
    var start = 20
    repeat {
      start -= 1
      digits[start] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    } while rest > 0
    if value < 0 {
      start -= 1
      digits[start] = UInt8(ascii: "-")
    }
    return body(digits[start...])
  }
}
