import Testing

@testable import PolyclinicSystem
@testable import PolyclinicVault

@Suite struct TokenTests {
  @Test func `a random token has 43 characters and parses back to the same hash`() throws {
    let token = Token.random()
    #expect(token.text.utf8.count == 43)
    #expect(token.text != Token.random().text)
    #expect(Token(token.text)?.hash == token.hash)
    #expect(token.hash.count == 32)
  }

  @Test(arguments: [
    "", "A", String(repeating: "A", count: 42), String(repeating: "A", count: 44),
    String(repeating: "A", count: 42) + "B", String(repeating: "A", count: 42) + "+",
    String(repeating: "A", count: 42) + "=", String(repeating: "é", count: 43),
  ])
  func `a malformed token is rejected`(text: String) {
    #expect(Token(text) == nil)
  }

  @Test func `the description of a token does not contain its text`() {
    let token = Token.random()
    #expect("\(token)" == "Token")
  }
}

@Suite struct TokenBase64Tests {
  @Test(arguments: [
    ("", "", ""), ("f", "Zg==", "Zg"), ("fo", "Zm8=", "Zm8"), ("foo", "Zm9v", "Zm9v"),
    ("foob", "Zm9vYg==", "Zm9vYg"), ("fooba", "Zm9vYmE=", "Zm9vYmE"),
    ("foobar", "Zm9vYmFy", "Zm9vYmFy"),
  ])
  func `Base64 matches the test vectors of RFC 4648`(
    plain: String, padded: String, unpadded: String
  ) {
    #expect(Base64.standard.text(Array(plain.utf8)) == padded)
    #expect(Base64.url.text(Array(plain.utf8)) == unpadded)
    #expect(Base64.standard.decoded(padded) == Array(plain.utf8))
    #expect(Base64.unpadded.decoded(unpadded) == Array(plain.utf8))
  }

  @Test func `Base64 round-trips all bytes and rejects the other alphabet`() {
    let bytes = (0...255).map(UInt8.init)
    for alphabet in [Base64.standard, .unpadded, .url] {
      #expect(alphabet.decoded(alphabet.encoded(bytes)[...]) == bytes)
    }
    #expect(Base64.url.text([0xfb, 0xff]) == "-_8")
    #expect(Base64.url.decoded("+/8") == nil)
    #expect(Base64.standard.decoded("-_8=") == nil)
  }

  @Test(arguments: ["Zh==", "Zg=", "Zg", "Z===", "====", "Zg==\n", "Zm9=", "Z g=", "Zg==Zg=="])
  func `non-canonical Base64 is rejected`(text: String) {
    #expect(Base64.standard.decoded(text) == nil)
  }
}
