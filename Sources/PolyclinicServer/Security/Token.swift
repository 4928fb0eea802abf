import Crypto

/// A secret of 256 random bits that somebody carries: a session's, a one-time link's, an API client's.
///
/// Only ``hash`` is stored: whoever reads the database cannot sign in with it.
struct Token: Sendable, CustomStringConvertible {
  private static let length = 32

  /// 43 characters of base64url.
  let text: String
  /// The SHA-256 of the random bytes. A token has too many bits to be guessed, so none slower is needed.
  let hash: [UInt8]

  private init(text: String, bytes: [UInt8]) {
    self.text = text
    hash = SHA256.hash(data: bytes).withUnsafeBytes(Array.init)
  }

  static func random() -> Token {
    let bytes: [UInt8] = .random(length)
    return Token(text: Base64.url.text(bytes), bytes: bytes)
  }

  /// Nil when the text cannot be a token.
  init?(_ text: String) {
    guard let bytes = Base64.url.decoded(text.utf8), bytes.count == Self.length else { return nil }
    self.init(text: text, bytes: bytes)
  }

  /// The number that sealed values beside a token are bound to, by its hash: the row's own is not known before it is
  /// stored.
  static func row(of hash: [UInt8]) -> Int64 {
    Int64(bitPattern: hash.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
  }

  /// Says nothing of the secret, so that it does not get into a log by accident.
  var description: String { "Token" }
}
