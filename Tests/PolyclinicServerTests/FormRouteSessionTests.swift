import PolyclinicCore
import PolyclinicTesting
import Testing

/// Forms that are sent by another than they were given to, or too late.
@Suite struct FormRouteSessionTests {
  private let portal: TestPortal
  private let anna: TestVisitor

  init() throws {
    portal = try TestPortal(NotesModule())
    anna = try portal.register(login: "anna")
  }

  private let typed = [("topic", "typed"), ("body", "<all> of it"), ("secret", "hush")]

  @Test(arguments: ["", "nonsense", "AAAA"])
  func `a form without its token comes back as typed, with a token that works`(
    _ token: String
  ) throws {
    let form = anna.form("/notes/new", typed).filter { $0.0 != "csrf" } + [("csrf", token)]
    let page = anna.post("/notes/new", pairs: form)
    #expect(page.status == 403 && page.contains("&lt;all&gt; of it") && !page.contains("hush"))
    #expect(try portal.notes().isEmpty)
    let fresh = page.hidden(of: "/notes/new").filter { $0.0 != "line_row" }
    #expect(anna.post("/notes/new", pairs: fresh + typed).status == 303)
    #expect(try portal.notes() == ["typed"])
  }

  @Test(arguments: ["sign out", "suspend"])
  func `what was sent before a session ended is not saved after it`(_ topic: String) throws {
    let sent = anna.form("/notes/new", [("topic", topic), ("body", "x"), ("secret", "hush")])
    let page = anna.post("/notes/new", pairs: sent)
    #expect(
      page.status == 401 && page.contains("name=\"password\"") && page.contains("name=\"carried\""))
    #expect(try portal.notes().isEmpty)
  }

  @Test func `what was sent before a role was taken is not saved after it`() throws {
    let doctor = try portal.doctor()
    let sent = doctor.form("/notes/new", [("topic", "demote"), ("body", "x"), ("secret", "hush")])
    #expect(doctor.post("/notes/new", pairs: sent).status == 403)
    #expect(try portal.notes().isEmpty)
  }

  @Test func `another's token is as none`() throws {
    let boris = try portal.register()
    let foreign = boris.form("/notes/new", []).filter { $0.0 == "csrf" }
    #expect(anna.post("/notes/new", pairs: foreign + typed).status == 403)
    #expect(anna.post("/notes/touch", pairs: foreign).status == 403)
    #expect(try portal.notes().isEmpty)
  }

  @Test func `a form that was opened by another person is refused`() throws {
    let form = anna.form("/notes/new", typed)
    _ = try portal.register(login: "boris", ["name": "Boris"])
    _ = anna.press("/logout", on: "/")
    _ = try anna.signIn("boris")
    let page = anna.post("/notes/new", pairs: form)
    #expect(page.status == 409 && !page.contains("of it"))
    #expect(page.contains("opened by Anna Petrova, and Boris Petrova is signed in now"))
    #expect(try portal.notes().isEmpty)
  }

  @Test func `a form sent after the session ended is filled in again after signing in`() throws {
    let form = anna.form("/notes/new", typed + [("line_row", ""), ("line_text", "a line")])
    portal.now = portal.now + .hours(2)
    let page = anna.post("/notes/new", pairs: form)
    #expect(page.status == 401 && page.contains("name=\"password\""))
    #expect(!page.contains("of it") && !page.contains("hush"))
    let login = page.hidden(of: "/login")
    let answer = anna.post(
      "/login", pairs: login + [("login", "anna"), ("password", TestVisitor.password)])
    #expect(answer.status == 303 && answer.location == "/notes/new")
    let again = anna.get("/notes/new")
    #expect(again.contains("value=\"typed\"") && again.contains("&lt;all&gt; of it"))
    #expect(again.contains("passwords are not kept"))
    #expect(again.contains("value=\"a line\"") && !again.contains("hush"))
    // A page that is loaded again loses nothing; one that is left on purpose does.
    #expect(anna.get("/notes/new").contains("value=\"typed\""))
    _ = anna.post("/notes/new", pairs: again.hidden(of: "/notes/new") + [("discard", "yes")])
    #expect(!anna.get("/notes/new").contains("value=\"typed\""))
    #expect(try portal.notes().isEmpty)
  }

  @Test func `another who signs in gets nothing of it`() throws {
    _ = try portal.register(login: "boris")
    let form = anna.form("/notes/new", typed)
    portal.now = portal.now + .hours(2)
    let login = anna.post("/notes/new", pairs: form).hidden(of: "/login")
    let answer = anna.post(
      "/login", pairs: login + [("login", "boris"), ("password", TestVisitor.password)])
    #expect(answer.status == 303)
    #expect(!anna.get("/notes/new").contains("typed"))
  }

  @Test func `a change that was carried over another's is not saved over it`() throws {
    let path = try anna.note("start") + "/edit"
    let form = anna.form(path, [("topic", "mine"), ("secret", "s")])
    portal.now = portal.now + .hours(2)
    let login = anna.post(path, pairs: form).hidden(of: "/login")
    let elsewhere = portal.visitor()
    _ = try elsewhere.signIn("anna")
    #expect(try elsewhere.submit(path, ["topic": "theirs", "secret": "s"]).status == 303)
    _ = anna.post(
      "/login", pairs: login + [("login", "anna"), ("password", TestVisitor.password)])
    let shown = anna.get(path)
    #expect(shown.contains("value=\"mine\""))
    let again = shown.hidden(of: path).filter { $0.0 != "line_row" }
    #expect(anna.post(path, pairs: again + [("topic", "mine"), ("secret", "s")]).status == 409)
  }

  @Test func `a bare button pressed after the session ended leads to a page that is there`() throws
  {
    portal.now = portal.now + .hours(2)
    let page = anna.post("/notes/touch", pairs: [])
    #expect(page.contains("press the button again") && !page.contains("comes back"))
    let login = page.hidden(of: "/login")
    let answer = anna.post(
      "/login", pairs: login + [("login", "anna"), ("password", TestVisitor.password)])
    #expect(answer.status == 303 && anna.get(answer.location).status == 200)
  }

  @Test func `a change of language leads to a page that is there`() throws {
    portal.now = portal.now + .hours(2)
    let page = anna.post("/notes/touch", pairs: [])
    let answer = anna.post(
      "/language", pairs: page.hidden(of: "/language") + [("language", "ru")])
    #expect(answer.status == 303 && anna.get(answer.location).status == 200)
  }

  @Test func `what was carried cannot be made up`() throws {
    for carried in ["", "AAAA", "%%%", String(repeating: "A", count: 4_000)] {
      let browser = portal.visitor()
      let answer = try browser.submit(
        "/login", ["login": "anna", "password": TestVisitor.password, "carried": carried])
      #expect(answer.status != 500)
    }
  }
}
