import Foundation

/// The separators of positive numbers in a language.
///
/// Pages with tables format a thousand numbers, and Foundation takes microseconds for each.
struct NumberPattern: Sendable, Equatable {
  /// The separator between groups of three digits.
  let thousands: [UInt8]
  /// The separator before the fraction.
  let decimal: [UInt8]

  /// Takes the separators from a sample; nil if the language does not group digits by three.
  init?(_ style: FloatingPointFormatStyle<Double>) {
    let sample = 1_234_567.5.formatted(style)
    let separators = sample.split(whereSeparator: \.isNumber).map { Array($0.utf8) }
    let digits = sample.split { !$0.isNumber }
    guard digits == ["1", "234", "567", "5"], separators.count == 3, separators[0] == separators[1]
    else { return nil }
    (thousands, decimal) = (separators[0], separators[2])
  }

  /// Returns a number such as 1,234; nil for a negative number.
  func string(_ value: Int) -> String? {
    value < 0 ? nil : string(value, fractionDigits: 0)
  }

  /// Returns a number such as 1,234.5, rounded half to even.
  ///
  /// Nil if the number is negative, has more than nine digits, or is so near to a half that
  /// multiplication could change the direction of rounding.
  func string(_ value: Double, fractionDigits: Int) -> String? {
    guard value.sign == .plus, (0...2).contains(fractionDigits) else { return nil }
    let scaled = value * [1, 10, 100][fractionDigits]
    let rounded = scaled.rounded()
    guard rounded < 1e9, abs(abs(scaled - rounded) - 0.5) > 1e-6 else { return nil }
    return string(Int(rounded), fractionDigits: fractionDigits)
  }

  /// Returns the number's digits, the last `fractionDigits` of them after the decimal separator.
  private func string(_ value: Int, fractionDigits: Int) -> String {
    // Capacity for twenty digits, and at most four bytes for each separator.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { bytes in
      var start = bytes.endIndex
      func put(_ byte: UInt8) {
        start -= 1
        bytes[start] = byte
      }
      var (rest, place) = (value, -fractionDigits)
      repeat {
        if place == 0 && fractionDigits > 0 { decimal.reversed().forEach(put) }
        if place > 0 && place % 3 == 0 { thousands.reversed().forEach(put) }
        put(UInt8(ascii: "0") + UInt8(rest % 10))
        rest /= 10
        place += 1
      } while rest > 0 || place <= 0
      return String(decoding: bytes[start...], as: UTF8.self)
    }
  }
}
