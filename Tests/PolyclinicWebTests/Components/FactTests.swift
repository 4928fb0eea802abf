import PolyclinicCore
import Testing

@Suite struct FactTests {
  @Test func `a list has its facts in order, without those that are nil`() throws {
    #expect(
      try Gallery.markup {
        $0.facts([HTML.Fact("a", "<i>1</i>"), nil, HTML.Fact("b", text: "<2>")])
      }
        == "<dl class=\"details\"><div><dt>A &amp; B</dt><dd><i>1</i></dd></div>"
        + "<div><dt>C</dt><dd><bdi>&lt;2&gt;</bdi></dd></div></dl>")
  }

  @Test func `a fact keeps the line ends of a text and has one value or several`() throws {
    #expect(
      try Gallery.markup { context in
        context.facts([
          HTML.Fact("a", lines: "1\n2"), HTML.Fact("b", values: "<dd>1</dd><dd>2</dd>"),
        ])
      }
        == "<dl class=\"details\"><div><dt>A &amp; B</dt><dd class=\"lines\"><bdi>1\n2</bdi></dd></div>"
        + "<div><dt>C</dt><dd>1</dd><dd>2</dd></div></dl>")
  }

  @Test func `a fact without a value is nil`() {
    #expect(HTML.Fact("a", text: "") == nil && HTML.Fact("a", lines: "") == nil)
    #expect(HTML.Fact("a", HTML?.none) == nil && HTML.Fact("a", keepingLines: nil) == nil)
  }
}
