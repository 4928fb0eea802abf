import Foundation

/// A text as searching and sorting see it: blind to case, accents, width and spacing.
///
/// Letters with accents or strokes lose them (é, ё, ł, ø), Hebrew and Arabic lose their points,
/// ligatures come apart (ß, æ, ﬁ), every Turkish i is an i, digits of any script are ASCII's. Dashes
/// become `-`, apostrophes `'`, other punctuation beyond ASCII and all white space one blank; none is
/// left at the ends. Folding again changes nothing.
public func folded(_ text: String) -> String {
  String(decoding: foldedBytes(text), as: UTF8.self)
}

/// The UTF-8 of ``folded(_:)``.
func foldedBytes(_ text: String) -> [UInt8] {
  let text = cut(text)
  var folding = Folding(capacity: text.utf8.count)
  if folding.appendSimply(text) { return folding.finished }
  folding = Folding(capacity: text.utf8.count)
  // Compatibility decomposition takes accents off their letters, and width and ligatures apart.
  for scalar in text.decomposedStringWithCompatibilityMapping.unicodeScalars {
    folding.append(scalar)
  }
  return folding.finished
}

/// The beginning of a text that is worth folding. Nothing that is searched for or looked up is longer,
/// and putting thousands of combining marks in their order takes quadratic time.
private func cut(_ text: String) -> String {
  let limit = 1_000
  // No scalar takes more than four bytes, so a short text need not be counted.
  if text.utf8.count <= limit { return text }
  return String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit)))
}

/// The bytes of a folded text while it is being folded.
private struct Folding {
  private var bytes: [UInt8] = []
  private var owesBlank = false

  init(capacity: Int) { bytes.reserveCapacity(capacity) }

  var finished: [UInt8] { bytes }

  /// Folds ASCII, Hebrew letters and the Cyrillic of Russian and its neighbours without a look into
  /// Unicode's tables; false, with bytes to throw away, when there is anything else in the text.
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

  /// Folds a scalar of a decomposed text.
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

  /// The combining classes (Unicode, DerivedCombiningClass.txt) of overlaid strokes, of Hebrew, Arabic
  /// and Syriac points, and of accents; vowel signs, viramas and tone marks are letters' equals.
  private static func isAccent(_ combiningClass: UInt8) -> Bool {
    combiningClass == 1 || (10...36).contains(combiningClass) || combiningClass >= 200
  }

  private static func isApostrophe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x02B9, 0x02BB...0x02BD, 0x02C8, 0x05F3, 0x2018...0x201B, 0x2032: true
    default: false
    }
  }

  /// What no decomposition takes apart.
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

  /// The small letter without its accent, for U+0400 to U+045F.
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
