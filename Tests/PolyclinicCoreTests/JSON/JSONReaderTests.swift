import PolyclinicCore
import Testing

@Suite struct JSONReaderTests {
  private func read(_ text: String) throws -> JSON { try JSON(reading: Array(text.utf8)) }

  @Test func `values are read unchanged, and numbers keep their spelling`() throws {
    #expect(
      try read(#" {"a": [1, -0.5e3, true, null], "b": {}} "#) == [
        "a": [.written("1"), .written("-0.5e3"), true, nil], "b": .object([]),
      ])
    #expect(try read(#""q\"\\\/\b\f\n\r\tA""#) == .string("q\"\\/\u{8}\u{C}\n\r\tA"))
    #expect(try read(#""\ud83d\ude00 שלום""#) == .string("😀 שלום"))
  }

  @Test func `a number outside the range of Double is kept as text`() throws {
    #expect(try read("1e309") == .written("1e309"))
    #expect(try read("NaN") == .written("NaN"))
    #expect(try read("-Infinity") == .written("-Infinity"))
  }

  @Test(arguments: [
    "", " ", "{", "[1,]", "{\"a\":1,}", "{\"a\":1,\"a\":2}", "{a:1}", "01", "1.", ".5", "+1", "1e",
    "--1", "tru", "nul", "\"", "\"\\x\"", "\"\\ud83d\"", "\"\\ude00\"", "\"\\u12\"", "\"\u{1}\"",
    "1 2", "[1 2]", "{\"a\" 1}", "'a'", "/* */ 1", "\u{FEFF}1", "-", "- 1",
  ]) func `malformed JSON is refused`(_ text: String) {
    #expect(throws: JSONFault.self) { try read(text) }
  }

  @Test func `a string that is not UTF-8 is refused`() {
    #expect(throws: JSONFault.self) { try JSON(reading: [0x22, 0xFF, 0x22]) }
  }

  @Test func `U+0000 in a name or a text is read as another control character`() throws {
    #expect(try read(#"{"a\u0000": "b\u0000"}"#) == read(#"{"a\u0001": "b\u0001"}"#))
  }

  @Test func `depth and number of values are limited`() {
    let deep = String(repeating: "[", count: 17) + String(repeating: "]", count: 17)
    #expect(throws: Never.self) { try read(deep) }
    #expect(throws: JSONFault.self) { try read("[" + deep + "]") }
    let long = "[" + Array(repeating: "1", count: 20_000).joined(separator: ",") + "]"
    #expect(throws: JSONFault.self) { try read(long) }
  }

  @Test func `a written value is read back unchanged`() throws {
    let value: JSON = ["name": "Вера \"V\" \\ \n שרה", "rows": [["x": nil], ["y": false]]]
    #expect(try JSON(reading: value.encoded) == value)
  }
}
