extension UInt8 {
  /// True for `A–Z`, `a–z` and `0–9`.
  @inlinable package var isASCIILetterOrDigit: Bool {
    isASCIIDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
  }

  /// True for `0–9`.
  @inlinable package var isASCIIDigit: Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
  }
}
