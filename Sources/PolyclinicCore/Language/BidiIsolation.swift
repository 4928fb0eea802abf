/// Isolates an inserted value, so that it cannot reorder the sentence around it (Unicode UAX #9).
///
/// A Latin name inside a Hebrew sentence, or the reverse, draws neighbouring digits and punctuation
/// to its own side. The isolate prevents this; it begins with U+2068 (first strong isolate) and
/// ends with U+2069.
extension String {
  /// Returns the value without direction controls, isolated if its direction may differ from the
  /// language's.
  ///
  /// - English and Russian: a value with any right-to-left letter is isolated.
  /// - Hebrew: a value with anything but Hebrew letters and spaces is isolated, because digits and
  ///   signs (`+375 29…`) are reordered there as well.
  ///
  /// The value's own direction controls are removed, because they could end the isolate or reorder
  /// the text after it.
  func isolated(in language: Language) -> String {
    var needsIsolate = false
    var hasControls = false
    for scalar in unicodeScalars {
      if scalar.isBidiControl {
        hasControls = true
      } else if language == .hebrew {
        needsIsolate = needsIsolate || !(scalar.isHebrew || scalar == " ")
      } else {
        needsIsolate = needsIsolate || scalar.isRightToLeft
      }
    }
    if !needsIsolate && !hasControls { return self }
    var plain = String.UnicodeScalarView()
    plain.append(contentsOf: unicodeScalars.lazy.filter { !$0.isBidiControl })
    return needsIsolate ? String(plain).enclosed : String(plain)
  }

  /// Returns this sentence with the isolates of its own values, isolated in Hebrew, where most
  /// values are.
  func enclosed(in language: Language) -> String { language == .hebrew ? enclosed : self }

  private var enclosed: String { "\u{2068}\(self)\u{2069}" }
}

extension Unicode.Scalar {
  /// True for embeddings, overrides and isolates; false for the harmless marks LRM, RLM and ALM.
  fileprivate var isBidiControl: Bool {
    (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
  }

  fileprivate var isHebrew: Bool {
    (0x0591...0x05F4).contains(value)
  }

  /// True for the blocks whose letters have Bidi_Class R or AL (UAX #9, DerivedBidiClass.txt
  /// defaults), and for RLM and ALM, which act like such letters.
  fileprivate var isRightToLeft: Bool {
    switch value {
    case 0x0590...0x08FF, 0x200F, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x1_0800...0x1_0FFF,
      0x1_E800...0x1_EFFF:
      true
    default: false
    }
  }
}
