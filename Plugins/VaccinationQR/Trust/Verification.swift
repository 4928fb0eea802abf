import PolyclinicCore

/// The results of the verification of a certificate, each with its own meaning. There is no overall
/// verdict, because nearly all certificates and their signing keys have expired.
struct Verification: Sendable, Equatable {
  let signature: Signature
  let validity: Validity
  /// True if the technical expiry has passed; nil for a certificate without one.
  let hasExpired: Bool?
  /// True if the certificate is not yet valid; nil if it has no beginning.
  let isAhead: Bool?
  let revocation: Revocation

  enum Signature: Sendable, Equatable {
    /// This key made the signature.
    case right(TrustedKey, Signer)
    /// A key with the named id did not make the signature.
    case wrong
    /// The format names no key, and none of the `tried` keys of the country made the signature.
    case unmatched(tried: Int)
    /// The portal has no key with this id, or none of the country.
    case noKey(KeyID?)
    /// The portal cannot verify the algorithm.
    case unknownAlgorithm
  }

  /// The validity of the key's certificate at the time of signing.
  enum Signer: String, CaseIterable, Sendable {
    case valid
    case notValid = "not-valid"
    /// The key has no certificate, or the code has no signing time.
    case unknown
  }

  enum Revocation: String, CaseIterable, Sendable {
    /// There is no list for the key, or the format has no revocation.
    case notChecked = "not-checked"
    case revoked
    /// The stored list does not contain the card.
    case notListed = "not-listed"
  }
}

extension Verification {
  /// Verifies a certificate with the stored keys and lists.
  init(
    of certificate: any DecodedCertificate, in work: Work
  ) throws {
    let keys = try TrustTables.candidates(for: certificate.signed, in: work)
    var revocations: RevocationList?
    if case .id(let id) = certificate.signed.key, certificate.revocationNumber != nil {
      revocations = try TrustTables.revocations(of: id, in: work)
    }
    self.init(of: certificate, with: keys, revocations, at: work.now)
  }

  /// Verifies a certificate with these keys and this list.
  init(
    of certificate: any DecodedCertificate, with keys: [TrustedKey],
    _ revocations: RevocationList? = nil, at now: Instant
  ) {
    validity = certificate.validity
    hasExpired = validity.hasExpired(at: now)
    isAhead = validity.isAhead(at: now)
    signature = Self.signature(certificate.signed, keys, signedAt: certificate.validity.from)
    if let number = certificate.revocationNumber, let revocations {
      let isRevoked = revocations.revokes(number, signedAt: certificate.validity.from?.start)
      revocation = isRevoked ? .revoked : .notListed
    } else {
      revocation = .notChecked
    }
  }

  private static func signature(
    _ signed: SignedContent, _ keys: [TrustedKey], signedAt: Validity.Moment?
  ) -> Signature {
    if signed.algorithm == nil { return .unknownAlgorithm }
    if let key = keys.first(where: { $0.verifies(signed) }) {
      return .right(key, signer(key, signedAt))
    }
    switch signed.key {
    case .id(let id): return keys.contains { $0.id == id } ? .wrong : .noKey(id)
    case .anyOf: return keys.isEmpty ? .noKey(nil) : .unmatched(tried: keys.count)
    case .unnamed: return .noKey(nil)
    }
  }

  private static func signer(_ key: TrustedKey, _ signedAt: Validity.Moment?) -> Signer {
    guard let owner = key.certificate, case .instant(let time)? = signedAt else { return .unknown }
    return owner.notBefore <= time && time <= owner.notAfter ? .valid : .notValid
  }
}
