import Foundation
import PolyclinicCore
import PolyclinicTestSupport
import Testing

@testable import VaccinationQR

/// A test signer: its certificate of 2021-05-01 to 2023-05-01 and its private key.
enum MadeSigner {
  static let certificate = """
    MIIBjjCCATSgAwIBAgIBBzAKBggqhkjOPQQDAjBLMQswCQYDVQQGEwJBVDEoMCYGA1UECgwfVGVzdG1pbmlzdGVyaXVtIGbDvHIg\
    R2VzdW5kaGVpdDESMBAGA1UEAwwJVGVzdCBDU0NBMB4XDTIxMDUwMTAwMDAwMFoXDTIzMDUwMTAwMDAwMFowVjELMAkGA1UEBhMC\
    QVQxKDAmBgNVBAoMH1Rlc3RtaW5pc3Rlcml1bSBmw7xyIEdlc3VuZGhlaXQxHTAbBgNVBAMMFFRlc3QtVW50ZXJ6ZWljaG5lciAx\
    MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEI8kR51JE4G4jlcQ+dCyT5El9Kas7Kz0kwEVeDJ3rYePntIeXFtd3QbexMOToV1Kp\
    mZxd895KGMn3Gfu6vdXw0zAKBggqhkjOPQQDAgNIADBFAiEAvz2dT+QUd3tVO/VIOVaq0R+43YkABtgGS9srevhcv0kCIC15/zmG\
    hLdbGKZJobBeRTq44/NX6jwcgkvFzsYLdmdy
    """
  static let der = [UInt8](Data(base64Encoded: certificate) ?? Data())
  /// The first bytes of the certificate's SHA-256.
  static let keyID: [UInt8] = [0x51, 0x01, 0x56, 0x1f, 0x20, 0x80, 0x80, 0x6b]

  static let key = TestSigner(
    p256: [UInt8](Data(base64Encoded: "II3zFgRhKQQGQVzXKuKXljnUzF4FnMfMQUTPqMlqdBg=") ?? Data()))

  static func pem(_ der: [UInt8], _ name: String = "CERTIFICATE") -> String {
    let text = Data(der).base64EncodedString(options: .lineLength64Characters)
    return "-----BEGIN \(name)-----\n\(text)\n-----END \(name)-----\n"
  }
}

@Suite struct TrustFileTests {
  private func read(_ text: String) throws -> TrustFile { try TrustFile(reading: Array(text.utf8)) }

