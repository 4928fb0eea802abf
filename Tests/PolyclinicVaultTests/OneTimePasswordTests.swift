import PolyclinicCore
import Testing

@testable import PolyclinicSystem
@testable import PolyclinicVault

@Suite struct OneTimePasswordTests {
  /// The secret of RFC 6238, appendix B, for SHA-1.
  private let published = OneTimePassword(secret: Array("12345678901234567890".utf8))

  /// The last six of the eight digits in RFC 6238, appendix B.
  @Test(
    arguments: [
      (59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"),
      (1_234_567_890, "005924"), (2_000_000_000, "279037"), (20_000_000_000, "353130"),
    ] as [(Int64, String)])
  func `codes match the test vectors of RFC 6238`(seconds: Int64, code: String) {
    #expect(published.code(at: OneTimePassword.step(at: Instant(seconds))) == code)
  }

  @Test(arguments: ["287082", "287 082", " 287082\n", "٢٨٧٠٨٢", "२८७०८२", "287\u{A0}082"])
  func `a code with spaces or digits of another script is accepted`(typed: String) {
    #expect(published.step(of: typed, at: Instant(59), after: 0) == 1)
  }

  @Test(arguments: [
    "", "28708", "2870822", "287083", "28708a", "½87082", "-287082", "2\u{301}87082",
  ])
  func `a wrong or malformed code is rejected`(typed: String) {
    #expect(published.step(of: typed, at: Instant(59), after: 0) == nil)
  }

  @Test func `a code of many digits is rejected`() {
    let typed = String(repeating: "287082", count: 100_000)
    #expect(published.step(of: typed, at: Instant(59), after: 0) == nil)
  }

  @Test func `a code is valid once, for 60 seconds from the start of its step`() {
    let code = published.code(at: 100)
    let start = Instant(100 * OneTimePassword.span)
    #expect(published.step(of: code, at: start - .seconds(1), after: 0) == nil)
    #expect(published.step(of: code, at: start, after: 0) == 100)
    #expect(published.step(of: code, at: start + .seconds(59), after: 0) == 100)
    #expect(published.step(of: code, at: start + .seconds(60), after: 0) == nil)
    #expect(published.step(of: code, at: start, after: 100) == nil)
  }

  @Test func `the otpauth address contains issuer, login and key`() {
    #expect(published.key == "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
    #expect(
      published.address(issuer: "St. Mary & Co", login: "anna.né")
        == """
        otpauth://totp/St.%20Mary%20%26%20Co:anna.n%C3%A9?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ\
        &issuer=St.%20Mary%20%26%20Co
        """)
  }

  /// The test vectors of RFC 4648, section 10.
  @Test(arguments: [
    ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"), ("fooba", "MZXW6YTB"),
    ("foobar", "MZXW6YTBOI"),
  ])
  func `base32 matches the test vectors of RFC 4648`(plain: String, text: String) {
    #expect(Base32.text(Array(plain.utf8)) == text)
  }

  @Test func `a recovery code accepts common spellings and rejects malformed ones`() throws {
    let code = RecoveryCode.random()
    #expect(code.text.split(separator: " ").map(\.count) == [4, 4, 4, 4, 4, 4])
    let spellings = [
      code.text, code.text.lowercased(), code.text.replacing(" ", with: "-"),
      code.text.replacing("O", with: "0").replacing("I", with: "1").replacing("B", with: "8"),
    ]
    for spelling in spellings { #expect(try #require(RecoveryCode(spelling)).text == code.text) }
    for wrong in [
      "", "ABCD", code.text + "A", "ÄBCD" + code.text.dropFirst(4), "9" + code.text.dropFirst(),
    ] {
      #expect(RecoveryCode(wrong) == nil)
    }
  }
}
