/// Whether a request that changes something comes from the portal's own pages, by what the browser
/// itself says (Fetch Metadata, and the `Origin` header of RFC 6454).
///
/// It stands beside ``AntiForgery``, not in its place: browsers before Safari 16.4 send no
/// `Sec-Fetch-Site`, and programs send neither, so that their absence refuses nobody.
struct SiteCheck: Sendable {
  private let origin: String

  /// `origin` is the configured one, such as `https://example.org:8443`.
  init(origin: String) { self.origin = Self.normalized(origin) }

  /// False for a request from another site, or from another origin of the same site.
  func allows(method: String, fetchSite: String?, origin: String?) -> Bool {
    // These change nothing, and links from elsewhere are welcome.
    guard method != "GET", method != "HEAD" else { return true }
    // `none` is what the person did in the browser itself, such as opening a bookmark.
    if let fetchSite, !["same-origin", "none"].contains(where: fetchSite.isIdentical) {
      return false
    }
    // `null`, what a sandboxed page or a redirect from elsewhere sends, is not the portal either.
    if let origin, !Self.normalized(origin).isIdentical(to: self.origin) { return false }
    return true
  }

  /// Lower case and without the port that the scheme implies (RFC 6454, 4).
  private static func normalized(_ origin: String) -> String {
    // Longer than any origin: a host name has 253 bytes at most (RFC 1035, 2.3.4).
    guard origin.utf8.count <= 300 else { return "" }
    let origin = origin.lowercased()
    if origin.hasPrefix("https://"), origin.hasSuffix(":443") { return String(origin.dropLast(4)) }
    if origin.hasPrefix("http://"), origin.hasSuffix(":80") { return String(origin.dropLast(3)) }
    return origin
  }
}
