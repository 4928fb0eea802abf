import PolyclinicCore
import Testing

@Suite struct NoticeTests {
  @Test func `an outcome is announced as a status, in green by default`() throws {
    #expect(
      try Gallery.markup { $0.notice(.outcome, "a") }
        == "<div class=\"notice success\" role=\"status\"><p>A &amp; B</p></div>")
    #expect(
      try Gallery.markup { $0.notice(.outcome, "b", as: .information) }
        == "<div class=\"notice\" role=\"status\"><p>C</p></div>")
  }

  @Test func `a problem is announced as an alert and has its next step after the text`() throws {
    #expect(
      try Gallery.markup { $0.notice(.problem, "b", action: "<a href=\"/\">Others</a>") }
        == "<div class=\"notice warning\" role=\"alert\"><p>C</p><a href=\"/\">Others</a></div>")
  }

  @Test(arguments: [
    (HTML.NoticeTone.information, ""), (.success, " success"), (.warning, " warning"),
    (.danger, " danger"),
  ])
  func `a remark has a colour and no role`(_ tone: HTML.NoticeTone, _ style: String) {
    let markup = HTML.notice(.remark, "<ul></ul>", as: tone)
    #expect(
      String(decoding: markup.bytes, as: UTF8.self)
        == "<div class=\"notice\(style)\"><ul></ul></div>")
  }

  @Test func `advice is a section with a heading and without a role`() {
    let markup = HTML.advice(heading: "<b>Call</b>", "<p>Now</p>", as: .danger)
    #expect(
      String(decoding: markup.bytes, as: UTF8.self)
        == "<section class=\"notice danger advice\"><div><h2><b>Call</b></h2><p>Now</p></div></section>"
    )
  }
}
