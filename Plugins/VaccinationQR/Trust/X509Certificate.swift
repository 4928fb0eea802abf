import COpenSSL
import Foundation
import PolyclinicCore
import PolyclinicCryptography

/// An X.509 certificate: its public key and its owner. Its signature is not verified, because the
/// administrator vouches for the file.
struct X509Certificate {
  let publicKey: [UInt8]
  let owner: TrustedKey.Owner
  /// The key id in EU certificates: the first 8 bytes of the certificate's SHA-256 (hcert-spec,
  /// 3.3.2).
  let keyID: KeyID

  /// Parses DER. Returns nil for anything else.
  init?(_ der: [UInt8]) {
    let parsed = der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
      var start = bytes.baseAddress
      guard let certificate = d2i_X509(nil, &start, bytes.count) else { return nil }
      guard start == bytes.baseAddress.map({ $0 + bytes.count }) else {
        X509_free(certificate)
        return nil
      }
      return certificate
    }
    // Parsing an invalid certificate leaves errors in the thread's queue.
    ERR_clear_error()
    guard let parsed else { return nil }
    defer { X509_free(parsed) }
    let key = DER.written { i2d_X509_PUBKEY(X509_get_X509_PUBKEY(parsed), $0) }
    guard let publicKey = key, let digest = Self.digest(of: der),
      let notBefore = Self.instant(X509_get0_notBefore(parsed)),
      let notAfter = Self.instant(X509_get0_notAfter(parsed))
    else { return nil }
    let subject = X509_get_subject_name(parsed)
    self.publicKey = publicKey
    owner = TrustedKey.Owner(
      subject: Self.name(subject), issuer: Self.name(X509_get_issuer_name(parsed)),
      country: Self.part(NID_countryName, of: subject), notBefore: notBefore, notAfter: notAfter)
    keyID = KeyID(Array(digest.prefix(8)))
  }

  private static func digest(of bytes: [UInt8]) -> [UInt8]? {
    var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    let isDone = EVP_Digest(bytes, bytes.count, &digest, &count, EVP_sha256(), nil) == 1
    return isDone ? Array(digest.prefix(Int(count))) : nil
  }

  private static func instant(_ time: UnsafePointer<ASN1_TIME>?) -> Instant? {
    var parts = tm()
    guard ASN1_TIME_to_tm(time, &parts) == 1 else { return nil }
    return Instant(Int64(timegm(&parts)))
  }

  /// Returns the common name, or the organization if there is none.
  private static func name(_ name: OpaquePointer?) -> String {
    part(NID_commonName, of: name) ?? part(NID_organizationName, of: name) ?? ""
  }

  private static func part(_ kind: Int32, of name: OpaquePointer?) -> String? {
    let index = X509_NAME_get_index_by_NID(name, kind, -1)
    guard index >= 0, let entry = X509_NAME_get_entry(name, index) else { return nil }
    return DER.written { ASN1_STRING_to_UTF8($0, X509_NAME_ENTRY_get_data(entry)) }
      .map { IncomingText($0).repaired }
  }
}
