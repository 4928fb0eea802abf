import PolyclinicCore

/// A public key that the administrator trusts for certificates.
struct TrustedKey: Sendable, Equatable {
  /// The id; nil for a public key without a certificate, which is tried for all codes.
  var id: KeyID?
  /// The SubjectPublicKeyInfo in DER (RFC 5280, 4.1).
  var publicKey: [UInt8]
  /// The owner from the certificate; nil for a key without one.
  var certificate: Owner?
  var format: Format

  /// The owner of a key and its validity, from its certificate.
  struct Owner: Sendable, Equatable {
    var subject: String
    var issuer: String
    /// The ISO 3166-1 code of two letters.
    var country: String?
    var notBefore: Instant
    var notAfter: Instant
  }

  /// The format of the key's file.
  enum Format: String, CaseIterable, Sendable {
    case certificate = "x509"
    case publicKey = "spki"
    case keySet = "jwks"
    case did
  }
}

extension TrustedKey {
  /// True if the portal can verify with the key: ECDSA with P-256, or RSA with at least 2048 bits.
  var isUsable: Bool { SignatureKey(der: publicKey) != nil }

  /// Returns true if the key made the signature.
  func verifies(_ signed: SignedContent) -> Bool {
    guard let key = SignatureKey(der: publicKey) else { return false }
    return switch (signed.algorithm, key.kind) {
    case (.es256, _): key.verifies(ecdsaNumbers: signed.signature, of: signed.content)
    case (.ps256, _): key.verifies(rsa: signed.signature, .pss, of: signed.content)
    case (.israeli, .ecdsa): key.verifies(ecdsa: signed.signature, of: signed.content)
    case (.israeli, .rsa): key.verifies(rsa: signed.signature, .pkcs1, of: signed.content)
    case (nil, _): false
    }
  }
}
