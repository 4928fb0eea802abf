import Foundation
import PolyclinicCore
import Testing

@testable import VaccinationQR

/// SMART Health Cards signed by the tests.
@Suite struct HealthCardTests {
  private static let now = Instant(1_700_000_000)

  @Test func `a card is decoded, and its codes are translated into words`() throws {
    let card = try MadeHealthCard().card()
    #expect(card.patient == .init(family: "Anyperson", given: "John B.", birthDate: "1951-01-20"))
    #expect(card.sections.map(\.name) == ["person", "vaccination", "test", "certificate"])
    let formats = Formats(language: .english, timeZone: .utc)
    let vaccination = card.sections[1].statements.map { $0.value.words(in: formats) }
    #expect(
      vaccination
        == [
          "Moderna (Spikevax)", "completed", "1 January 2021", "0000001", "ABC General Hospital",
        ])
    #expect(
      card.sections[2].statements.first { $0.name == "result" }?.value.json == [
        "code": "260373001", "display": "Detected",
      ])
    #expect(card.validity == Validity(from: .instant(Instant(1_620_992_383)), until: nil))
  }

  @Test(arguments: ["T00:00:00+03:00", "T00:00:00-08:00", "T00:00:00Z", "T00:00:00.000Z", ""])
  func `the day of a vaccination stays the one that is written`(_ time: String) throws {
    var made = MadeHealthCard()
    made.bundle = try JSON(
      reading: Array(
        String(decoding: MadeHealthCard.bundle.encoded, as: UTF8.self)
          .replacing("2021-01-01", with: "2021-01-01\(time)")
          .replacing("2021-02-17", with: "2021-02-17\(time)")
          .replacing("1951-01-20", with: "1951-01-20\(time)").utf8))
    for zone in ["America/Los_Angeles", "Asia/Tokyo"] {
      let formats = Formats(language: .english, timeZone: try #require(Zone(zone)))
      let words = try made.card().sections.flatMap(\.statements).map { $0.value.words(in: formats) }
      for day in ["20 January 1951", "1 January 2021", "17 February 2021"] {
        #expect(words.contains(day), "\(day) in \(zone)")
      }
    }
  }

  @Test func `a card's signature is right, wrong or unchecked, depending on the keys`() throws {
    let made = MadeHealthCard()
    let card = try made.card()
    func signature(_ keys: [TrustedKey]) -> Verification.Signature {
      Verification(of: card, with: keys, at: Self.now).signature
    }
    #expect(signature([made.trusted]) == .right(made.trusted, .unknown))
    #expect(signature([MadeHealthCard().trusted]) == .wrong)
    #expect(signature([]) == .noKey(KeyID(made.keyID)))
    #expect(Verification(of: card, with: [], at: Self.now).hasExpired == nil)
  }

  @Test func `a card with a changed character is unreadable or fails verification`() throws {
    let made = MadeHealthCard()
    let signature = Array(try made.signature().utf8)
    for place in signature.indices {
      var changed = signature
      changed[place] = changed[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      let code = Code(Array(MadeHealthCard.payload(String(decoding: changed, as: UTF8.self)).utf8))
      guard let card = code.certificate else {
        #expect(code.kind == "unreadable-shc")
        continue
      }
      if case .right = Verification(of: card, with: [made.trusted], at: Self.now).signature {
        // The last character of Base64url has unused bits.
        #expect(place == signature.count - 1)
      }
    }
  }

  @Test(arguments: ["shc:/", "shc:/5", "shc:/5a", "shc:/7878", "shc:/9999", "shc:/56", "shc:/0101"])
  func `malformed digits of a card are refused`(text: String) {
    #expect(Code(Array(text.utf8)).kind == "unreadable-shc")
  }

  @Test func `a deflate bomb and a deeply nested bundle are refused`() throws {
    let bomb = MadeCertificate.compressed([UInt8](repeating: 0x20, count: 2 << 20), -15)
    var deep: JSON = []
    for _ in 0..<1_000 { deep = [deep] }
    let content = MadeCertificate.compressed(deep.encoded, -15)
    for (packed, fault) in [(bomb, CodeFault.compression), (content, .json)] {
      let parts = [Array(#"{"zip":"DEF","alg":"ES256","kid":"a"}"#.utf8), packed, [0]]
      let text = parts.map(MadeHealthCard.base64URL).joined(separator: ".")
      guard case .unreadable(.healthCard, fault) = Code(Array(MadeHealthCard.payload(text).utf8))
      else {
        Issue.record("\(fault) was not found")
        continue
      }
    }
  }

  @Test func `each card of a file becomes a payload, and a malformed file is refused`() throws {
    let cards = [MadeHealthCard(), MadeHealthCard()]
    let signatures = try cards.map { try $0.signature() }
    let file: JSON = ["verifiableCredential": .array(signatures.map(JSON.string))]
    let payloads = try HealthCardFile(reading: file.encoded).payloads
    #expect(payloads == signatures.map(MadeHealthCard.payload))
    #expect(throws: CodeFault.content) { try HealthCardFile(reading: Array("{}".utf8)) }
    #expect(throws: CodeFault.json) { try HealthCardFile(reading: Array("{".utf8)) }
    let large: JSON = ["verifiableCredential": [.string(String(repeating: "a", count: 4_100))]]
    #expect(throws: CodeFault.size) { try HealthCardFile(reading: large.encoded) }
  }

  @Test func `a revocation entry with a time applies only to cards signed before it`() throws {
    let list = try #require(
      RevocationList(
        JSON(
          reading: Array(
            #"{"kid":"k","method":"rid","ctr":1,"rids":["vwAjHdarZuc.1620992384","FKDIxsTCGlU"]}"#
              .utf8)))
    )
    func revocation(_ number: String?, _ notBefore: String) throws -> Verification.Revocation {
      let card = try MadeHealthCard(notBefore: notBefore, revocationNumber: number).card()
      return Verification(of: card, with: [], list, at: Self.now).revocation
    }
    #expect(try revocation("FKDIxsTCGlU", "1700000000") == .revoked)
    #expect(try revocation("vwAjHdarZuc", "1620992383") == .revoked)
    #expect(try revocation("vwAjHdarZuc", "1620992384") == .notListed)
    #expect(try revocation("other", "1620992383") == .notListed)
    #expect(try revocation(nil, "1620992383") == .notChecked)
  }

  @Test func `a card is exported to FHIR with its holder as the patient`() throws {
    let resources = try MadeHealthCard().card().resources(id: "certificate-1")
    #expect(resources.map { $0["resourceType"]?.string } == ["Immunization", "Observation"])
    #expect(resources[0]["patient"]?["reference"]?.string == "#holder")
    #expect(resources[0]["lotNumber"]?.string == "0000001")
    #expect(resources[1]["subject"]?["reference"]?.string == "#holder")
    #expect(resources.allSatisfy { $0["contained"]?.items.count == 1 })
  }
}
