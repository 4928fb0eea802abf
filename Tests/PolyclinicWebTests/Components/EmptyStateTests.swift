import PolyclinicCore
import Testing

@Suite struct EmptyStateTests {
  @Test func `an empty state has picture, heading, sentence, content and buttons in order`() throws
  {
    let markup = try Gallery.markup {
      $0.emptyState(.people, "a", hint: "b", content: "<i></i>", actions: "<a>New</a>", nil)
    }
    #expect(markup.hasPrefix("<section class=\"empty\"><svg class=\"scene\""))
    #expect(
      markup.hasSuffix(
        "</svg><h2>A &amp; B</h2><p>C</p><i></i>"
          + "<div class=\"actions\"><a>New</a></div></section>"))
  }

  @Test func `pale rows show the form of a future list, but not to screen readers`() throws {
    let markup = try Gallery.markup { $0.emptyState(.bell, "b", ghosts: 2, actions: "<a>New</a>") }
    #expect(
      markup.hasSuffix(
        "</div><div class=\"ghosts\" aria-hidden=\"true\"><i></i><i></i></div></section>"))
  }

  @Test func `a pale line shows the form of a future chart, but not to screen readers`() throws {
    let markup = try Gallery.markup { $0.emptyState(.scale, "b", ghosts: .chart) }
    #expect(markup.contains("<div class=\"ghosts\" aria-hidden=\"true\"><svg viewBox="))
    #expect(markup.hasSuffix("</svg></div></section>"))
  }

  @Test func `a heading, a sentence and buttons may be missing`() throws {
    #expect(
      try Gallery.markup { $0.emptyState(.bell, hint: "b") }.hasSuffix("</svg><p>C</p></section>"))
    #expect(
      try Gallery.markup { $0.emptyState(.bell, "b") }.hasSuffix("</svg><h2>C</h2></section>"))
  }
}
