import Crypto
import CryptoExtras
import Foundation
import PolyclinicCore
import Testing

@testable import VaccinationQR

/// EU certificates signed by the tests.
@Suite struct EuropeanCertificateTests {
  private static let inTime = Instant(1_620_324_001)

  private func words(
    _ certificate: any DecodedCertificate, _ section: String, _ language: Language = .english
  ) -> [String: String] {
    let formats = Formats(language: language, timeZone: .utc)
    let statements = certificate.sections.filter { $0.name == section }.flatMap(\.statements)
    return Dictionary(statements.map { ($0.name, $0.value.words(in: formats)) }) { first, _ in
      first
    }
  }

  @Test func `a vaccination is decoded, and its codes are translated into words`() throws {
    let certificate = try MadeCertificate().certificate()
    #expect(certificate.name.family == "Gößinger" && certificate.birthDate == "1998-02-26")
    let english = words(certificate, "vaccination")
    #expect(english["product"] == "Comirnaty" && english["dose"] == "3 / 2")
    #expect(english["vaccine"] == "SARS-CoV-2 mRNA vaccine" && english["country"] == "Austria")
    #expect(english["vaccinated-on"] == "18 February 2021")
    #expect(words(certificate, "vaccination", .russian)["country"] == "Австрия")
    #expect(words(certificate, "vaccination", .hebrew)["vaccine"]?.contains("mRNA") == true)
    let product = certificate.sections[1].statements.first { $0.name == "product" }
    #expect(product?.value.code == "EU/1/20/1528")
  }

  @Test func `a test and a recovery are decoded`() throws {
    let test = try MadeCertificate(entry: MadeCertificate.test, entryName: "t").certificate()
    #expect(words(test, "test")["result"] == "Not detected")
    #expect(words(test, "test")["sampled-at"] == "13 April 2021 at 14:20")
    let recovery = try MadeCertificate(entry: MadeCertificate.recovery, entryName: "r")
      .certificate()
    #expect(words(recovery, "recovery")["valid-until"] == "4 October 2021")
  }

