import Foundation

/// A signature, the signed content, and the key that the format names.
struct SignedContent: Sendable, Equatable {
  /// The algorithm; nil if the portal cannot verify it.
  let algorithm: Algorithm?
  let key: Key
  let content: [UInt8]
  let signature: [UInt8]

  enum Algorithm: Sendable {
    /// ECDSA with P-256 and SHA-256. The signature is r and s, 32 bytes each.
    case es256
    /// RSASSA-PSS with SHA-256.
    case ps256
    /// RSASSA-PKCS1-v1_5 or, in DER, ECDSA with P-256, both with SHA-256. The type of the key
    /// decides.
    case israeli
  }

  /// The key reference of a format.
  enum Key: Sendable, Equatable {
    case id(KeyID)
    /// The format names no key, so all keys of the country are tried.
    case anyOf(country: String)
    /// The format should name a key, but this code does not.
    case unnamed

    /// The id that the code names; nil if it names none.
    var id: KeyID? { if case .id(let id) = self { id } else { nil } }
    /// The country whose keys are tried; nil if the code names a key.
    var country: String? { if case .anyOf(let country) = self { country } else { nil } }
  }
}

/// The id of a key: the text of a JSON Web Key, or bytes in Base64 for EU certificates.
struct KeyID: Sendable, Hashable {
  let text: String

  init(_ text: String) { self.text = text }
  init(_ bytes: [UInt8]) { text = Data(bytes).base64EncodedString() }
}
