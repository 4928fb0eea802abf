import Testing

@testable import PolyclinicCore

@Suite struct HTMLTests {
  private func text(_ html: HTML) -> String { String(decoding: html.bytes, as: UTF8.self) }

  private static let hostile: [(String, String)] = [
    ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
    ("\" onload=\"x", "&quot; onload=&quot;x"),
    ("' onload='x", "&#39; onload=&#39;x"),
    ("&lt;", "&amp;lt;"),
    ("&#60;script&#62;", "&amp;#60;script&amp;#62;"),
    ("a\0b", "ab"),
    ("<\0script>", "&lt;script&gt;"),
    ("]]>--><!--", "]]&gt;--&gt;&lt;!--"),
    ("Łódź 👩‍⚕️ שלום", "Łódź 👩‍⚕️ שלום"),
    ("", ""), ("<", "&lt;"), ("a<", "a&lt;"), ("<a", "&lt;a"),
  ]

  @Test(arguments: hostile)
  func `an interpolated value is escaped in text and in attributes`(
    _ typed: String, _ written: String
  ) {
    #expect(text("<p>\(typed)</p>") == "<p>\(written)</p>")
    #expect(text("<i title=\"\(typed)\">") == "<i title=\"\(written)\">")
    #expect(text("<p>\(Substring(typed))</p>") == "<p>\(written)</p>")
  }

  @Test func `bytes that are not UTF-8 become replacement characters, never markup`() {
    let broken = String(
      decoding: [0xC3, UInt8(ascii: "<"), 0xFF, UInt8(ascii: ">")], as: UTF8.self)
    #expect(text("\(broken)") == "\u{FFFD}&lt;\u{FFFD}&gt;")
  }

  @Test(arguments: [(true, "&lt;b&gt;"), (false, "")])
  func `an unannotated conditional between two strings is escaped as text`(
    _ isBold: Bool, _ written: String
  ) {
    #expect(text("\(isBold ? "<b>" : "")") == written)
  }

  @Test func `interpolated parts are joined unescaped`() {
    let parts: [HTML] = ["<li>1</li>", "<li>2</li>"]
    #expect(text("<ul>\(parts)</ul>") == "<ul><li>1</li><li>2</li></ul>")
    let part: HTML? = "<b>x</b>"
    let none: HTML? = nil
    #expect(text("\(part)\(none)") == "<b>x</b>")
    #expect(text("\(each: [1, 2], { "<i>\($0)</i>" })") == "<i>1</i><i>2</i>")
  }

  @Test func `an attribute is written only if its condition holds`() {
    #expect(text("<input\(attribute: " checked", if: true)>") == "<input checked>")
    #expect(text("<input\(attribute: " checked", if: false)>") == "<input>")
  }

  @Test(arguments: [Int64.min, -10, -1, 0, 9, 10, 1_234_567_890_123, .max])
  func `numbers are written in decimal digits`(_ number: Int64) {
    #expect(text("\(number)") == number.description)
    #expect(text("\(ID<Person>(number))") == number.description)
  }

  @Test func `interpolated addresses are escaped`() {
    let path = Path("/contacts").query(["q": "a&b\"<", "page": "2"])
    #expect(text("<a href=\"\(path)\">") == "<a href=\"/contacts?q=a%26b%22%3C&amp;page=2\">")
    let link = OutsideLink.web("https://example.org/?a=1&b=\"")
    #expect(
      link.map { text("<a href=\"\($0)\">") }
        == "<a href=\"https://example.org/?a=1&amp;b=&quot;\">")
  }

  @Test func `concatenation keeps both parts`() {
    var html: HTML = "<p>"
    html += "</p>"
    #expect(text(html + "<hr>") == "<p></p><hr>")
    #expect(HTML().isEmpty && !html.isEmpty)
  }
}
