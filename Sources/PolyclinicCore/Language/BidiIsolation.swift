/// Isolates an inserted value, so that it cannot reorder the sentence around it (Unicode UAX #9).
///
/// A Latin name inside a Hebrew sentence, or the reverse, draws neighbouring digits and punctuation
/// to its own side. The isolate prevents this; it begins with U+2068 (first strong isolate) and
/// ends with U+2069.
enum BidiIsolation {
  /// Returns the value without direction controls, isolated if its direction may differ from the
  /// language's.
  ///
  /// - English and Russian: a value with any right-to-left letter is isolated.
  /// - Hebrew: a value with anything but Hebrew letters and spaces is isolated, because digits and
  ///   signs (`+375 29…`) are reordered there as well.
  ///
  /// The value's own direction controls are removed, because they could end the isolate or reorder
  /// the text after it.
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
    return needsIsolate ? enclosed(String(plain)) : String(plain)
  }

  /// Returns a sentence with the isolates of its own values, isolated in Hebrew, where most values
  /// are.
  static func enclosed(_ sentence: String, in language: Language) -> String {
    language == .hebrew ? enclosed(sentence) : sentence
  }

  private static func enclosed(_ text: String) -> String { "\u{2068}\(text)\u{2069}" }

  /// True for embeddings, overrides and isolates; false for the harmless marks LRM, RLM and ALM.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
  }

  private static func isHebrew(_ scalar: Unicode.Scalar) -> Bool {
    (0x0591...0x05F4).contains(scalar.value)
  }

  /// True for the blocks whose letters have Bidi_Class R or AL (UAX #9, DerivedBidiClass.txt
  /// defaults), and for RLM and ALM, which act like such letters.
  private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0590...0x08FF, 0x200F, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x1_0800...0x1_0FFF,
      0x1_E800...0x1_EFFF:
      true
    default: false
    }
  }
}
