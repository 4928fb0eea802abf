import Testing

@testable import PolyclinicCore

@Suite struct IncomingTextTests {
  private let mixed = "\u{315}\u{300}\u{5AE}\u{316}"

  @Test(arguments: ["", "plain", "Анна Озёрная", "אָלֶף־בֵּית", "Nguyễn Thị", "हिन्दी", "👩‍👩‍👧‍👦"])
  func `ordinary text of any script passes unchanged`(text: String) {
    #expect(IncomingText(text.utf8).text == text)
  }

  @Test func `thirty combining marks in a row pass`() {
    let text = "a" + String(repeating: "\u{301}", count: 30) + "b\u{301}"
    #expect(IncomingText(text.utf8).text == text)
  }

  @Test func `thirty-one combining marks in a row are refused`() {
    let text = "a" + String(repeating: "\u{301}", count: 31)
    let incoming = IncomingText(text.utf8)
    #expect(incoming.text == nil)
    #expect(incoming.fault == .combiningMarks)
  }

  @Test func `marks of combining class 0 are counted, because they decompose into others`() {
    let text = "a" + String(repeating: "\u{F73}", count: 31)
    #expect(IncomingText(text.utf8).fault == .combiningMarks)
  }

  @Test func `every scalar of a mark category of Unicode is treated as a combining mark`() {
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let isMark = [.nonspacingMark, .spacingMark, .enclosingMark]
        .contains(scalar.properties.generalCategory)
      guard scalar.isCombiningMark != isMark else { continue }
      Issue.record("U+\(String(value, radix: 16))")
    }
  }

  @Test func `bytes that are not UTF-8 are refused, and repaired for header fields`() {
    let incoming = IncomingText([0x61, 0xFF, 0x62])
    #expect(incoming.fault == .encoding)
    #expect(incoming.text == nil && incoming.value == nil)
    #expect(incoming.repaired == "a\u{FFFD}b")
  }

  @Test(arguments: ["\0", "a\0b", "é\0"])
  func `text with U+0000 is refused, and repaired for header fields`(text: String) {
    let incoming = IncomingText(text.utf8)
    #expect(incoming.fault == .null && incoming.text == nil)
    #expect(incoming.repaired == text.replacing("\0", with: "\u{FFFD}"))
  }

  @Test func `a value with U+0000 gets another control character, which its field refuses`() {
    #expect(IncomingText("a\0b".utf8).value == "a\u{1}b")
  }

  @Test func `a value is cut one combining mark beyond the limit, so that its field refuses it`() {
    let value = IncomingText(("a" + String(repeating: mixed, count: 1_000) + "b").utf8).value
    #expect(value?.unicodeScalars.count == 1 + 31 + 1)
    #expect(value.map(IncomingText.isStreamSafe) == false)
  }

  @Test func `texts are compared byte by byte, not by canonical equivalence`() {
    #expect("\u{E9}" == "e\u{301}")
    #expect(!"\u{E9}".isIdentical(to: "e\u{301}"))
    #expect("é".isIdentical(to: "é"))
  }

  @Test func `a query with a name of too many marks or too many bytes is refused`() {
    let marks = "a" + String(repeating: mixed, count: 8)
    #expect(Fields(urlencoded: Array("\(marks)=1".utf8)) == nil)
    let long = String(repeating: "n", count: 201)
    #expect(Fields(urlencoded: Array("\(long)=1".utf8)) == nil)
    #expect(Fields(urlencoded: Array("\(long.dropLast())=1".utf8)) != nil)
  }

  @Test func `a JSON member name with too many marks is refused`() {
    let marks = "a" + String(repeating: mixed, count: 8)
    #expect(throws: JSONFault.self) { try JSON(reading: Array("{\"\(marks)\":1}".utf8)) }
  }

  @Test func `a field with too many marks is refused with its own message`() throws {
    struct Draft { var name = "" }
    let form = Form(Draft(), .text(\.name, "name"))
    let (_, problems) = try form.draft(
      from: Fields(["name": "a" + String(repeating: "\u{301}", count: 31)]))
    #expect(problems == [Fields.Problem("name", "error.combining-marks")])
  }
}
