import Testing

@testable import PolyclinicServer

@Suite struct TokenTests {
  @Test func `a token is 43 characters, never the same, and comes back with its hash`() throws {
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
  func `what cannot be a token is none`(text: String) {
    #expect(Token(text) == nil)
  }

  @Test func `a printed token does not show itself`() {
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
  func `the vectors of RFC 4648 hold`(plain: String, padded: String, unpadded: String) {
    #expect(Base64.standard.text(Array(plain.utf8)) == padded)
    #expect(Base64.url.text(Array(plain.utf8)) == unpadded)
    #expect(Base64.standard.decoded(padded.utf8) == Array(plain.utf8))
    #expect(Base64.unpadded.decoded(unpadded.utf8) == Array(plain.utf8))
  }

  @Test func `all bytes come back, each alphabet reads its own signs only`() {
    let bytes = (0...255).map(UInt8.init)
    for alphabet in [Base64.standard, .unpadded, .url] {
      #expect(alphabet.decoded(alphabet.encoded(bytes)) == bytes)
    }
    #expect(Base64.url.text([0xfb, 0xff]) == "-_8")
    #expect(Base64.url.decoded("+/8".utf8) == nil)
    #expect(Base64.standard.decoded("-_8=".utf8) == nil)
  }

  @Test(arguments: ["Zh==", "Zg=", "Zg", "Z===", "====", "Zg==\n", "Zm9=", "Z g=", "Zg==Zg=="])
  func `a second spelling of the same bytes is refused`(text: String) {
    #expect(Base64.standard.decoded(text.utf8) == nil)
  }
}
