import PolyclinicCryptography
import PolyclinicSystem

/// A secret of 256 random bits: of a session, a one-time link, an API client or a remembered
/// browser.
///
/// Only ``hash`` is stored, so that an attacker who reads the database cannot sign in with it.
package struct Token: Sendable, CustomStringConvertible {
  private static let length = 32

  /// The token as 43 characters of base64url.
  package let text: String
  /// The SHA-256 of the random bytes. A token has too many bits to be guessed, so no slower hash is
  /// needed.
  package let hash: [UInt8]

  private init(text: String, bytes: [UInt8]) {
    self.text = text
    hash = SHA256.digest(of: bytes)
  }

  package static func random() -> Token {
    let bytes: [UInt8] = .random(length)
    return Token(text: Base64.url.text(bytes), bytes: bytes)
  }

  /// Returns nil if the text cannot be a token.
  package init?(_ text: String) {
    guard let bytes = Base64.url.decoded(text), bytes.count == Self.length else { return nil }
    self.init(text: text, bytes: bytes)
  }

  /// Returns the row number that values next to a token are sealed for. It is derived from the
  /// token's hash, because the row's own number is unknown before it is stored.
  package static func row(of hash: [UInt8]) -> Int64 {
    Int64(bitPattern: hash.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
  }

  /// A fixed text, so that the secret does not get into a log by accident.
  package var description: String { "Token" }
}