  @Test func `an unknown code is shown unchanged`() throws {
    let entry: CBOR = ["tg": "840539006", "mp": "Unknown-1", "vp": "42", "co": "ZZ"]
    let certificate = try MadeCertificate(entry: entry).certificate()
    let shown = words(certificate, "vaccination")
    #expect(shown["product"] == "Unknown-1" && shown["vaccine"] == "42" && shown["country"] == "ZZ")
    #expect(
      certificate.sections[1].statements.allSatisfy {
        $0.value.words(in: Formats(language: .english, timeZone: .utc)) != $0.value.code
      })
  }

  @Test(arguments: ["", "1998", "1998-02"])
  func `a birth date may be incomplete`(date: String) throws {
    let certificate = try MadeCertificate(birthDate: .text(date)).certificate()
    #expect(certificate.birthDate == date)
    #expect(words(certificate, "person")["birth-date"] == (date.isEmpty ? nil : date))
  }

  @Test func `a signature is verified for each algorithm, key id position and encoding`() throws {
    let keys: [MadeCertificate.Key] = [
      .ecdsa(P256.Signing.PrivateKey()), .rsa(try _RSA.Signing.PrivateKey(keySize: .bits2048)),
    ]
    for key in keys {
      for isKeyIDProtected in [true, false] {
        for isPacked in [true, false] {
          let made = MadeCertificate(
            key: key, isKeyIDProtected: isKeyIDProtected, isTagged: isPacked,
            isCompressed: isPacked)
          let verified = Verification(
            of: try made.certificate(), with: [made.trusted], at: Self.inTime)
          #expect(verified.signature == .right(made.trusted, .unknown))
        }
      }
    }
  }

  @Test func `the right key is found among several with the same id`() throws {
    let made = MadeCertificate()
    let other = MadeCertificate()
    let rsa = MadeCertificate(key: .rsa(try _RSA.Signing.PrivateKey(keySize: .bits2048)))
    let keys = [other.trusted, rsa.trusted, made.trusted]
    let verified = Verification(of: try made.certificate(), with: keys, at: Self.inTime)
    #expect(verified.signature == .right(made.trusted, .unknown))
  }

  @Test func `a signature is wrong with another key, and unchecked without a key`() throws {
    let made = MadeCertificate()
    let certificate = try made.certificate()
    let wrong = Verification(of: certificate, with: [MadeCertificate().trusted], at: Self.inTime)
    #expect(wrong.signature == .wrong)
    let unchecked = Verification(of: certificate, with: [], at: Self.inTime)
    #expect(unchecked.signature == .noKey(KeyID(made.keyID)))
    #expect(unchecked.revocation == .notChecked)
  }

  @Test func `a message with a changed byte is unreadable or fails verification`() throws {
    let made = MadeCertificate()
    let message = try made.message()
    for place in message.indices {
      var changed = message
      changed[place] ^= 1
      switch Code(MadeCertificate.payload(changed)) {
      case .unreadable(.european, _): break
      case .european(let certificate):
        let verified = Verification(of: certificate, with: [made.trusted], at: Self.inTime)
        if case .right = verified.signature { Issue.record("byte \(place)") }
      default: Issue.record("byte \(place) makes it another kind")
      }
    }
  }

  @Test func `the technical expiry is reported separately from the signature`() throws {
    let made = MadeCertificate()
    let certificate = try made.certificate()
    func verified(_ now: Instant) -> Verification {
      Verification(of: certificate, with: [made.trusted], at: now)
    }
    let before = verified(made.issuedAt - .seconds(1))
    #expect(before.isAhead == true && before.hasExpired == false)
    let last = verified(made.expiresAt - .seconds(1))
    #expect(last.isAhead == false && last.hasExpired == false)
    let after = verified(made.expiresAt)
    #expect(after.hasExpired == true && after.signature == .right(made.trusted, .unknown))
  }

  @Test func `a zlib bomb is refused`() throws {
    let bomb = MadeCertificate.compressed([UInt8](repeating: 0, count: 4 << 20), 15)
    let payload = MadeCertificate.payload(bomb)
    #expect(payload.count < Code.limit)
    guard case .unreadable(.european, .compression) = Code(payload) else {
      Issue.record("the bomb was not refused")
      return
    }
  }

  @Test func `truncated and random codes are refused`() throws {
    let payload = try MadeCertificate().payload()
    for length in 4..<payload.count {
      guard case .unreadable(.european, _) = Code(Array(payload[..<length])) else {
        Issue.record("\(length) bytes were read")
        continue
      }
    }
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<500 {
      let bytes = (0..<Int.random(in: 0...600)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      for content in [bytes, [0xD2, 0x84] + bytes, MadeCertificate.compressed(bytes, 15)] {
        guard case .unreadable(.european, _) = Code(MadeCertificate.payload(content)) else {
          Issue.record("random bytes were read")
          continue
        }
      }
      _ = Code(bytes)
      _ = Code(Array("shc:/".utf8) + bytes)
    }
  }

  @Test func `a code above 8 KB is refused for its size`() {
    guard
      case .unreadable(.european, .size) = Code(
        [UInt8]("HC1:".utf8) + [UInt8](repeating: 0x30, count: 8_192))
    else {
      Issue.record("the code was read")
      return
    }
  }

  @Test func `a message without a certificate is refused for its content`() throws {
    let made = MadeCertificate(entryName: "x")
    guard case .unreadable(.european, .content) = Code(try made.payload()) else {
      Issue.record("there is no entry in it")
      return
    }
  }

  @Test func `certificates are exported to FHIR as Immunization, Observation and Condition`() throws
  {
    let immunization = try MadeCertificate().certificate().resources(id: "certificate-7")[0]
    #expect(immunization["resourceType"]?.string == "Immunization")
    #expect(immunization["id"]?.string == "certificate-7-1")
    #expect(immunization["patient"]?["reference"]?.string == "#holder")
    let holder = immunization["contained"]?.items.first
    #expect(holder?["name"]?.items.first?["text"]?.string == "Gabriele Gößinger")
    #expect(holder?["birthDate"]?.string == "1998-02-26")
    #expect(immunization["occurrenceDateTime"]?.string == "2021-02-18")
    let codes = immunization["vaccineCode"]?["coding"]?.items.compactMap { $0["code"]?.string }
    #expect(codes == ["1119349007", "EU/1/20/1528"])
    let dose = immunization["protocolApplied"]?.items.first
    #expect(dose?["doseNumberPositiveInt"] == 3 && dose?["seriesDosesPositiveInt"] == 2)
    let test = try MadeCertificate(entry: MadeCertificate.test, entryName: "t").certificate()
    let observation = test.fhir(id: "a")[0]
    #expect(observation["effectiveDateTime"]?.string == "2021-04-13T14:20:00+00:00")
    #expect(observation["valueCodeableConcept"]?["coding"]?.items[0]["code"]?.string == "260415000")
    let recovery = try MadeCertificate(entry: MadeCertificate.recovery, entryName: "r")
      .certificate()
    #expect(recovery.fhir(id: "a")[0]["onsetDateTime"]?.string == "2021-02-20")
  }
}
