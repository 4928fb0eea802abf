import Foundation
import PolyclinicCore
import PolyclinicDocuments
import PolyclinicTestSupport
import Testing

@testable import VaccinationQR

/// Published certificates, which are not part of this repository.
@Suite(.enabled(if: directory != nil, "CERTIFICATES names no directory of published certificates"))
struct SharedCertificateTests {
  private func bytes(_ name: String) throws -> [UInt8] {
    let path = try #require(directory) + "/" + name
    return Array(try Data(contentsOf: URL(filePath: path)))
  }

  @Test(arguments: europeanCases)
  func `a case of the EU test data is decoded and verified, and a changed one fails`(name: String)
    throws
  {
    let content = try JSON(reading: try bytes("eu-dcc/\(name)"), valueLimit: 100_000)
    let payload = Array(try #require(content["PREFIX"]?.string).utf8)
    guard case .european(let certificate) = Code(payload) else {
      Issue.record("\(name) was not read")
      return
    }
    let expected = try #require(content["JSON"])
    #expect(certificate.json == sorted(expected))
    let context = try #require(content["TESTCTX"])
    let text = try #require(context["CERTIFICATE"]?.string)
    let der = try #require(Data(base64Encoded: text))
    let keys = try TrustFile(reading: Array(der)).keys
    let clock = try #require(context["VALIDATIONCLOCK"]?.string.flatMap(ZonedTime.init))
    let verified = Verification(of: certificate, with: keys, at: clock.instant)
    #expect(verified.signature == .right(keys[0], .valid))
    #expect(verified.hasExpired == false)
    for place in payload.indices.dropFirst(4) {
      var changed = payload
      changed[place] = changed[place] == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
      guard case .european(let other) = Code(changed) else { continue }
      #expect(
        Verification(of: other, with: keys, at: clock.instant).signature != .right(keys[0], .valid))
    }
  }

  @Test func `the sample in Israel's first format is verified with Israel's key`() throws {
    let payload = try bytes("israel/Sample-VacCertificate1-Payload.txt")
    let keys = try ["RamzorQRPubKey.der", "RamzorQRPubKeyEC.der"].flatMap {
      try TrustFile(reading: try bytes("israel/\($0)")).keys
    }
    #expect(keys.map { $0.certificate?.country } == ["IL", "IL"])
    let certificate = try #require(Code(payload).certificate)
    let verified = Verification(of: certificate, with: keys, at: Instant(1_790_000_000))
    #expect(verified.signature == .right(keys[1], .unknown) && verified.hasExpired == true)
    let changed = payload.map { $0 == UInt8(ascii: "M") ? UInt8(ascii: "N") : $0 }
    if let other = Code(changed).certificate {
      #expect(
        Verification(of: other, with: keys, at: Instant(0)).signature == .unmatched(tried: 2))
    }
  }

  @Test(arguments: [
    ("Sample-VacCertificate1.pdf", "RamzorQRPubKeyEC.der"),
    ("VacsinatedPassport1.pdf", "RamzorQRPubKey.der"),
    ("CovidCertificate_01.pdf", "IL-NB-DSC-01.der"),
  ])
  func `each certificate in an official PDF of Israel is verified with its key`(
    file: String, key: String
  ) throws {
    let document = try DocumentDecoder.decode(try bytes("israel/\(file)"))
    let keys = try TrustFile(reading: try bytes("israel/\(key)")).keys
    let certificates = document.pages.flatMap(\.codes).compactMap { Code($0.payload).certificate }
    #expect(!certificates.isEmpty)
    for certificate in certificates {
      let verified = Verification(of: certificate, with: keys, at: Instant(1_640_000_000))
      guard case .right = verified.signature else {
        Issue.record("\(file): a signature is not right")
        continue
      }
      #expect(!certificate.holder.name.isEmpty)
    }
  }

  @Test func `a card signed with the specification's keys is verified and found revoked`() throws {
    let secret = try JSON(reading: try bytes("smart-health-cards/issuer.jwks.private.json"))
    let trusted = try TrustFile(reading: try bytes("smart-health-cards/jwks.json")).keys
    let list = try TrustFile(reading: try bytes("smart-health-cards/crl.json")).revocations[0]
    let bundle = try JSON(reading: try bytes("smart-health-cards/covid-vaccines-bundle.json"))
    for key in secret["keys"]?.items ?? [] where key["use"]?.string == "sig" {
      let id = try #require(key["kid"]?.string)
      let text = try #require(key["d"]?.string)
      let scalar = try #require([UInt8](base64URL: text.utf8))
      let made = MadeHealthCard(
        key: TestSigner(p256: scalar), keyID: id, notBefore: "1630000000",
        revocationNumber: "vwAjHdarZuc", bundle: bundle)
      let card = try made.card()
      let keys = trusted.filter { $0.id?.text == id }
      let verified = Verification(of: card, with: keys, list, at: Instant(1_640_000_000))
      let signer: Verification.Signer = keys[0].certificate == nil ? .unknown : .valid
      #expect(verified.signature == .right(keys[0], signer))
      #expect(verified.revocation == .revoked)
      #expect(card.entries.count == 3)
    }
    #expect(trusted.count == 2)
  }

  @Test func `the known codes are exactly those of the EU value sets`() throws {
    let sets: [(String, [String: Term])] = [
      ("disease-agent-targeted", ValueSets.diseases), ("vaccine-prophylaxis", ValueSets.vaccines),
      ("vaccine-medicinal-product", ValueSets.products), ("vaccine-mah-manf", ValueSets.makers),
      ("test-type", ValueSets.testTypes), ("test-result", ValueSets.results),
      ("test-manf-example", ValueSets.testDevices),
    ]
    for (name, terms) in sets {
      let file = try JSON(reading: try bytes("eu-dcc-valuesets/\(name).json"))
      guard case .object(let members)? = file["valueSetValues"] else { throw DecodingFailure() }
      #expect(Set(members.map(\.name)) == Set(terms.keys))
    }
  }
}

