import PolyclinicCore
import Testing

@Suite struct TabsTests {
  @Test func `tabs link to each choice and mark the current one`() throws {
    let markup = try Gallery.markup {
      $0.tabs("a", ["b", "a"], current: "a", title: { Text($0) }, to: { "/tabs/\($0)" })
    }
    #expect(
      markup
        == "<nav class=\"segments\" aria-label=\"A &amp; B\"><a href=\"/tabs/b\">C</a>"
        + "<a href=\"/tabs/a\" aria-current=\"page\">A &amp; B</a></nav>")
  }

  @Test func `many tabs are narrower, and none needs to be current`() throws {
    let markup = try Gallery.markup {
      $0.tabs("b", [1, 2, 3, 4], current: nil, content: { "\($0)" }, to: { "/\($0)" })
    }
    #expect(markup.hasPrefix("<nav class=\"segments many\" aria-label=\"C\"><a href=\"/1\">1</a>"))
    #expect(!markup.contains("aria-current"))
  }
}
