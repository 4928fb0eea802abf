import PolyclinicCore
import Testing

@Suite struct RowListTests {
  private func text(_ html: HTML) -> String { String(decoding: html.bytes, as: UTF8.self) }

  @Test func `a row is one link with title, badge and a second line`() {
    #expect(
      text(.row(to: "/a/1", "A", mark: "<i></i>", detail: "B"))
        == "<li><a href=\"/a/1\"><span><strong>A</strong> <i></i>"
        + "<span class=\"secondary-text\">B</span></span></a></li>")
    #expect(
      text(.row(to: "/a", "A", mark: "", lead: "<b></b>"))
        == "<li><a href=\"/a\"><span class=\"with-initial\"><span class=\"initial\"><b></b></span><span><strong>A</strong></span></span></a></li>"
    )
    #expect(
      text(.row(to: "/a", content: "<b></b>"))
        == "<li><a href=\"/a\"><span><b></b></span></a></li>")
  }

  @Test func `a row has buttons beside its content`() {
    #expect(
      text(.row("A", detail: "B", actions: "<a></a>", nil))
        == "<li><div class=\"item\"><span><strong>A</strong><span class=\"secondary-text\">B</span>"
        + "</span><div class=\"actions\"><a></a></div></div></li>")
    #expect(
      text(.row(content: "A")) == "<li><div class=\"item\"><div>A</div></div></li>")
  }

  @Test func `a list has its rows in order`() {
    #expect(
      text("\(rows: [1, 2], { "<li>\($0)</li>" })")
        == "<ul class=\"rows\"><li>1</li><li>2</li></ul>")
    #expect(
      text("\(rows: ["<li></li>"], style: " new")") == "<ul class=\"rows new\"><li></li></ul>")
    #expect(text("\(orderedRows: ["<li></li>"])") == "<ol class=\"rows\"><li></li></ol>")
  }
}
