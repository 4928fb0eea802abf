import PolyclinicCore
import PolyclinicTesting
import Testing

@Suite struct TestPageElementsTests {
  private static let content: HTML = """
    <div class="notice warning" role="alert"><p>The doctor is away.</p></div>
    <dl class="details"><div><dt>Status</dt><dd><bdi>Open</bdi>, until 17:00</dd></div></dl>
    <h2>Doctors</h2><ul class="rows"><li><a href="/doctors?a=1&amp;b=2">Dr. House</a>
    <span class="badge off">Away</span></li><li>Dr. Wilson</li></ul>
    <form method="post" action="/pages"><input type="hidden" name="version" value="a &quot;b&quot;">
    <input name="city" value="Minsk &amp; Brest"><input type="checkbox" name="consent" value="yes">
    <select name="role"><option value="1">Nurse</option><option value="2" selected>Doctor</option></select>
    <textarea name="notes">
    two
    lines</textarea>
    <p class="error" id="city-error">Enter a city.</p>
    <button class="button">Save <b>it</b></button><a class="button" href="/">Cancel</a></form>
    """

  private let page: TestPage

  init() throws {
    page = try TestPortal(PagesModule(content: Self.content)).register().get("/pages")
  }

  @Test func `a page knows its heading, sections, badges and notices`() {
    #expect(page.heading == "Pages")
    #expect(page.sections == ["Doctors"] && page.hasSection("Doctors"))
    #expect(page.badges == ["Away"] && page.hasBadge("Away") && !page.hasBadge("Open"))
    #expect(page.notices(.warning) == ["The doctor is away."] && page.notices(.success).isEmpty)
    #expect(page.hasNotice(.warning, "away") && !page.hasNotice(.plain))
  }

  @Test func `the rows and facts of a page are read as a visitor reads them`() throws {
    #expect(page.rows == ["Dr. House Away", "Dr. Wilson"])
    #expect(page.hasRow("House") && !page.hasRow("Open"))
    #expect(page.fact("Status") == "Open, until 17:00" && page.fact("Doctors") == nil)
    #expect(page.hasFact("17:00") && !page.hasFact("House") && !page.isEmptyList())
    let empty = try TestPortal(PagesModule(content: "<div class=\"empty\"><p>None</p></div>"))
    #expect(try empty.register().get("/pages").isEmptyList())
  }

  @Test func `links are found by address, links and buttons by their exact words`() {
    #expect(page.hasLink(to: "/doctors?a=1&b=2") && !page.hasLink(to: "/doctors"))
    #expect(page.link(to: "/doctors?a=1&b=2") == "Dr. House" && page.hasLink("Dr. House"))
    #expect(page.hasButton("Save it") && page.hasButton("Cancel"))
    #expect(!page.hasButton("Save") && !page.hasButton("Dr. House"))
  }

  @Test func `a field has the value that a browser would send`() {
    #expect(page.hidden(of: "/pages").map(\.1) == ["a \"b\""])
    #expect(page.value(of: "city") == "Minsk & Brest" && page.hasValue("Minsk & Brest", of: "city"))
    #expect(page.hasField("consent") && page.value(of: "consent") == nil)
    #expect(page.value(of: "role") == "2" && page.choices(of: "role") == ["1", "2"])
    #expect(page.hasChoice("1", of: "role") && !page.hasChoice("3", of: "role"))
    #expect(page.value(of: "notes") == "two\nlines")
    #expect(!page.hasField("street") && page.value(of: "street") == nil)
  }

  @Test func `an error belongs to one field, and a page with status 200 refuses none`() {
    #expect(page.error(of: "city") == "Enter a city." && page.hasError(of: "city"))
    #expect(page.error(of: "role") == nil && !page.refuses("city"))
  }
}
