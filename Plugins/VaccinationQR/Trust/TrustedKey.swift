import Foundation
import PolyclinicCore
import PolyclinicCryptography

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

extension TrustedKey {
  /// Reads a certificate or a SubjectPublicKeyInfo. Returns nil for anything else.
  init?(der: [UInt8]) {
    if let certificate = X509Certificate(der) {
      self.init(
        id: certificate.keyID, publicKey: certificate.publicKey, certificate: certificate.owner,
        format: .certificate)
    } else {
      self.init(id: nil, publicKey: der, certificate: nil, format: .publicKey)
      if !isUsable { return nil }
    }
  }

  /// Reads a JSON Web Key (RFC 7517). Takes the key and the owner from its certificate, or the key
  /// from its numbers if it has none.
  init?(jwk: JSON, _ id: KeyID, _ format: Format) {
    if let chain = jwk["x5c"] {
      guard let text = chain.items.first?.string, let der = Data(base64Encoded: text),
        let certificate = X509Certificate(Array(der))
      else { return nil }
      self.init(
        id: id, publicKey: certificate.publicKey, certificate: certificate.owner, format: format)
    } else {
      guard let publicKey = Self.publicKey(jwk) else { return nil }
      self.init(id: id, publicKey: publicKey, certificate: nil, format: format)
    }
  }

  private static func publicKey(_ jwk: JSON) -> [UInt8]? {
    func number(_ name: String) -> [UInt8]? {
      jwk[name]?.string.flatMap { [UInt8](base64URL: $0.utf8) }
    }
    if jwk["kty"]?.string == "RSA" {
      guard let modulus = number("n"), let exponent = number("e") else { return nil }
      return SignatureKey.encoded(modulus: modulus, exponent: exponent)
    }
    guard let x = number("x").flatMap(coordinate), let y = number("y").flatMap(coordinate) else {
      return nil
    }
    return SignatureKey.encoded(x: x, y: y)
  }

  /// Pads a number to 32 bytes. The WHO list writes a leading zero before numbers with the highest
  /// bit set.
  private static func coordinate(_ bytes: [UInt8]) -> [UInt8]? {
    let digits = Array(bytes.drop { $0 == 0 })
    guard digits.count <= 32 else { return nil }
    return [UInt8](repeating: 0, count: 32 - digits.count) + digits
  }
}

/// The stored keys. They are in the database, so that all servers and backups have them.
extension TrustedKey {
  static let schema: [SQL] = [
    """
    CREATE TABLE vaccination_qr_keys (
      kid TEXT NOT NULL, public_key \(.bytes) NOT NULL, format TEXT NOT NULL,
      subject TEXT, issuer TEXT, country TEXT, not_before \(.integer), not_after \(.integer),
      PRIMARY KEY (kid, public_key)
    ) \(.strict)
    """,
    "CREATE INDEX vaccination_qr_keys_countries ON vaccination_qr_keys (country)",
  ]

  /// Stores the key, replacing the same one from an earlier file. Returns true for a new key.
  func store(in work: Work) throws -> Bool {
    let replaced = try work.runCounting(
      """
      DELETE FROM vaccination_qr_keys WHERE kid = \(id?.text ?? "") AND public_key = \(publicKey)
      """)
    try work.run(
      """
      INSERT INTO vaccination_qr_keys (
        kid, public_key, format, subject, issuer, country, not_before, not_after)
      VALUES (
        \(id?.text ?? ""), \(publicKey), \(format.rawValue), \(certificate?.subject),
        \(certificate?.issuer), \(certificate?.country), \(certificate?.notBefore),
        \(certificate?.notAfter))
      """)
    return replaced == 0
  }

  /// Returns the keys that may have made one of the signatures: those with the id or country that
  /// a code names, and those without an id.
  static func candidates(for signed: [SignedContent], in work: Work) throws -> [TrustedKey] {
    let ids = [""] + signed.compactMap { $0.key.id?.text }
    let countries = signed.compactMap(\.key.country)
    return try work.rows(
      """
      SELECT kid, public_key, format, subject, issuer, country, not_before, not_after
      FROM vaccination_qr_keys WHERE kid IN \(list: ids) OR country IN \(list: countries)
      ORDER BY kid DESC, public_key
      """, TrustedKey.init)
  }

  private init(_ row: Row) {
    let id = row.string(0)
    self.init(
      id: id.isEmpty ? nil : KeyID(id), publicKey: row.bytes(1), certificate: nil,
      format: Format(rawValue: row.string(2)) ?? .publicKey)
    if let subject = row.optional(3, Row.string), let notBefore = row.optional(6, Row.instant),
      let notAfter = row.optional(7, Row.instant)
    {
      certificate = Owner(
        subject: subject, issuer: row.string(4), country: row.optional(5, Row.string),
        notBefore: notBefore, notAfter: notAfter)
    }
  }
}
