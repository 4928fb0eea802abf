/// A language that the portal speaks.
public enum Language: String, CaseIterable, Sendable {
  /// English, from left to right.
  case english = "en"
  /// Russian, from left to right.
  case russian = "ru"
  /// Hebrew, from right to left.
  case hebrew = "he"

  /// The BCP 47 tag.
  public var code: String { rawValue }

  /// Its name in itself.
  public var name: String {
    switch self {
    case .english: "English"
    case .russian: "Русский"
    case .hebrew: "עברית"
    }
  }

  /// The value of `dir` in HTML.
  public var direction: StaticString { self == .hebrew ? "rtl" : "ltr" }

  /// The best of the offered languages for an `Accept-Language` header (RFC 9110, 12.5.4).
  ///
  /// Ranges match by their primary subtag; `iw`, the older code, means Hebrew. Nil when none is accepted.
  public static func preferred(_ header: String, among offered: [Language]) -> Language? {
    var best: (language: Language, quality: Double)?
    for range in header.utf8.split(separator: UInt8(ascii: ",")).prefix(32) {
      // Looked at as bytes, since each request has such a header.
      let parts = range.split(separator: UInt8(ascii: ";")).map { part in
        String(decoding: part.filter { $0 != UInt8(ascii: " ") }, as: UTF8.self)
      }
      guard let tag = parts.first else { continue }
      let weight = parts.dropFirst().first { $0.hasPrefix("q=") }
      let quality = weight.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
      guard quality > 0, quality > best?.quality ?? 0 else { continue }
      if let language = language(of: tag, among: offered) { best = (language, quality) }
    }
    return best?.language
  }

  private static func language(of tag: String, among offered: [Language]) -> Language? {
    if tag == "*" { return offered.first }
    let primary = String(Substring(tag.utf8.prefix { $0 != UInt8(ascii: "-") })).lowercased()
    return offered.first { $0.code == primary || ($0 == .hebrew && primary == "iw") }
  }
}
