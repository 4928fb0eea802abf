/// Reads numbers as people write them, in the digits of any script: `72.5`, `72,5`, `٧٢٫٥`, `−5`.
///
/// There is one separator at most, and it is the decimal one: nothing is grouped, since `1,234` is
/// one thing here and a thousand times as much there.
public enum WrittenNumber {
  /// The number; nil if it is not one, as with `NaN` and `1e309`. At most 30 characters are looked
  /// at.
  public static func decimal(_ text: String) -> Double? {
    guard let plain = plain(text) else { return nil }
    return Double(plain).flatMap { $0.isFinite ? $0 : nil }
  }

  /// The whole number; nil if it is not one.
  public static func integer(_ text: String) -> Int? {
    plain(text).flatMap { Int($0) }
  }

  /// In ASCII: an optional minus, digits, and a point with digits where there is one.
  private static func plain(_ text: String) -> String? {
    var plain = ""
    var hasSeparator = false
    for scalar in text.unicodeScalars.prefix(31) {
      switch scalar {
      case "-", "\u{2212}":
        guard plain.isEmpty else { return nil }
        plain.append("-")
      case ".", ",", "\u{66B}":
        guard !hasSeparator, plain.last?.isNumber == true else { return nil }
        hasSeparator = true
        plain.append(".")
      default:
        guard scalar.properties.numericType == .decimal,
          let value = scalar.properties.numericValue
        else { return nil }
        plain.append(String(Int(value)))
      }
    }
    guard plain.last?.isNumber == true, text.unicodeScalars.count <= 30 else { return nil }
    return plain
  }
}
