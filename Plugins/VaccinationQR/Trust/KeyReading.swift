import Foundation
import PolyclinicCore

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
