extension Double {
  /// Parses a number that a person wrote, in the digits of any script: `72.5`, `72,5`, `٧٢٫٥`,
  /// `−5`.
  ///
  /// Nil if the text is not a finite number, for example `NaN` or `1e309`, or has more than 30
  /// Unicode scalars. At most one separator is accepted, and it is the decimal separator. Grouping
  /// is not supported, because `1,234` is a thousand times as much in some countries as in others.
  public init?(written text: String) {
    guard let number = plainNumber(text).flatMap({ Double($0) }), number.isFinite
    else { return nil }
    self = number
  }
}

extension Int {
  /// Parses a whole number that a person wrote, as ``Swift/Double/init(written:)``.
  public init?(written text: String) {
    guard let number = plainNumber(text).flatMap({ Int($0) }) else { return nil }
    self = number
  }
}

/// Returns the number in ASCII: an optional minus, digits, and at most one point followed by
/// digits.
private func plainNumber(_ text: String) -> String? {
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
