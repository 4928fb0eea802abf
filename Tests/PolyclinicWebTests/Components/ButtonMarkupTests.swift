import PolyclinicCore
import Testing

@Suite struct ButtonMarkupTests {
  @Test func `a link has its style, its icon and the name that screen readers add`() throws {
    #expect(
      try Gallery.markup { $0.button("a", to: "/a/1") }
        == "<a class=\"button\" href=\"/a/1\">A &amp; B</a>")
    let markup = try Gallery.markup {
      $0.button("b", to: "/a", style: [.small, .danger, .plain], icon: .bin, of: "<Anna>")
    }
    #expect(
      markup.hasPrefix("<a class=\"button plain danger small\" href=\"/a\"><svg class=\"icon\""))
    #expect(markup.hasSuffix("</svg>C<span class=\"hidden-text\"> &lt;Anna&gt;</span></a>"))
  }

  @Test func `a button posts its fields with the hidden ones`() throws {
    let markup = try Gallery.markup {
      $0.button("b", posts: "/a", with: ["id": "7", "live": "<"], style: .secondary)
    }
    #expect(markup.hasPrefix("<form method=\"post\" action=\"/a\" class=\"inline\"><input"))
    #expect(markup.contains("name=\"csrf\""))
    #expect(
      markup.hasSuffix(
        "<input type=\"hidden\" name=\"id\" value=\"7\"><input type=\"hidden\" name=\"live\""
          + " value=\"&lt;\"><button class=\"button secondary\">C</button></form>"))
  }

  @Test func `a button of a form around it sends a field of its own`() throws {
    #expect(try Gallery.markup { $0.submit("b") } == "<button class=\"button\">C</button>")
    #expect(
      try Gallery.markup { $0.submit("b", name: "discard", style: .danger) }
        == "<button class=\"button danger\" name=\"discard\" value=\"yes\">C</button>")
  }

  @Test func `a row has its buttons in order, and is left out without any`() throws {
    #expect(
      try Gallery.markup { "\(actions: $0.submit("b"), nil, "", "<a></a>")" }
        == "<div class=\"actions\"><button class=\"button\">C</button><a></a></div>")
    #expect(try Gallery.markup { _ in "\(actions: nil, "")" }.isEmpty)
    #expect(try Gallery.markup { _ in "\(actions: [HTML?]())" }.isEmpty)
  }
}