  @Test func `a DER certificate is read with key, id, owner and validity`() throws {
    let key = try #require(try TrustFile(reading: MadeSigner.der).keys.first)
    #expect(key.id == KeyID(MadeSigner.keyID) && key.format == .certificate)
    #expect(key.publicKey == MadeSigner.key.publicKey)
    #expect(
      key.certificate
        == TrustedKey.Owner(
          subject: "Test-Unterzeichner 1", issuer: "Test CSCA", country: "AT",
          notBefore: Instant(1_619_827_200), notAfter: Instant(1_682_899_200)))
  }

  @Test func `a verified signature shows if the signer's certificate was valid at issue`() throws {
    let trusted = try TrustFile(reading: MadeSigner.der).keys
    func signer(_ issuedAt: Int64) throws -> Verification.Signer? {
      let made = MadeCertificate(
        key: MadeSigner.key, keyID: MadeSigner.keyID, issuedAt: Instant(issuedAt))
      let verified = Verification(of: try made.certificate(), with: trusted, at: Instant(0))
      guard case .right(_, let signer) = verified.signature else { return nil }
      return signer
    }
    #expect(try signer(1_619_827_199) == .notValid)
    #expect(try signer(1_619_827_200) == .valid)
    #expect(try signer(1_682_899_200) == .valid)
    #expect(try signer(1_682_899_201) == .notValid)
  }

  @Test func `a PEM file may contain several certificates and public keys`() throws {
    let publicKey = TestSigner().publicKey
    let text =
      "A text.\r\n" + MadeSigner.pem(MadeSigner.der) + MadeSigner.pem(publicKey, "PUBLIC KEY")
    let keys = try read(text).keys
    #expect(keys.map(\.format) == [.certificate, .publicKey])
    #expect(keys[1].id == nil && keys[1].publicKey == publicKey)
    #expect(try TrustFile(reading: publicKey).keys.first == keys[1])
  }

  @Test func `a JWKS may contain keys with and without certificates`() throws {
    let rsa = TestSigner.rsa
    let coordinates = TestSigner().point
    let keys: [String] = [
      #"{"kty":"EC","kid":"a","crv":"P-256","x":"\#(MadeHealthCard.base64URL(Array(coordinates[..<32])))","y":"\#(MadeHealthCard.base64URL(Array(coordinates[32...])))"}"#,
      #"{"kty":"EC","kid":"b","crv":"P-256","x5c":["\#(MadeSigner.certificate)"]}"#,
      #"{"kty":"RSA","kid":"c","n":"\#(MadeHealthCard.base64URL(rsa.modulus))","e":"\#(MadeHealthCard.base64URL(rsa.exponent))"}"#,
      #"{"kty":"EC","kid":"d","crv":"P-384","x":"AA","y":"AA"}"#,
      #"{"kty":"OKP","kid":"e","crv":"Ed25519","x":"AA"}"#,
      #"{"kty":"EC","kid":"f","crv":"P-256","use":"enc","x":"AA","y":"AA"}"#,
    ]
    let file = try read(#"{"keys":[\#(keys.joined(separator: ","))]}"#)
    #expect(file.keys.map { $0.id?.text } == ["a", "b", "c"] && file.leftOut == 2)
    #expect(file.keys[1].certificate?.country == "AT")
    #expect(file.keys[0].publicKey.suffix(64).elementsEqual(coordinates))
  }

  @Test func `a coordinate in a DID document may have a leading zero byte`() throws {
    let point = MadeSigner.key.point
    let x = MadeHealthCard.base64URL([0] + point[..<32])
    let y = MadeHealthCard.base64URL([0] + point[32...])
    let file = try read(
      """
      {"id":"did:web:example","verificationMethod":["did:web:example:elsewhere",
       {"id":"did:web:example#1","type":"JsonWebKey2020",
        "publicKeyJwk":{"kty":"EC","kid":"XPjhL9Znd1M=","crv":"P-256","x":"\(x)","y":"\(y)"}}]}
      """)
    #expect(file.keys.map(\.publicKey) == [MadeSigner.key.publicKey])
    #expect(file.keys.first?.id?.text == "XPjhL9Znd1M=" && file.leftOut == 1)
  }

  @Test func `a file with a broken entry is refused with the entry's position`() throws {
    let good = MadeSigner.pem(MadeSigner.der)
    let broken: [(String, Int)] = [
      (good + MadeSigner.pem(Array(MadeSigner.der.dropLast())), 2),
      (good + "-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----", 2),
      (good + "-----BEGIN CERTIFICATE-----\nAAAA", 2), (MadeSigner.pem(MadeSigner.der + [0]), 1),
      (
        #"{"keys":[{"kty":"EC","kid":"b","x5c":["\#(MadeSigner.certificate)"]},{"kty":"EC","crv":"P-256"}]}"#,
        2
      ),
      (#"{"keys":[{"kty":"EC","kid":"b","crv":"P-256","x":"AA","y":"AA"}]}"#, 1),
      (#"{"keys":[{"kty":"EC","kid":"b","x5c":["AA"]}]}"#, 1), (#"{"keys":[1]}"#, 1),
      (#"{"verificationMethod":[{"publicKeyJwk":{"kty":"EC"}}]}"#, 1),
      (#"{"kid":"k","ctr":1,"rids":["a much too long number of a card"]}"#, 1),
    ]
    for (text, position) in broken {
      #expect(throws: TrustFile.Fault.broken(position: position), "\(text.prefix(60))") {
        try read(text)
      }
    }
    for cut in stride(from: 1, to: MadeSigner.der.count, by: 7) {
      #expect(throws: TrustFile.Fault.self) {
        try TrustFile(reading: Array(MadeSigner.der[..<cut]))
      }
    }
  }

  @Test func `a file without keys is refused`() {
    for text in [#"{"keys":[]}"#, #"{"verificationMethod":["did:web:x"]}"#] {
      #expect(throws: TrustFile.Fault.empty) { try read(text) }
    }
    for text in ["", "hello", "{}", "[]", "{"] {
      #expect(throws: TrustFile.Fault.unknownFormat) { try read(text) }
    }
  }

  @Test func `a list of 4 000 keys is read`() throws {
    let method =
      #"{"id":"a","type":"t","publicKeyJwk":{"kty":"EC","kid":"k","crv":"P-256","x5c":["\#(MadeSigner.certificate)"]}}"#
    let methods = [String](repeating: method, count: 4_000).joined(separator: ",")
    #expect(try read(#"{"verificationMethod":[\#(methods)]}"#).keys.count == 4_000)
  }
}
