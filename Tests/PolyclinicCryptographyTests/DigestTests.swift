import PolyclinicSystem
import Testing

@testable import PolyclinicCryptography

@Suite struct DigestTests {
  /// The examples of FIPS 180-4 (csrc.nist.gov, SHA-256).
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      String(repeating: "a", count: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ])
  func `SHA-256 gives the digests of FIPS 180-4`(text: String, digest: String) {
    #expect(SHA256.digest(of: text.utf8).hexadecimalText == digest)
  }

  @Test func `bytes in parts have the digest of the whole`() {
    let bytes: [UInt8] = .random(300)
    for cut in [0, 1, 63, 64, 65, 299, 300] {
      var digest = SHA256()
      digest.update(bytes[..<cut])
      digest.update(bytes[cut...])
      #expect(digest.finish() == SHA256.digest(of: bytes), "cut at \(cut)")
    }
  }

  @Test func `bytes that do not lie in one piece have the same digest`() {
    let bytes: [UInt8] = .random(300)
    #expect(SHA256.digest(of: bytes.lazy.map { $0 }) == SHA256.digest(of: bytes))
  }
}
