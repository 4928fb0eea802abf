import PolyclinicCore

/// The size of all text, as a visitor has chosen it for this browser.
package enum TextSize: String, CaseIterable {
  case usual, large, largest

  /// The cookie with the choice. It tells nothing about the person, so that it needs no account.
  private static let cookie = "__Host-text-size"

  /// The choice of the request's browser.
  init(of client: Client) {
    self = client.cookie(Self.cookie).flatMap(Self.init) ?? .usual
  }

  /// Returns the response with the choice for its browser.
  package func kept(in response: Response) -> Response {
    var effects = Effects()
    effects.cookies = [Effects.Cookie(Self.cookie, self == .usual ? nil : rawValue)]
    return response.with(effects)
  }
}