private let directory = ProcessInfo.processInfo.environment["CERTIFICATES"]
private let europeanCases: [String] = {
  guard let directory else { return [] }
  let names = try? FileManager.default.contentsOfDirectory(atPath: directory + "/eu-dcc")
  return (names ?? []).filter { $0.hasSuffix(".json") }.sorted()
}()

/// Returns the same value with members sorted by name, for comparison.
private func sorted(_ json: JSON) -> JSON {
  switch json {
  case .object(let members):
    .object(members.map { JSON.Member($0.name, sorted($0.value)) }.sorted { $0.name < $1.name })
  case .array(let items): .array(items.map(sorted))
  case .written(let number): Int64(number).map(JSON.integer) ?? json
  default: json
  }
}

extension EuropeanCertificate {
  /// The decoded certificate in the EU schema.
  fileprivate var json: JSON {
    let name = FHIR.object([
      ("fn", self.name.family.map(JSON.string)), ("gn", self.name.given.map(JSON.string)),
      ("fnt", self.name.standardFamily.map(JSON.string)),
      ("gnt", self.name.standardGiven.map(JSON.string)),
    ])
    return sorted(
      FHIR.object(
        [("ver", version.map(JSON.string)), ("nam", name), ("dob", .string(birthDate))]
          + entries.map { ($0.schema.0, .array([$0.schema.1])) }))
  }
}

extension EuropeanCertificate.Entry {
  fileprivate var schema: (String, JSON) {
    func text(_ name: String, _ value: String?) -> (String, JSON?) {
      (name, value.map(JSON.string))
    }
    func common(_ one: EuropeanCertificate.Common) -> [(String, JSON?)] {
      [
        text("tg", one.disease), text("co", one.country), text("is", one.issuer),
        text("ci", one.identifier),
      ]
    }
    switch self {
    case .vaccination(let one):
      return (
        "v",
        FHIR.object(
          common(one.common) + [
            text("vp", one.vaccine), text("mp", one.product), text("ma", one.maker),
            ("dn", one.dose.map(JSON.integer)), ("sd", one.doses.map(JSON.integer)),
            text("dt", one.date),
          ])
      )
    case .test(let one):
      return (
        "t",
        FHIR.object(
          common(one.common) + [
            text("tt", one.type), text("nm", one.name), text("ma", one.device),
            text("sc", one.sampledAt), text("dr", one.resultAt), text("tr", one.result),
            text("tc", one.centre),
          ])
      )
    case .recovery(let one):
      return (
        "r",
        FHIR.object(
          common(one.common) + [
            text("fr", one.firstPositive), text("df", one.from), text("du", one.until),
          ])
      )
    }
  }
}
