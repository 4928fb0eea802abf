import Foundation
import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import VaccinationQR

/// `polyclinic vaccination-qr trust FILE…`
@Suite struct TrustCommandTests {
  private let portal: TestPortal

  init() throws { portal = try TestPortal(VaccinationQRModule()) }

  private func file(_ name: String, _ content: [UInt8]) throws -> String {
    let path = portal.directory + "/" + name
    try Data(content).write(to: URL(filePath: path))
    return path
  }

  private func stored(_ made: MadeCertificate) throws -> Verification {
    let certificate = try made.certificate()
    let all = try portal.read {
      try Verification.all(of: [certificate], in: $0.at(Instant(1_620_324_001)))
    }
    return try #require(all.first)
  }

  private func made() throws -> MadeCertificate {
    MadeCertificate(key: MadeSigner.key, keyID: MadeSigner.keyID)
  }

  @Test func `keys of several files are stored and verify certificates`() throws {
    #expect(try stored(try made()).signature == .noKey(KeyID(MadeSigner.keyID)))
    let other = MadeCertificate()
    let paths = [
      try file("signer.der", MadeSigner.der),
      try file("key.pem", Array(MadeSigner.pem(other.trusted.publicKey, "PUBLIC KEY").utf8)),
    ]
    let told = try portal.run("vaccination-qr", ["trust"] + paths)
    #expect(told.status == 0)
    #expect(
      told.text == """
        Keys added: 2. Known before: 0.
          AT, Test CSCA: 1
          no certificate: 1
        """)
    let expected = try TrustFile(reading: MadeSigner.der).keys[0]
    #expect(try stored(try made()).signature == .right(expected, .valid))
    // A key without an id is tried for all codes and makes no signature wrong.
    guard case .right(let key, .unknown) = try stored(other).signature else {
      Issue.record("the key without a certificate did not verify")
      return
    }
    #expect(key.id == nil)
    #expect(try stored(MadeCertificate()).signature == .noKey(KeyID(other.keyID)))
    let again = try portal.run("vaccination-qr", ["trust", paths[0]])
    #expect(again.text == "Keys added: 0. Known before: 1.")
  }

  @Test func `if one file is broken, no key of any file is stored`() throws {
    let good = try file("signer.der", MadeSigner.der)
    let broken = try file("broken.pem", Array("-----BEGIN CERTIFICATE-----\nAAAA\n".utf8))
    let told = try portal.run("vaccination-qr", ["trust", good, broken])
    #expect(told.status == 1)
    #expect(
      told.text == "Nothing was added. \(broken) is refused: entry 1 cannot be read.")
    #expect(try stored(try made()).signature == .noKey(KeyID(MadeSigner.keyID)))
    #expect(try portal.run("vaccination-qr", ["trust"]).status == 2)
  }

  @Test func `a newer revocation list replaces the stored one, and an older one does not`() throws {
    func list(_ counter: Int, _ number: String) throws -> String {
      let text = #"{"kid":"k","method":"rid","ctr":\#(counter),"rids":["\#(number)"]}"#
      return try file("crl-\(counter).json", Array(text.utf8))
    }
    let card = try MadeHealthCard(keyID: "k", revocationNumber: "second").card()
    func revocation() throws -> Verification.Revocation? {
      try portal.read { try Verification.all(of: [card], in: $0.at(Instant(0))).first?.revocation }
    }
    #expect(try revocation() == .notChecked)
    #expect(try portal.run("vaccination-qr", ["trust", list(1, "first")]).status == 0)
    #expect(try revocation() == .notListed)
    let told = try portal.run("vaccination-qr", ["trust", list(2, "second")])
    #expect(told.text.hasSuffix("Revocation lists stored: 1 of 1."))
    #expect(try revocation() == .revoked)
    let older = try portal.run("vaccination-qr", ["trust", list(1, "first")])
    #expect(older.text.hasSuffix("Revocation lists stored: 0 of 1."))
    #expect(try revocation() == .revoked)
  }
}
