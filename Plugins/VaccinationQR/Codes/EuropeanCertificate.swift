import PolyclinicCore
import PolyclinicFormats

/// An EU Digital COVID Certificate (hcert-spec 1.0.8, schema 1.3.3).
struct EuropeanCertificate: DecodedCertificate, Equatable {
  var version: String?
  var name: Name
  /// `YYYY-MM-DD`, `YYYY-MM`, `YYYY` or empty.
  var birthDate: String
  var entries: [Entry]
  /// The country that signed the certificate, from the claim `iss`.
  var signingCountry: String?
  var validity: Validity
  var signed: SignedContent

  let revocationNumber: String? = nil

  /// The names as the issuer writes them, and in the machine-readable form of passports (ICAO
  /// 9303).
  struct Name: Sendable, Equatable {
    var family: String?
    var given: String?
    var standardFamily: String?
    var standardGiven: String?
  }

  enum Entry: Sendable, Equatable {
    case vaccination(Vaccination)
    case test(Test)
    case recovery(Recovery)
  }

  struct Vaccination: Sendable, Equatable {
    var common: Common
    var vaccine: String?
    var product: String?
    var maker: String?
    /// The number of the dose. It is higher than ``doses`` for boosters.
    var dose: Int64?
    var doses: Int64?
    /// The two as written, if one is not a number.
    var writtenDose: String?
    var date: String?

    fileprivate init(_ entry: CBOR) {
      common = Common(entry)
      vaccine = entry["vp"]?.scalar
      product = entry["mp"]?.scalar
      maker = entry["ma"]?.scalar
      let numbers = [entry["dn"], entry["sd"]].compactMap(\.self)
      dose = entry["dn"]?.wholeNumber
      doses = entry["sd"]?.wholeNumber
      if numbers.contains(where: { $0.wholeNumber == nil }) {
        writtenDose = numbers.compactMap(\.scalar).joined(separator: " / ")
      }
      date = entry["dt"]?.scalar
    }
  }

  struct Test: Sendable, Equatable {
    var common: Common
    var type: String?
    var name: String?
    var device: String?
    var sampledAt: String?
    /// The time of the result, only until schema 1.2.
    var resultAt: String?
    var result: String?
    var centre: String?

    fileprivate init(_ entry: CBOR) {
      common = Common(entry)
      type = entry["tt"]?.scalar
      name = entry["nm"]?.scalar
      device = entry["ma"]?.scalar
      sampledAt = entry["sc"]?.scalar
      resultAt = entry["dr"]?.scalar
      result = entry["tr"]?.scalar
      centre = entry["tc"]?.scalar
    }
  }

  struct Recovery: Sendable, Equatable {
    var common: Common
    var firstPositive: String?
    var from: String?
    var until: String?

    fileprivate init(_ entry: CBOR) {
      common = Common(entry)
      firstPositive = entry["fr"]?.scalar
      from = entry["df"]?.scalar
      until = entry["du"]?.scalar
    }
  }

  /// The members that all entries share.
  struct Common: Sendable, Equatable {
    var disease: String?
    var country: String?
    var issuer: String?
    var identifier: String?

    fileprivate init(_ entry: CBOR) {
      disease = entry["tg"]?.scalar
      country = entry["co"]?.scalar
      issuer = entry["is"]?.scalar
      identifier = entry["ci"]?.scalar
    }
  }
}

extension EuropeanCertificate {
  static let prefix = "HC1:"

