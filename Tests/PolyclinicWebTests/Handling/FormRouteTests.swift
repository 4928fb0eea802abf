import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@Suite struct FormRouteTests {
  private let module = NotesModule()

  @Test func `a form shows its fields with labels and hints`() throws {
    let page = try TestPortal(module).register().get("/notes/new")
    #expect(page.status == 200)
    #expect(page.contains("<label for=\"topic\">Topic"))
    #expect(page.contains("aria-describedby=\"topic-hint\"") && page.contains("maxlength=\"20\""))
  }

  @Test func `errors are shown at the field and in a summary, and typed values are kept`() throws {
    let anna = try TestPortal(module).register()
    let page = try anna.submit("/notes/new", ["topic": "", "body": "<b>kept", "secret": "hush"])
    #expect(page.status == 422)
    #expect(page.hasError(of: "topic") && page.contains("aria-invalid=\"true\""))
    #expect(page.contains("aria-describedby=\"topic-hint topic-error\""))
    #expect(page.contains("role=\"alert\"") && page.hasLink(to: "#topic"))
    #expect(page.contains("&lt;b&gt;kept") && !page.contains("hush"))
  }

  @Test func `a choice that is not offered is refused with 422`() throws {
    let portal = try TestPortal(module)
    let fields = ["topic": "a", "secret": "s", "place": "elsewhere"]
    let page = try portal.register().submit("/notes/new", fields)
    #expect(page.refuses("place"))
    #expect(try portal.notes().isEmpty)
  }

  @Test func `a valid form is saved and redirects to the new record`() throws {
    let portal = try TestPortal(module)
    let anna = try portal.register()
    let path = try anna.note("walk", "to the river")
    #expect(path == "/notes/1")
    #expect(anna.get(path).contains("walk: to the river"))
    #expect(module.seen.events == ["prepared"])
  }

  @Test(arguments: [
    ("refuse", 422, "The word says no"), ("busy", 409, "The desk is taken"),
    ("later", 429, "Try again in"),
  ])
  func `a refusal while saving shows the form again and saves nothing`(
    _ topic: String, _ status: Int, _ words: String
  ) throws {
    let portal = try TestPortal(module)
    let page = try portal.register().submit("/notes/new", ["topic": topic, "secret": "s"])
    #expect(page.status == status && page.contains(words))
    #expect(page.hasValue(topic))
    #expect(try portal.notes().isEmpty)
  }

  @Test func `a form without any alternative left shows the reason instead of the conflict`() throws
  {
    let portal = try TestPortal(module)
    let fields = ["topic": "busy", "body": "closed", "secret": "s"]
    let page = try portal.register().submit("/notes/new", fields)
    #expect(page.status == 422 && page.contains("id=\"topic-error\">The word says no"))
    #expect(!page.contains("The desk is taken") && page.value(of: "topic") == "busy")
    #expect(try portal.notes().isEmpty)
  }

  @Test func `an error while saving rolls back, and its text is not shown`() throws {
    let portal = try TestPortal(module)
    let fields = ["topic": "fail", "body": "my secret sorrow", "secret": "s"]
    let page = try portal.register().submit("/notes/new", fields)
    #expect(page.status == 500 && page.contains("0123456789abcdef"))
    #expect(!page.contains("sorrow") && !page.contains("Mishap"))
    #expect(try portal.notes().isEmpty)
  }

  @Test func `the same form sent twice creates one record and returns the same answer`() throws {
    let portal = try TestPortal(module)
    let anna = try portal.register()
    let form = anna.form("/notes/new", [("topic", "once"), ("secret", "s")])
    let first = anna.post("/notes/new", pairs: form)
    let second = anna.post("/notes/new", pairs: form)
    #expect(first.status == 303 && second.status == 303 && first.location == second.location)
    #expect(try portal.notes() == ["once"])
  }

  @Test func `a form changed after going back creates a second record`() throws {
    let portal = try TestPortal(module)
    let anna = try portal.register()
    let form = anna.form("/notes/new", [("secret", "s")])
    let first = anna.post("/notes/new", pairs: form + [("topic", "one")])
    let second = anna.post("/notes/new", pairs: form + [("topic", "two")])
    #expect(first.location != second.location)
    #expect(try portal.notes() == ["one", "two"])
  }

  @Test func `a stale form returns 409 with both versions, and can then be saved`() throws {
    let portal = try TestPortal(module)
    let anna = try portal.register()
    let path = try anna.note("start") + "/edit"
    let stale = anna.form(path, [("topic", "mine"), ("secret", "s")])
    #expect(try anna.submit(path, ["topic": "theirs", "secret": "s"]).status == 303)
    let page = anna.post(path, pairs: stale)
    #expect(page.status == 409)
    #expect(page.hasRow("theirs") && page.hasValue("mine"))
    #expect(try portal.notes() == ["theirs"])
    let again = page.hidden(of: path).filter { $0.0 != "line_row" }
    #expect(anna.post(path, pairs: again + [("topic", "mine"), ("secret", "s")]).status == 303)
    #expect(try portal.notes() == ["mine"])
  }

  @Test func `a form without its version is refused with 409`() throws {
    let portal = try TestPortal(module)
    let anna = try portal.register()
    let path = try anna.note("start") + "/edit"
    let form = anna.form(path, [("topic", "mine"), ("secret", "s")]).filter { $0.0 != "version" }
    #expect(anna.post(path, pairs: form).status == 409)
    #expect(try portal.notes() == ["start"])
  }

  @Test func `another user's record returns 404 for every request`() throws {
    let portal = try TestPortal(module)
    let (anna, boris) = (try portal.register(), try portal.register())
    let path = try anna.note("private")
    let form = boris.form("/notes/new", [("topic", "x"), ("secret", "s")])
    #expect(boris.get(path).status == 404 && boris.get(path + "/edit").status == 404)
    #expect(boris.post(path + "/edit", pairs: form).status == 404)
    #expect(boris.post(path + "/delete", pairs: form).status == 404)
    #expect(try portal.notes() == ["private"])
  }

  @Test func `a confirmation page deletes the record only on Yes`() throws {
    let portal = try TestPortal(module)
    let anna = try portal.register()
    let path = try anna.note("old")
    #expect(anna.get(path + "/delete").contains("Sure?"))
    let no = try anna.submit(path + "/delete", ["cancel": "yes"])
    #expect(no.status == 303 && no.location == path)
    let form = anna.form(path + "/delete", [])
    let yes = anna.post(path + "/delete", pairs: form)
    #expect(yes.status == 303 && yes.location == "/notes")
    #expect(anna.post(path + "/delete", pairs: form).location == "/notes")
    #expect(try portal.notes().isEmpty)
  }
}
