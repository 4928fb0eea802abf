import Testing

@testable import VaccinationQR

/// Base45: the examples of its RFC, and malformed text.
@Suite struct Base45Tests {
  @Test(arguments: [
    ("BB8", "AB"), ("%69 VD92EX0", "Hello!!"), ("UJCLQE7W581", "base-45"), ("QED8WEX0", "ietf!"),
    ("", ""),
  ])
  func `Base45 decodes the examples of RFC 9285`(text: String, decoded: String) {
    #expect([UInt8](base45: Array(text.utf8)[...]) == Array(decoded.utf8))
  }

  @Test(arguments: ["GGW", ":::", "::", "B", "BB8B", "bb8", "B\u{E9}8", "UJCLQE7W58\n"])
  func `Base45 refuses malformed text`(text: String) {
    #expect([UInt8](base45: Array(text.utf8)[...]) == nil)
  }
}
