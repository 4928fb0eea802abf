import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@Suite struct FormRouteCancelTests {
  private let portal: TestPortal
  private let anna: TestVisitor

  init() throws {
    portal = try TestPortal(NotesModule())
    anna = try portal.register()
  }

  private func send(_ fields: [(String, String)]) -> TestPage {
    anna.post("/notes/new", pairs: anna.form("/notes/new", fields))
  }

  @Test func `the Cancel button on an untouched form redirects at once`() {
    let untouched = [("topic", ""), ("body", ""), ("place", "here"), ("secret", "")]
    let page = send(untouched + [("line_row", ""), ("line_text", ""), ("cancel", "yes")])
    #expect(page.status == 303 && page.location == "/notes")
  }

  @Test func `the Cancel button asks before it discards typed values`() throws {
    let page = send([
      ("topic", "kept"), ("place", "here"), ("secret", "hush"), ("line_row", ""),
      ("line_text", "a line"), ("cancel", "yes"),
    ])
    #expect(page.status == 200 && page.hasField("discard"))
    #expect(!page.contains("hush"))
    let hidden = page.hidden(of: "/notes/new")
    let back = anna.post("/notes/new", pairs: hidden + [("discard", "no")])
    #expect(back.status == 200 && back.hasValue("kept"))
    #expect(back.hasValue("a line"))
    let gone = anna.post("/notes/new", pairs: hidden + [("discard", "yes")])
    #expect(gone.status == 303 && gone.location == "/notes")
    #expect(try portal.notes().isEmpty)
  }

  @Test func `the Cancel button of an edit leads back, or asks if values changed`() throws {
    let path = try anna.note("walk")
    let page = anna.get(path + "/edit").hidden(of: path + "/edit").filter { $0.0 != "line_row" }
    let untouched = [("topic", "walk"), ("place", "here"), ("cancel", "yes")]
    #expect(anna.post(path + "/edit", pairs: page + untouched).location == path)
    let touched = [("topic", "run"), ("place", "here"), ("cancel", "yes")]
    #expect(anna.post(path + "/edit", pairs: page + touched).hasField("discard"))
  }

  @Test func `rows are added and removed without JavaScript`() {
    let more = send([
      ("topic", "t"), ("secret", "s"), ("line_row", ""), ("line_text", "one"), ("add", "line"),
    ])
    #expect(more.status == 200 && more.contains("id=\"line_text-2\""))
    #expect(more.hasValue("one") && more.hasValue("t"))
    let fewer = send([
      ("topic", "t"), ("line_row", ""), ("line_text", "one"), ("line_row", ""),
      ("line_text", "two"), ("remove", "line-1"),
    ])
    #expect(fewer.status == 200 && fewer.hasValue("two"))
    #expect(!fewer.contains("value=\"one\"") && !fewer.contains("id=\"line_text-2\""))
  }

  @Test(arguments: [
    "line-0", "line--1", "line--9223372036854775808", "line-9223372036854775807", "line-",
    "line-99999999999999999999", "line-x", "other-1", "-", "",
  ])
  func `removing a row that does not exist changes nothing`(_ name: String) {
    let page = send([("topic", "t"), ("line_row", ""), ("line_text", "one"), ("remove", name)])
    #expect(page.status == 200 && page.hasValue("one"))
  }

  @Test func `a field that is sent twice is refused with 400`() {
    #expect(send([("topic", "t"), ("topic", "u")]).status == 400)
  }

  @Test func `an error in a row is shown at that row and in the summary`() {
    let page = send([
      ("topic", "t"), ("secret", "s"), ("line_row", ""), ("line_text", "ok"), ("line_row", ""),
      ("line_text", "much too long"),
    ])
    #expect(page.refuses("line_text-2"))
    #expect(page.contains("aria-describedby=\"line_text-2-error\""))
    #expect(page.hasLink(to: "#line_text-2"))
  }
}
