import PolyclinicCore
import PolyclinicPlaces

extension Verification {
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
