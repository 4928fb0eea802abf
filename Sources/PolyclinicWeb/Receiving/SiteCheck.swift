/// Checks that a changing request comes from the portal's own pages, by headers that the browser
/// sets itself (Fetch Metadata, and the `Origin` header of RFC 6454).
///
/// It supplements ``AntiForgery``. Browsers before Safari 16.4 send no `Sec-Fetch-Site`, and
/// programs send neither header, so a missing header is accepted.
struct SiteCheck: Sendable {
  private let origin: String

  /// `origin` is the configured origin, such as `https://example.org:8443`.
  init(origin: String) { self.origin = Self.normalized(origin) }

  /// Returns false for a request from another site, or from another origin of the same site.
  func allows(method: String, fetchSite: String?, origin: String?) -> Bool {
    // These methods change nothing, and links from other sites are allowed.
    guard method != "GET", method != "HEAD" else { return true }
    // `none` means that the user acted in the browser itself, for example opened a bookmark.
    if let fetchSite, !["same-origin", "none"].contains(where: fetchSite.isIdentical) {
      return false
    }
    // A sandboxed page or a cross-site redirect sends `null`, which is refused too.
    if let origin, !Self.normalized(origin).isIdentical(to: self.origin) { return false }
    return true
  }

  /// Returns the origin in lower case, without the scheme's default port (RFC 6454, 4).
  private static func normalized(_ origin: String) -> String {
    // No origin is longer: a host name has at most 253 bytes (RFC 1035, 2.3.4).
    guard origin.utf8.count <= 300 else { return "" }
    let origin = origin.lowercased()
    if origin.hasPrefix("https://"), origin.hasSuffix(":443") { return String(origin.dropLast(4)) }
    if origin.hasPrefix("http://"), origin.hasSuffix(":80") { return String(origin.dropLast(3)) }
    return origin
  }
}
