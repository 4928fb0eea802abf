import Foundation

/// Returns a text in the form used for searching and sorting, without case, accents, width and
/// spacing.
///
/// - Letters lose accents and strokes (é, ё, ł, ø); Hebrew and Arabic letters lose their points.
/// - Ligatures are decomposed (ß, æ, ﬁ), and every Turkish i becomes i.
/// - Digits of any script become ASCII digits, dashes become `-`, apostrophes become `'`.
/// - Other punctuation beyond ASCII and all white space become one blank; blanks at the ends are
///   removed.
///
/// Folding is idempotent.
public func folded(_ text: String) -> String {
  String(decoding: foldedBytes(text), as: UTF8.self)
}

/// The UTF-8 of ``folded(_:)``.
package func foldedBytes(_ text: String) -> [UInt8] {
  let text = cut(text)
  var folding = Folding(capacity: text.utf8.count)
  if folding.appendSimply(text) { return folding.finished }
  folding = Folding(capacity: text.utf8.count)
  // Compatibility decomposition separates accents from letters, and takes width and ligatures
  // apart.
  for scalar in text.decomposedStringWithCompatibilityMapping.unicodeScalars {
    folding.append(scalar)
  }
  return folding.finished
}

/// Returns the first 1,000 Unicode scalars of a text.
///
/// Texts to search for or look up are never longer, and ordering thousands of combining marks takes
/// quadratic time.
private func cut(_ text: String) -> String {
  let limit = 1_000
  // Each scalar has at least one byte, so a text of few bytes need not be counted.
  if text.utf8.count <= limit { return text }
  return String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit)))
}

/// The folded bytes of a text under construction.
private struct Folding {
  private var bytes: [UInt8] = []
  private var owesBlank = false

  init(capacity: Int) { bytes.reserveCapacity(capacity) }

  var finished: [UInt8] { bytes }

  /// Folds ASCII, Hebrew letters and the Cyrillic of Russian and its neighbours without Unicode's
  /// tables.
  ///
  /// Returns false for a text with any other scalar; the bytes must then be discarded.
  mutating func appendSimply(_ text: String) -> Bool {
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0..<0x80: append(ascii: UInt8(scalar.value))
      case 0x05D0...0x05EA: put(scalar)
      case 0x0400...0x045F:
        guard let plain = Self.plainCyrillic(scalar.value) else { return false }
        put(plain)
      default: return false
      }
    }
    return true
  }

  /// Folds one scalar of a decomposed text.
  mutating func append(_ scalar: Unicode.Scalar) {
    if scalar.isASCII { return append(ascii: UInt8(scalar.value)) }
    let properties = scalar.properties
    if Self.isAccent(properties.canonicalCombiningClass.rawValue) { return }
    if Self.isApostrophe(scalar) { return put("'") }
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter:
      for lower in properties.lowercaseMapping.unicodeScalars { append(letter: lower) }
    case .decimalNumber:
      put(Unicode.Scalar(UInt8(ascii: "0") + UInt8(properties.numericValue ?? 0)))
    case .dashPunctuation: put("-")
    case .format: break
    case .spaceSeparator, .lineSeparator, .paragraphSeparator, .control, .openPunctuation,
      .closePunctuation, .initialPunctuation, .finalPunctuation, .otherPunctuation,
      .connectorPunctuation, .modifierSymbol:
      owesBlank = true
    default: put(scalar)
    }
  }

  private mutating func append(letter: Unicode.Scalar) {
    if let plain = Self.plainLetter(letter) {
      for scalar in plain.unicodeScalars { put(scalar) }
    } else {
      put(letter)
    }
  }

  private mutating func append(ascii byte: UInt8) {
    switch byte {
    case 0...0x20, 0x7F: owesBlank = true
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): put(Unicode.Scalar(byte | 0x20))
    case UInt8(ascii: "`"): put("'")
    default: put(Unicode.Scalar(byte))
    }
  }

  private mutating func put(_ scalar: Unicode.Scalar) {
    if owesBlank && !bytes.isEmpty { bytes.append(UInt8(ascii: " ")) }
    owesBlank = false
    bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
  }

  /// True for the combining classes (Unicode, DerivedCombiningClass.txt) of overlaid strokes, of
  /// Hebrew, Arabic and Syriac points, and of accents. Vowel signs, viramas and tone marks are
  /// kept, because they are as significant as letters.
  private static func isAccent(_ combiningClass: UInt8) -> Bool {
    combiningClass == 1 || (10...36).contains(combiningClass) || combiningClass >= 200
  }

  private static func isApostrophe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x02B9, 0x02BB...0x02BD, 0x02C8, 0x05F3, 0x2018...0x201B, 0x2032: true
    default: false
    }
  }

  /// Returns the replacement of a letter that Unicode does not decompose.
  private static func plainLetter(_ scalar: Unicode.Scalar) -> String? {
    switch scalar {
    case "ß": "ss"
    case "æ": "ae"
    case "œ": "oe"
    case "ø": "o"
    case "ł": "l"
    case "đ", "ð": "d"
    case "ħ": "h"
    case "ŧ": "t"
    case "þ": "th"
    case "ı": "i"
    case "ς": "σ"
    default: nil
    }
  }

  /// Returns the lowercase letter without its accent, for U+0400 to U+045F.
  private static func plainCyrillic(_ value: UInt32) -> Unicode.Scalar? {
    let small = value < 0x0410 ? value + 0x50 : value < 0x0430 ? value + 0x20 : value
    return switch small {
    case 0x0450, 0x0451: "е"
    case 0x0439, 0x045D: "и"
    case 0x0453: "г"
    case 0x0457: "і"
    case 0x045C: "к"
    case 0x045E: "у"
    default: Unicode.Scalar(small)
    }
  }
}
