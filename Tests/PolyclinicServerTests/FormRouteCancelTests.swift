import PolyclinicCore
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

  @Test func `Cancel leads back at once where nothing was typed`() {
    let untouched = [("topic", ""), ("body", ""), ("place", "here"), ("secret", "")]
    let page = send(untouched + [("line_row", ""), ("line_text", ""), ("cancel", "yes")])
    #expect(page.status == 303 && page.location == "/notes")
  }

  @Test func `Cancel asks where something was typed, and No keeps it`() throws {
    let page = send([
      ("topic", "kept"), ("place", "here"), ("secret", "hush"), ("line_row", ""),
      ("line_text", "a line"), ("cancel", "yes"),
    ])
    #expect(page.status == 200 && page.contains("name=\"discard\""))
    #expect(!page.contains("hush"))
    let hidden = page.hidden(of: "/notes/new")
    let back = anna.post("/notes/new", pairs: hidden + [("discard", "no")])
    #expect(back.status == 200 && back.contains("value=\"kept\""))
    #expect(back.contains("value=\"a line\""))
    let gone = anna.post("/notes/new", pairs: hidden + [("discard", "yes")])
    #expect(gone.status == 303 && gone.location == "/notes")
    #expect(try portal.notes().isEmpty)
  }

  @Test func `Cancel of a change leads to what was to be changed`() throws {
    let path = try anna.note("walk")
    let page = anna.get(path + "/edit").hidden(of: path + "/edit").filter { $0.0 != "line_row" }
    let untouched = [("topic", "walk"), ("place", "here"), ("cancel", "yes")]
    #expect(anna.post(path + "/edit", pairs: page + untouched).location == path)
    let touched = [("topic", "run"), ("place", "here"), ("cancel", "yes")]
    #expect(anna.post(path + "/edit", pairs: page + touched).contains("name=\"discard\""))
  }

  @Test func `rows are added and removed without a script`() {
    let more = send([
      ("topic", "t"), ("secret", "s"), ("line_row", ""), ("line_text", "one"), ("add", "line"),
    ])
    #expect(more.status == 200 && more.contains("id=\"line_text-2\""))
    #expect(more.contains("value=\"one\"") && more.contains("value=\"t\""))
    let fewer = send([
      ("topic", "t"), ("line_row", ""), ("line_text", "one"), ("line_row", ""),
      ("line_text", "two"), ("remove", "line-1"),
    ])
    #expect(fewer.status == 200 && fewer.contains("value=\"two\""))
    #expect(!fewer.contains("value=\"one\"") && !fewer.contains("id=\"line_text-2\""))
  }

  @Test(arguments: [
    "line-0", "line--1", "line--9223372036854775808", "line-9223372036854775807", "line-",
    "line-99999999999999999999", "line-x", "other-1", "-", "",
  ])
  func `a row that is not there is not removed`(_ name: String) {
    let page = send([("topic", "t"), ("line_row", ""), ("line_text", "one"), ("remove", name)])
    #expect(page.status == 200 && page.contains("value=\"one\""))
  }

  @Test func `columns of different length are not understood, nor a field sent twice`() {
    #expect(send([("topic", "t"), ("topic", "u")]).status == 400)
  }

  @Test func `a row's error is told at the row`() {
    let page = send([
      ("topic", "t"), ("secret", "s"), ("line_row", ""), ("line_text", "ok"), ("line_row", ""),
      ("line_text", "much too long"),
    ])
    #expect(page.status == 422 && page.contains("id=\"line_text-2-error\""))
    #expect(page.contains("aria-describedby=\"line_text-2-error\""))
    #expect(page.contains("<a href=\"#line_text-2\">"))
  }
}
