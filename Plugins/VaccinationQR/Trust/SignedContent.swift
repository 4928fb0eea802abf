import Foundation

/// A signature, what it is over, and which key is said to have made it.
struct SignedContent: Sendable, Equatable {
  /// Nil for an algorithm that the portal does not verify.
  let algorithm: Algorithm?
  let key: Key
  let content: [UInt8]
  let signature: [UInt8]

  enum Algorithm: Sendable {
    /// ECDSA with P-256 and SHA-256; the signature is r and s, 32 bytes each.
    case es256
    /// RSASSA-PSS with SHA-256.
    case ps256
    /// By the kind of the key: RSASSA-PKCS1-v1_5, or ECDSA with P-256 in DER, both with SHA-256.
    case israeli
  }

  /// The way in which a format says which key has signed.
  enum Key: Sendable, Equatable {
    case id(KeyID)
    /// The format names no key: all of the country are tried.
    case anyOf(country: String)
    /// The format should name a key, and this code does not.
    case unnamed
  }
}

/// The number of a key: the text of a JSON Web Key, or bytes in Base64 as EU certificates have them.
struct KeyID: Sendable, Hashable {
  let text: String

  init(_ text: String) { self.text = text }
  init(_ bytes: [UInt8]) { text = Data(bytes).base64EncodedString() }
}