  /// Decodes the text after `HC1:`. Throws ``CodeFault``.
  init(reading text: ArraySlice<UInt8>) throws(CodeFault) {
    guard let packed = [UInt8](base45: text), !packed.isEmpty else { throw .base45 }
    var content = packed
    // Some issuers omit the compression.
    if Compression.isZlib(packed) {
      guard let inflated = Compression.zlib.inflate(packed) else { throw .compression }
      content = inflated
    }
    let message = try Self.message(content)
    // A CWT (RFC 8392): 1 is `iss`, 4 `exp`, 6 `iat`, and −260 the health certificate.
    var claims = try Self.item(message.payload)
    if case .tagged(61, let inner) = claims { claims = inner }
    guard let health = claims[-260]?[1], let name = health["nam"], case .map = name else {
      throw .content
    }
    version = health["ver"]?.text
    self.name = Name(
      family: name["fn"]?.text, given: name["gn"]?.text, standardFamily: name["fnt"]?.text,
      standardGiven: name["gnt"]?.text)
    birthDate = health["dob"]?.scalar ?? ""
    entries =
      (health["v"]?.items ?? []).map { .vaccination(Vaccination($0)) }
      + (health["t"]?.items ?? []).map { .test(Test($0)) }
      + (health["r"]?.items ?? []).map { .recovery(Recovery($0)) }
    signingCountry = claims[1]?.text
    validity = Validity(
      from: claims[6]?.instant.map(Validity.Moment.instant),
      until: claims[4]?.instant.map(Validity.Moment.instant))
    signed = message.signed
    if entries.isEmpty { throw .content }
  }

  private static func message(_ content: [UInt8]) throws(CodeFault) -> COSEMessage {
    do { return try COSEMessage(reading: content) } catch { throw error == .cbor ? .cbor : .cose }
  }

  private static func item(_ content: [UInt8]) throws(CodeFault) -> CBOR {
    do { return try CBOR(reading: content) } catch { throw .cbor }
  }
}

extension COSEMessage {
  /// The signature and the signed content.
  fileprivate var signed: SignedContent {
    let algorithm: SignedContent.Algorithm? =
      switch self.algorithm {
      case -7: .es256
      case -37: .ps256
      default: nil
      }
    return SignedContent(
      algorithm: algorithm, key: keyID.map { .id(KeyID($0)) } ?? .unnamed, content: signedBytes,
      signature: signature)
  }
}

extension EuropeanCertificate {
  var sections: [StatementSection] {
    let person = StatementSection(
      "person",
      [
        .text("family-name", name.family), .text("given-name", name.given),
        .text("standard-family-name", name.standardFamily),
        .text("standard-given-name", name.standardGiven), .date("birth-date", birthDate),
      ])
    let certificate = StatementSection(
      "certificate", [.country("signing-country", signingCountry), .text("version", version)])
    return [person] + entries.map(\.section) + [certificate].filter { !$0.statements.isEmpty }
  }
}

extension EuropeanCertificate.Entry {
  fileprivate var section: StatementSection {
    switch self {
    case .vaccination(let one):
      one.common.section(
        "vaccination",
        [
          .coded("product", one.product, ValueSets.products),
          .coded("vaccine", one.vaccine, ValueSets.vaccines),
          .coded("maker", one.maker, ValueSets.makers),
          .text("dose", one.writtenDose)
            ?? one.dose.map { Statement("dose", .dose($0, of: one.doses)) },
          .date("vaccinated-on", one.date),
        ])
    case .test(let one):
      one.common.section(
        "test",
        [
          .coded("result", one.result, ValueSets.results),
          .coded("test-type", one.type, ValueSets.testTypes), .text("test-name", one.name),
          .coded("test-device", one.device, ValueSets.testDevices),
          .date("sampled-at", one.sampledAt), .date("result-at", one.resultAt),
          .text("test-centre", one.centre),
        ])
    case .recovery(let one):
      one.common.section(
        "recovery",
        [
          .date("first-positive", one.firstPositive), .date("valid-from", one.from),
          .date("valid-until", one.until),
        ])
    }
  }
}

extension EuropeanCertificate.Common {
  /// Returns the section of an entry with its own statements between those that all entries share.
  fileprivate func section(_ name: String, _ own: [Statement?]) -> StatementSection {
    let disease = Statement.coded("disease", disease, ValueSets.diseases)
    return StatementSection(
      name,
      [disease] + own + [
        .country("country", country), .text("issuer", issuer), .text("identifier", identifier),
      ])
  }
}
