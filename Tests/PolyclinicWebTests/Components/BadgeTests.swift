import PolyclinicCore
import Testing

@Suite struct BadgeTests {
  @Test(arguments: [
    (HTML.BadgeTone.neutral, ""), (.good, " ok"), (.waiting, " waiting"), (.now, " now"),
    (.off, " off"), (.danger, " danger"),
  ])
  func `a badge has its word and its colour`(_ tone: HTML.BadgeTone, _ style: String) throws {
    #expect(
      try Gallery.markup { $0.badge("a", tone) }
        == "<span class=\"badge\(style)\">A &amp; B</span>")
  }
}
