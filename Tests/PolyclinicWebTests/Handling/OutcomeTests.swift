import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

/// The notice above the page that follows a change.
@Suite struct OutcomeTests {
  private let anna: TestVisitor

  init() throws {
    anna = try TestPortal(NotesModule()).register()
  }

  private func save() -> TestPage {
    let fields = [
      ("topic", "kept"), ("place", "here"), ("secret", "hush hush hush"), ("line_row", ""),
      ("line_text", "a line"),
    ]
    return anna.post("/notes/new", pairs: anna.form("/notes/new", fields))
  }

  @Test func `a saved form is confirmed once, by a cookie that scripts cannot read`() {
    let answer = save()
    #expect(answer.status == 303 && !answer.location.contains("saved"))
    let cookies = answer.headers.filter { $0.name == "Set-Cookie" }.map(\.value)
    let cookie = cookies.first { $0.hasPrefix("__Host-outcome=form.saved;") }
    #expect(cookie?.contains("HttpOnly") == true)
    #expect(anna.get("/account").hasNotice(.success, "Saved."))
    #expect(anna.cookie("__Host-outcome") == nil && !anna.get("/account").hasNotice(.success))
  }

  @Test func `a cancelled form confirms nothing`() {
    let hidden = anna.get("/notes/new").hidden(of: "/notes/new")
    _ = anna.post("/notes/new", pairs: hidden + [("cancel", "yes"), ("place", "here")])
    #expect(anna.cookie("__Host-outcome") == nil)
  }

  @Test(arguments: ["no.such.text", "<script>", "", "form.saved2"])
  func `a cookie that names no text shows nothing`(_ value: String) {
    anna.setCookie("__Host-outcome", value)
    let page = anna.get("/account")
    #expect(page.status == 200 && !page.hasNotice(.success) && !page.contains("⟦"))
  }
}
