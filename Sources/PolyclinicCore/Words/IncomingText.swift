/// The entrance for text from outside: bytes that a browser, a program or a file sent become a `String`
/// here and nowhere else.
///
/// `String` compares, hashes and searches by normalized text, and normalizing puts a run of combining
/// marks in order by insertion. A run of 30 000 marks therefore costs about a second a comparison. Text
/// in Stream-Safe Text Format (UAX #15, section 13) has no run of more than 30, so that comparing it
/// takes time in proportion to its length.
public struct IncomingText: Sendable {
  /// The longest run of combining marks in text that passes (UAX #15, section 13, UAX15-D3).
  public static let longestRun = 30

  private let decoded: String
  /// The reason for which ``text`` is nil.
  public let fault: Fault?

  /// A reason to refuse text.
  public enum Fault: Error, Sendable, Equatable {
    /// The bytes are not UTF-8.
    case encoding
    /// More than ``IncomingText/longestRun`` combining marks follow one another.
    case combiningMarks
  }

  /// Reads the bytes, in time proportional to their number.
  public init(_ bytes: some Collection<UInt8>) {
    let whole = bytes.withContiguousStorageIfAvailable { IncomingText(reading: $0) }
    self = whole ?? Array(bytes).withUnsafeBufferPointer { IncomingText(reading: $0) }
  }

  private init(reading bytes: UnsafeBufferPointer<UInt8>) {
    decoded = String(decoding: bytes, as: UTF8.self)
    if bytes.allSatisfy({ $0 < 0x80 }) {
      fault = nil
    } else if !decoded.utf8.elementsEqual(bytes) {
      // `String(validating:)` says the same ten times slower, and every form passes here.
      fault = .encoding
    } else {
      fault = Self.isStreamSafe(decoded) ? nil : .combiningMarks
    }
  }

  /// The text; nil if it is refused.
  public var text: String? { fault == nil ? decoded : nil }

  /// The value of a field; nil if it is not UTF-8. Of too many combining marks one more than may stand
  /// there is left, so that the field refuses the value and its form comes back filled in.
  package var value: String? { fault == .encoding ? nil : repaired }

  /// The text with U+FFFD in place of what is not UTF-8, and with too many combining marks cut: for
  /// header fields that others set for this browser too, which must not lock anybody out.
  public var repaired: String {
    fault == nil || Self.isStreamSafe(decoded) ? decoded : Self.cut(decoded)
  }

  /// True if no run of combining marks is longer than ``longestRun``.
  static func isStreamSafe(_ text: String) -> Bool {
    var run = 0
    for scalar in text.unicodeScalars {
      run = scalar.isCombiningMark ? run + 1 : 0
      if run > longestRun { return false }
    }
    return true
  }

  private static func cut(_ text: String) -> String {
    var kept = String.UnicodeScalarView()
    var run = 0
    for scalar in text.unicodeScalars {
      run = scalar.isCombiningMark ? run + 1 : 0
      if run <= longestRun + 1 { kept.append(scalar) }
    }
    return String(kept)
  }
}

extension Unicode.Scalar {
  /// True if it is a combining mark (Unicode, General_Category M). Some of them have combining class 0
  /// and decompose into marks that have another, such as U+0F73, so that the class alone does not tell.
  var isCombiningMark: Bool {
    switch value {
    // Without a look into Unicode's tables: Latin, Greek, Cyrillic, Hebrew letters, punctuation, CJK.
    case 0..<0x300, 0x370..<0x483, 0x48A..<0x591, 0x5D0..<0x610, 0x2000..<0x20D0, 0x3100..<0xA66F:
      return false
    default:
      switch properties.generalCategory {
      case .nonspacingMark, .spacingMark, .enclosingMark: return true
      default: return false
      }
    }
  }
}

extension StringProtocol {
  /// True if both consist of the same bytes. Names, choices and codes are compared so: `==` takes text
  /// for equal that only looks the same, and normalizes all of a long one.
  package func isIdentical(to other: some StringProtocol) -> Bool {
    utf8.elementsEqual(other.utf8)
  }
}

extension String {
  /// As for any `StringProtocol`; compiled for texts themselves, because a list asks it for each row.
  package func isIdentical(to other: String) -> Bool {
    utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
  }
}
