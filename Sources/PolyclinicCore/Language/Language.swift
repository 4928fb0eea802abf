/// A language of the portal's pages and messages.
public enum Language: String, CaseIterable, Sendable {
  /// English, written from left to right.
  case english = "en"
  /// Russian, written from left to right.
  case russian = "ru"
  /// Hebrew, written from right to left.
  case hebrew = "he"

  /// The language's BCP 47 tag.
  public var code: String { rawValue }

  /// The language's name in the language itself.
  public var name: String {
    switch self {
    case .english: "English"
    case .russian: "Русский"
    case .hebrew: "עברית"
    }
  }

  /// The value of HTML's `dir` attribute.
  public var direction: StaticString { self == .hebrew ? "rtl" : "ltr" }

  /// Returns the best of the offered languages for an `Accept-Language` header (RFC 9110, 12.5.4).
  ///
  /// Ranges match by their primary subtag, and the older code `iw` means Hebrew. Nil if no offered
  /// language is accepted.
  public static func preferred(_ header: String, among offered: [Language]) -> Language? {
    var best: (language: Language, quality: Double)?
    // Parsed as bytes, because each request has such a header.
    for range in header.utf8.split(separator: UInt8(ascii: ",")).prefix(32) {
      let tag = range.prefix { $0 != UInt8(ascii: ";") }
      let quality = quality(of: range.dropFirst(tag.count))
      guard quality > 0, quality > best?.quality ?? 0 else { continue }
      if let language = language(of: tag, among: offered) { best = (language, quality) }
    }
    return best?.language
  }

  /// Returns the weight among a range's parameters; 1 if there is none, 0 if it is not a number.
  private static func quality(of parameters: Substring.UTF8View) -> Double {
    if parameters.isEmpty { return 1 }
    let plain = String(Substring(parameters)).filter { $0 != " " }
    let weight = plain.split(separator: ";").first { $0.hasPrefix("q=") }
    return weight.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
  }

  private static func language(
    of tag: Substring.UTF8View, among offered: [Language]
  ) -> Language? {
    let trimmed = tag.drop { $0 == UInt8(ascii: " ") }
    let primary = trimmed.prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: " ") }
    if primary.elementsEqual("*".utf8) { return offered.first }
    func isPrimary(_ code: String) -> Bool {
      primary.elementsEqual(code.utf8) { $0 | 0x20 == $1 }
    }
    return offered.first { isPrimary($0.code) || ($0 == .hebrew && isPrimary("iw")) }
  }
}
