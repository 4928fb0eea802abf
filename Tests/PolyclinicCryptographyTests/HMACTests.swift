import Dispatch
import PolyclinicSystem
import Synchronization
import Testing

@testable import PolyclinicCryptography

@Suite struct HMACTests {
  /// RFC 4231, sections 4.2 to 4.8.
  @Test(
    arguments: [
      (
        .init(repeating: 0x0b, count: 20), "Hi There",
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
      ),
      (
        Array("Jefe".utf8), "what do ya want for nothing?",
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
      ),
      (
        .init(repeating: 0x0c, count: 20), "Test With Truncation",
        "a3b6167473100ee06e0c796c2955552b"
      ),
      (
        .init(repeating: 0xaa, count: 131),
        "Test Using Larger Than Block-Size Key - Hash Key First",
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
      ),
      (
        .init(repeating: 0xaa, count: 131),
        "This is a test using a larger than block-size key and a larger than block-size data. The key "
          + "needs to be hashed before being used by the HMAC algorithm.",
        "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
      ),
    ] as [([UInt8], String, String)])
  func `HMAC gives the codes of RFC 4231`(key: [UInt8], message: String, code: String) {
    #expect(HMAC(keyBytes: key).code(of: Array(message.utf8)).hexadecimalText.hasPrefix(code))
  }

  @Test func `HMAC gives the codes of RFC 4231 for bytes that are no text`() {
    let zeroes = [UInt8](repeating: 0xdd, count: 50)
    #expect(
      HMAC(keyBytes: .init(repeating: 0xaa, count: 20)).code(of: zeroes).hexadecimalText
        == "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe")
    #expect(
      HMAC(keyBytes: Array(1...25)).code(of: [UInt8](repeating: 0xcd, count: 50)).hexadecimalText
        == "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b")
  }

  /// RFC 2202, section 3.
  @Test func `the code for authenticator apps is HMAC-SHA-1`() {
    let code = HMAC(authenticatorSecret: Array("Jefe".utf8))
      .code(of: Array("what do ya want for nothing?".utf8))
    #expect(code.hexadecimalText == "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79")
  }

  @Test func `each message begins anew, whatever came before it`() {
    let hmac = HMAC(.random())
    let first = hmac.code(of: [1, 2, 3])
    #expect(first.count == 32 && hmac.code(of: []) != first)
    #expect(hmac.code(of: [1, 2, 3]) == first)
    #expect(HMAC(.random()).code(of: [1, 2, 3]) != first)
  }

  @Test func `threads that share a key do not mix their messages`() {
    let hmac = HMAC(.random())
    let expected = (0..<8).map { hmac.code(of: [UInt8](repeating: UInt8($0), count: 100)) }
    let failed = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 8) { number in
      for _ in 0..<500 {
        let code = hmac.code(of: [UInt8](repeating: UInt8(number), count: 100))
        if code != expected[number] { failed.add(1, ordering: .relaxed) }
      }
    }
    #expect(failed.load(ordering: .relaxed) == 0)
  }
}
