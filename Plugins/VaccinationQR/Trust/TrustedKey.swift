import Crypto
import CryptoExtras
import Foundation
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
  var isUsable: Bool { ecdsa != nil || rsa != nil }

  private var ecdsa: P256.Signing.PublicKey? {
    try? P256.Signing.PublicKey(derRepresentation: publicKey)
  }

  private var rsa: _RSA.Signing.PublicKey? {
    // The parser accepts both SubjectPublicKeyInfo and PKCS #1.
    try? _RSA.Signing.PublicKey(derRepresentation: publicKey)
  }

  /// Returns true if the key made the signature.
  func verifies(_ signed: SignedContent) -> Bool {
    switch signed.algorithm {
    case .es256:
      guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signed.signature)
      else { return false }
      return ecdsa?.isValidSignature(signature, for: signed.content) ?? false
    case .ps256: return rsaVerifies(signed, .PSS)
    case .israeli:
      guard let ecdsa else { return rsaVerifies(signed, .insecurePKCS1v1_5) }
      guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: signed.signature)
      else { return false }
      return ecdsa.isValidSignature(signature, for: signed.content)
    case nil: return false
    }
  }

  private func rsaVerifies(_ signed: SignedContent, _ padding: _RSA.Signing.Padding) -> Bool {
    let signature = _RSA.Signing.RSASignature(rawRepresentation: signed.signature)
    return rsa?.isValidSignature(
      signature, for: SHA256.hash(data: signed.content), padding: padding)
      ?? false
  }
}
