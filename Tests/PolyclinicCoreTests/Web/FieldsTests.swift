import Testing

@testable import PolyclinicCore

@Suite struct FieldsTests {
  private func fields(_ text: String) -> Fields? { Fields(urlencoded: Array(text.utf8)) }

  @Test func `pairs are read in order, with plus as a space and percent as a byte`() {
    let sent = fields("a=1&b=x+y%2B&a=%D0%96&empty=&bare&=v")
    #expect(
      sent?.pairs.map { "\($0.name)|\($0.value)" } == [
        "a|1", "b|x y+", "a|Ж", "empty|", "bare|", "|v",
      ])
    #expect(sent?["a"] == "1" && sent?.all("a") == ["1", "Ж"])
    #expect(sent?["nothing"] == "" && sent?.contains("bare") == true)
    #expect(sent?.contains("nothing") == false)
  }

  @Test func `only the first equals sign separates name and value`() {
    #expect(fields("a=b=c=")?["a"] == "b=c=")
  }

  @Test(arguments: ["", "&", "&&&"])
  func `an empty body has no fields`(_ text: String) {
    #expect(fields(text)?.pairs.isEmpty == true)
  }

  @Test(arguments: [
    "a=%", "a=%4", "a=%4g", "a=%zz", "%=a", "a=%%41", "a=1&b=%2", "a=% 41", "a=%+1",
  ])
  func `a malformed percent escape is refused`(_ text: String) {
    #expect(fields(text) == nil)
  }

  @Test(arguments: [
    "a=%FF", "a=%C3", "a=%C3%28", "a=%ED%A0%80", "a=%F8%88%80%80%80", "%80=a", "a=%C0%AF",
  ])
  func `percent escapes that are not UTF-8 are refused`(_ text: String) {
    #expect(fields(text) == nil)
  }

  @Test func `a raw byte that is not UTF-8 is refused`() {
    #expect(Fields(urlencoded: [UInt8(ascii: "a"), UInt8(ascii: "="), 0xFF]) == nil)
  }

  @Test func `a thousand pairs are accepted and one more is refused`() {
    let thousand = (1...1_000).map { "f\($0)=x" }.joined(separator: "&")
    #expect(fields(thousand)?.pairs.count == 1_000)
    #expect(fields(thousand + "&f=x") == nil)
  }

  @Test func `U+0000 in a value becomes another character that the form's rules refuse`() {
    #expect(fields("a=%00")?["a"] == "\u{1}")
  }

  @Test func `a name with U+0000 is refused`() {
    #expect(fields("a%00=b") == nil)
  }

  @Test(arguments: [
    ("1", 1), ("7", 7), ("10000000", 10_000_000), ("", 1), ("0", 1), ("-1", 1), ("x", 1),
    ("10000001", 1), ("99999999999999999999", 1), ("1e3", 1),
  ])
  func `a page number outside 1 to 10,000,000 becomes 1`(_ text: String, _ page: Int) {
    #expect(Fields(["page": text]).page == page)
  }

  @Test func `named fields are removed, and the others keep their order`() {
    let sent: Fields = Fields(["a": "1", "b": "2", "a": "3", "c": "4"])
    #expect(sent.without(["a"]) == Fields(["b": "2", "c": "4"]))
  }
}
