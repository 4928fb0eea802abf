import Foundation
import PolyclinicCore
import PolyclinicTestSupport
import Testing

@testable import VaccinationQR

/// Certificates in Israel's first format, signed by the tests.
@Suite struct IsraeliCertificateTests {
  private static let content = """
    {"id":"01/IL/1532F4ED22C0BE2BF30540947C93D322#74D0CC9A","et":3,"ct":2,"c":"IL MOHEC","g":"Moshe",\
    "f":"Cohen","gl":"משה","fl":"כהן","idl":"000000018","idp":"12345678","b":"1990-02-07",\
    "e":"2021-08-14 00:00:00","a":"2021-02-15","d1":{"d":"2021-01-17","vv":"Pfizer","vt":"covid19",\
    "vb":"EK4240","vc":"208","o":"clalit","ol":"כללית","c":"ISR"},"rd":"2021-05-23"}
    """

  private func payload(_ signature: some Sequence<UInt8>, _ content: String = content) -> [UInt8] {
    Array((Data(signature).base64EncodedString() + "#" + content).utf8)
  }

  private func certificate(_ payload: [UInt8]) throws -> IsraeliCertificate {
    guard case .israeli(let certificate) = Code(payload) else { throw DecodingFailure() }
    return certificate
  }

  private func trusted(_ publicKey: [UInt8]) -> TrustedKey {
    let owner = TrustedKey.Owner(
      subject: "Ministry of Health", issuer: "Issuer", country: "IL", notBefore: Instant(0),
      notAfter: Instant(2_000_000_000))
    return TrustedKey(
      id: KeyID("1"), publicKey: publicKey, certificate: owner, format: .certificate)
  }

  @Test func `the holder of an Israeli certificate with local names alone is named by them`() {
    let text = #"{"id":"01/IL/A","et":3,"gl":"דנה","fl":"כהן","d1":{"d":"2021-02-01"}}"#
    let payload = String(repeating: "A", count: 96) + "#" + text
    #expect(Code(Array(payload.utf8)).certificate?.holder.name == "דנה כהן")
  }

  @Test func `ECDSA and RSA signatures are verified, and changed content fails`() throws {
    let content = Array(Self.content.utf8)
    let signers = [TestSigner(), .rsa]
    let keys = signers.map { trusted($0.publicKey) }
    let now = Instant(1_620_000_000)
    for (index, signer) in signers.enumerated() {
      let signature = signer.signature(of: content)
      let right = try certificate(payload(signature))
      #expect(
        Verification(of: right, with: keys, at: now).signature == .right(keys[index], .unknown))
      #expect(Verification(of: right, with: [], at: now).signature == .noKey(nil))
      let changed = Self.content.replacingOccurrences(of: "Moshe", with: "Mosche")
      let wrong = try certificate(payload(signature, changed))
      #expect(Verification(of: wrong, with: keys, at: now).signature == .unmatched(tried: 2))
    }
  }

  @Test func `all fields of a certificate are shown, including undocumented ones`() throws {
    let one = try certificate(payload([UInt8](repeating: 1, count: 70)))
    let formats = Formats(language: .english, timeZone: .utc)
    let shown = one.sections.flatMap(\.statements).map { ($0.name, $0.value.words(in: formats)) }
    #expect(shown.contains { $0 == ("local-given-name", "משה") })
    #expect(shown.contains { $0 == ("vaccine-code", "Pfizer-BioNTech (Comirnaty)") })
    #expect(shown.contains { $0 == ("certificate-type", "Vaccination") })
    #expect(shown.contains { $0 == ("other", "2021-05-23") })
    #expect(one.fhir(id: "a").count == 1)
  }

  @Test func `a certificate expires after its last day`() throws {
    let one = try certificate(payload([UInt8](repeating: 1, count: 70)))
    let end = Instant(Int64(try #require(CalendarDate("2021-08-15")).daysSince1970) * 86_400)
    #expect(one.validity.hasExpired(at: end - .seconds(1)) == false)
    #expect(one.validity.hasExpired(at: end) == true)
  }

  @Test func `a malformed certificate is unreadable or read as text`() {
    let signature = [UInt8](repeating: 1, count: 70)
    #expect(Code(payload(signature, "{")).kind == "unreadable-il")
    #expect(Code(payload(signature, "{}")).kind == "unreadable-il")
    #expect(Code(payload(signature, "[]")).kind == "text")
    #expect(Code(payload([1, 2, 3])).kind == "text")
  }
}
