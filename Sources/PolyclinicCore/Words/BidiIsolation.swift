/// Keeps an inserted value from scrambling the sentence around it (Unicode UAX #9).
///
/// A Latin name inside a Hebrew sentence, or the reverse, drags neighbouring digits and punctuation
/// to its own side. Between U+2068 (first strong isolate) and U+2069 it does not.
enum BidiIsolation {
  /// The value, isolated where its direction may differ from the language's.
  ///
  /// In English and Russian that is a value with any right-to-left letter; in Hebrew, anything but
  /// Hebrew letters and spaces, since digits and signs (`+375 29…`) are reordered there as well. A
  /// value's own direction marks are left out: they could end the isolate or turn what follows.
  static func isolated(_ value: String, in language: Language) -> String {
    var needsIsolate = false
    var hasControls = false
    for scalar in value.unicodeScalars {
      if isControl(scalar) {
        hasControls = true
      } else if language == .hebrew {
        needsIsolate = needsIsolate || !(isHebrew(scalar) || scalar == " ")
      } else {
        needsIsolate = needsIsolate || isRightToLeft(scalar)
      }
    }
    if !needsIsolate && !hasControls { return value }
    var plain = String.UnicodeScalarView()
    plain.append(contentsOf: value.unicodeScalars.lazy.filter { !isControl($0) })
    return needsIsolate ? "\u{2068}\(String(plain))\u{2069}" : String(plain)
  }

  /// Embeddings, overrides and isolates; the harmless marks LRM, RLM and ALM are none of them.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
  }

  private static func isHebrew(_ scalar: Unicode.Scalar) -> Bool {
    (0x0591...0x05F4).contains(scalar.value)
  }

  /// The blocks whose letters are of Bidi_Class R or AL (UAX #9, DerivedBidiClass.txt defaults), and
  /// RLM and ALM, which act like such letters.
  private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0590...0x08FF, 0x200F, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x1_0800...0x1_0FFF,
      0x1_E800...0x1_EFFF:
      true
    default: false
    }
  }
}
