import PolyclinicCore

/// The portal's own cookies, and their `Set-Cookie` headers (RFC 6265).
package enum Cookies {
  /// The session of a signed-in visitor.
  package static let session = "__Host-session"
  /// The language of a visitor who is not signed in. The web server's error pages read it too.
  package static let language = "__Host-language"

  /// The key of the text that the next page shows once, after a change.
  static let outcome = "__Host-outcome"
  /// The time within which the next page shows it.
  static let outcomeAge = Seconds.minutes(1)

  /// Returns a `Set-Cookie` value. The cookie is hidden from scripts and omitted from other sites'
  /// forms.
  ///
  /// It expires after `age`, or with the browser session if `age` is nil.
  package static func set(_ name: String, _ value: String, age: Seconds? = nil) -> String {
    let stays = age.map { "; Max-Age=\($0.count)" } ?? ""
    return "\(name)=\(value); Path=/; Secure; HttpOnly; SameSite=Lax\(stays)"
  }

  static func removing(_ name: String) -> String {
    set(name, "", age: .seconds(0))
  }
}
