/// The entry point for untrusted text: bytes from a browser, a program or a file become a `String`
/// only here.
///
/// `String` compares, hashes and searches by normalized text, and normalizing sorts a run of
/// combining marks by insertion. A run of 30 000 marks therefore costs about a second for each
/// comparison. Text in Stream-Safe Text Format (UAX #15, section 13) has no run of more than 30
/// marks, so comparing it takes linear time.
public struct IncomingText: Sendable {
  /// The longest run of combining marks in accepted text (UAX #15, section 13, UAX15-D3).
  public static let longestRun = 30
  /// The maximum length in bytes of the name of a field, a JSON member or a column: several times
  /// the longest name of any form.
  package static let nameLimit = 200

  private let decoded: String
  /// The reason for which ``text`` is nil; nil if the text is accepted.
  public let fault: Fault?

  /// A reason to refuse text.
  public enum Fault: Error, Sendable, Equatable {
    /// The bytes are not UTF-8.
    case encoding
    /// A character is U+0000, which PostgreSQL stores in no text.
    case null
    /// More than ``IncomingText/longestRun`` combining marks follow one another.
    case combiningMarks
  }

  /// Decodes and checks bytes in linear time.
  public init(_ bytes: some Collection<UInt8>) {
    let whole = bytes.withContiguousStorageIfAvailable { IncomingText(reading: $0) }
    self = whole ?? Array(bytes).withUnsafeBufferPointer { IncomingText(reading: $0) }
  }

  private init(reading bytes: UnsafeBufferPointer<UInt8>) {
    decoded = String(decoding: bytes, as: UTF8.self)
    if bytes.allSatisfy({ (1..<0x80).contains($0) }) {
      fault = nil
    } else if !decoded.utf8.elementsEqual(bytes) {
      // `String(validating:)` finds the same errors but takes ten times as long, and each form is
      // checked here.
      fault = .encoding
    } else if bytes.contains(0) {
      fault = .null
    } else {
      fault = Self.isStreamSafe(decoded) ? nil : .combiningMarks
    }
  }

  /// The text; nil if it is refused.
  public var text: String? { fault == nil ? decoded : nil }

  /// The value of a form field; nil if it is not UTF-8.
  ///
  /// A run of too many combining marks is cut to one more than ``longestRun``, and U+0000 becomes
  /// U+0001. The field still refuses the value, and its form can be shown again with it.
  package var value: String? { fault == .encoding ? nil : repaired(null: "\u{1}") }

  /// The text with U+FFFD in place of invalid UTF-8 and of U+0000, and with overlong runs of
  /// combining marks cut.
  ///
  /// For header fields that other parties can also set in this browser: a faulty one must not lock
  /// the visitor out.
  public var repaired: String { repaired(null: "\u{FFFD}") }

  /// True if no run of combining marks is longer than ``longestRun``.
  static func isStreamSafe(_ text: String) -> Bool {
    var run = 0
    for scalar in text.unicodeScalars {
      run = scalar.isCombiningMark ? run + 1 : 0
      if run > longestRun { return false }
    }
    return true
  }

  private func repaired(null replacement: Unicode.Scalar) -> String {
    if fault == nil { return decoded }
    var kept = String.UnicodeScalarView()
    var run = 0
    for scalar in decoded.unicodeScalars {
      run = scalar.isCombiningMark ? run + 1 : 0
      if run <= Self.longestRun + 1 { kept.append(scalar == "\0" ? replacement : scalar) }
    }
    return String(kept)
  }
}

extension Unicode.Scalar {
  /// True if it is a combining mark (Unicode, General_Category M).
  ///
  /// The combining class alone is not enough: some marks of class 0, such as U+0F73, decompose into
  /// marks of another class.
  var isCombiningMark: Bool {
    switch value {
    // Latin, Greek, Cyrillic, Hebrew letters, punctuation and CJK, without a lookup in Unicode's
    // tables.
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
  /// True if both consist of the same bytes.
  ///
  /// Names, choices and codes are compared with this instead of `==`, which normalizes all of a
  /// long text and treats canonically equivalent texts as equal.
  package func isIdentical(to other: some StringProtocol) -> Bool {
    utf8.elementsEqual(other.utf8)
  }
}

extension String {
  /// True if both consist of the same bytes.
  ///
  /// This overload compares the stored bytes, because lists call it for each row and forms for each
  /// field.
  package func isIdentical(to other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    let isIdentical = utf8.withContiguousStorageIfAvailable { bytes in
      other.utf8.withContiguousStorageIfAvailable(bytes.elementsEqual)
    }
    return (isIdentical ?? nil) ?? utf8.elementsEqual(other.utf8)
  }
}
