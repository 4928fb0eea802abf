import PolyclinicCore
import PolyclinicPlaces

/// The results of the verification of a certificate, each with its own meaning. ``state`` is the one
/// that a reader has to know first.
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
  /// Verifies certificates with the stored keys and lists, which are read once for all of them.
  static func all(
    of certificates: [any DecodedCertificate], in work: Work
  ) throws -> [Verification] {
    let keys = try TrustedKey.candidates(for: certificates.map(\.signed), in: work)
    let lists = try RevocationList.find(
      certificates.compactMap { $0.revocationNumber == nil ? nil : $0.signed.key.id }, in: work)
    return certificates.map { certificate in
      let signed = certificate.signed
      return Verification(
        of: certificate, with: keys.filter { $0.mayHaveSigned(signed) },
        lists.first { $0.key == signed.key.id }, at: work.now)
    }
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

extension TrustedKey {
  /// True if the key has the id or the country that the code names, or has no id.
  fileprivate func mayHaveSigned(_ signed: SignedContent) -> Bool {
    guard let id, id != signed.key.id else { return true }
    return signed.key.country != nil && signed.key.country == certificate?.country
  }
}

extension Verification {
  /// The state of a certificate in a word.
  enum State: String, CaseIterable, Sendable {
    case revoked, invalid, expired, ahead, valid
    /// Within its period, and without a signature that the portal can confirm.
    case unchecked = "not-checked"
  }

  /// The worst result, or that the certificate is valid: signed by a trusted key, within its period
  /// and not known to be revoked. Each border decides for itself.
  var state: State {
    if revocation == .revoked { return .revoked }
    if signature == .wrong { return .invalid }
    if hasExpired == true { return .expired }
    if isAhead == true { return .ahead }
    switch signature {
    case .right(_, .valid), .right(_, .unknown): return .valid
    default: return .unchecked
    }
  }

  /// Returns the results as sentences, with times in the zone.
  func sentences(in zone: Zone) -> [Text] {
    let sentences: [Text?] = [
      signature.sentence, signerSentence(zone),
      validity.from.map { Text("trust.from", values: ["time": $0.textValue(zone)]) },
      validity.until.map { Text("trust.until", values: ["time": $0.textValue(zone)]) },
      expiry, Text("trust.revocation.\(revocation.rawValue)"),
    ]
    return sentences.compactMap(\.self)
  }

  private var expiry: Text {
    if isAhead == true { return "trust.ahead" }
    return switch hasExpired {
    case true?: "trust.expiry.passed"
    case false?: "trust.expiry.not-passed"
    case nil: "trust.expiry.none"
    }
  }

  private func signerSentence(_ zone: Zone) -> Text? {
    guard case .right(let key, let signer) = signature, let owner = key.certificate else {
      return nil
    }
    let times: [String: Text.Value] = [
      "from": .dateTime(owner.notBefore, zone), "until": .dateTime(owner.notAfter, zone),
    ]
    return Text("trust.signer.\(signer.rawValue)", ["issuer": owner.issuer], values: times)
  }

  /// The results as JSON.
  var json: JSON {
    FHIR.object([
      ("signature", .string(signature.name)), ("key", signature.json),
      ("from", validity.from.map(\.value.json)), ("until", validity.until.map(\.value.json)),
      ("expired", hasExpired.map(JSON.boolean)), ("revocation", .string(revocation.rawValue)),
    ])
  }
}

extension Validity.Moment {
  fileprivate func textValue(_ zone: Zone) -> Text.Value {
    switch self {
    case .instant(let instant): .dateTime(instant, zone)
    case .day(let day): .day(day)
    }
  }
}

extension Verification.Signature {
  /// The name of the result in JSON.
  var name: String {
    switch self {
    case .right: "right"
    case .wrong: "wrong"
    case .unmatched: "unmatched"
    case .noKey, .unknownAlgorithm: "not-checked"
    }
  }

  fileprivate var sentence: Text {
    switch self {
    case .right(let key, _): key.sentence
    case .wrong: "trust.signature.wrong"
    case .unmatched(let tried): Text("trust.signature.unmatched", count: tried)
    case .noKey: "trust.signature.no-key"
    case .unknownAlgorithm: "trust.signature.algorithm"
    }
  }

  fileprivate var json: JSON? {
    guard case .right(let key, let signer) = self else { return nil }
    let owner = key.certificate
    return FHIR.object([
      ("kid", key.id.map { .string($0.text) }), ("subject", owner.map { .string($0.subject) }),
      ("issuer", owner.map { .string($0.issuer) }),
      ("country", owner?.country.map(JSON.string)),
      ("certificate_at_signing", .string(signer.rawValue)),
    ])
  }
}

extension TrustedKey {
  fileprivate var sentence: Text {
    guard let owner = certificate else {
      return id.map { Text("trust.signature.right.key", ["key": $0.text]) }
        ?? "trust.signature.right.unnamed"
    }
    guard let code = owner.country, Countries.name(code, in: .english) != nil else {
      return Text("trust.signature.right", ["owner": owner.subject])
    }
    let names = Dictionary(
      uniqueKeysWithValues: Language.allCases.map { ($0, Countries.name(code, in: $0) ?? code) })
    return Text(
      "trust.signature.right.country", ["owner": owner.subject],
      values: ["country": .name(names)])
  }
}
