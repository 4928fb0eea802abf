import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

/// Forms sent by another user, without a valid token or after the session ended.
@Suite struct FormRouteSessionTests {
  private let portal: TestPortal
  private let anna: TestVisitor

  init() throws {
    portal = try TestPortal(NotesModule())
    anna = try portal.register(login: "anna")
  }

  private let typed = [("topic", "typed"), ("body", "<all> of it"), ("secret", "hush")]

  @Test(arguments: ["", "nonsense", "AAAA"])
  func `a form without a valid token returns 403 with its values and a new token`(
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
  func `a form is refused with 401 when its session ends while it is processed`(_ topic: String)
    throws
  {
    let sent = anna.form("/notes/new", [("topic", topic), ("body", "x"), ("secret", "hush")])
    let page = anna.post("/notes/new", pairs: sent)
    #expect(
      page.status == 401 && page.hasField("password") && page.hasField("carried"))
    #expect(try portal.notes().isEmpty)
  }

  @Test func `a form is refused with 403 when the user loses the role meanwhile`() throws {
    let doctor = try portal.doctor()
    let sent = doctor.form("/notes/new", [("topic", "demote"), ("body", "x"), ("secret", "hush")])
    #expect(doctor.post("/notes/new", pairs: sent).status == 403)
    #expect(try portal.notes().isEmpty)
  }

  @Test func `another user's token is refused with 403`() throws {
    let boris = try portal.register()
    let foreign = boris.form("/notes/new", []).filter { $0.0 == "csrf" }
    #expect(anna.post("/notes/new", pairs: foreign + typed).status == 403)
    #expect(anna.post("/notes/touch", pairs: foreign).status == 403)
    #expect(try portal.notes().isEmpty)
  }

  @Test func `a form opened by another user is refused with 409`() throws {
    let form = anna.form("/notes/new", typed)
    _ = try portal.register(login: "boris", ["name": "Boris"])
    _ = anna.press("/logout", on: "/")
    _ = try anna.signIn("boris")
    let page = anna.post("/notes/new", pairs: form)
    #expect(page.status == 409 && !page.contains("of it"))
    #expect(page.contains("opened by Anna Petrova, and Boris Petrova is signed in now"))
    #expect(try portal.notes().isEmpty)
  }

  @Test func `a form that one user has sent is not answered for another one`() throws {
    let boris = try portal.register(login: "boris")
    let form = anna.form("/notes/new", typed).filter { $0.0 != "person" }
    #expect(anna.post("/notes/new", pairs: form).status == 303)
    #expect(anna.post("/notes/new", pairs: form).status == 303)
    #expect(try portal.notes().count == 1)
    let csrf = boris.form("/notes/new", []).filter { $0.0 == "csrf" }
    let answer = boris.post("/notes/new", pairs: csrf + form.filter { $0.0 != "csrf" })
    #expect(try answer.status == 303 && portal.notes().count == 2)
    #expect(boris.get(answer.location).status == 200)
  }

  @Test func `a form sent after the session expired is restored after sign-in`() throws {
    let form = anna.form("/notes/new", typed + [("line_row", ""), ("line_text", "a line")])
    portal.now = portal.now + .hours(2)
    let page = anna.post("/notes/new", pairs: form)
    #expect(page.status == 401 && page.hasField("password"))
    #expect(!page.contains("of it") && !page.contains("hush"))
    let login = page.hidden(of: "/login")
    let answer = anna.post(
      "/login", pairs: login + [("login", "anna"), ("password", TestVisitor.password)])
    #expect(answer.status == 303 && answer.location == "/notes/new")
    let again = anna.get("/notes/new")
    #expect(again.hasValue("typed") && again.contains("&lt;all&gt; of it"))
    #expect(again.hasNotice(.warning, "Passwords are not kept"))
    #expect(again.hasValue("a line") && !again.contains("hush"))
    // Reloading the page keeps the values; discarding the form deletes them.
    #expect(anna.get("/notes/new").hasValue("typed"))
    _ = anna.post("/notes/new", pairs: again.hidden(of: "/notes/new") + [("discard", "yes")])
    #expect(!anna.get("/notes/new").contains("value=\"typed\""))
    #expect(try portal.notes().isEmpty)
  }

  @Test func `a form is not restored when another user signs in`() throws {
    _ = try portal.register(login: "boris")
    let form = anna.form("/notes/new", typed)
    portal.now = portal.now + .hours(2)
    let login = anna.post("/notes/new", pairs: form).hidden(of: "/login")
    let answer = anna.post(
      "/login", pairs: login + [("login", "boris"), ("password", TestVisitor.password)])
    #expect(answer.status == 303)
    #expect(!anna.get("/notes/new").contains("typed"))
  }

  @Test func `a form is kept for the person to whom it was shown only`() throws {
    let boris = try portal.register(login: "boris")
    let own = anna.form("/notes/new", typed)
    let others = boris.form("/notes/new", typed).filter { $0.0 != "person" }
    let forged = others + own.filter { $0.0 == "person" }
    let unproved = own.filter { $0.0 != "once" }
    for (sent, isKept) in [(own, true), (forged, false), (unproved, false)] {
      let page = portal.visitor().post("/notes/new", pairs: sent)
      #expect(page.status == 401)
      #expect(page.value(of: "carried")?.isEmpty == !isKept)
    }
  }

  @Test func `a restored form does not overwrite a newer version of the record`() throws {
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
    #expect(shown.hasValue("mine"))
    let again = shown.hidden(of: path).filter { $0.0 != "line_row" }
    #expect(anna.post(path, pairs: again + [("topic", "mine"), ("secret", "s")]).status == 409)
  }

  @Test func `a button pressed after the session expired leads to an existing page`() throws {
    portal.now = portal.now + .hours(2)
    let page = anna.post("/notes/touch", pairs: [])
    #expect(page.hasNotice(.warning, "press the button again") && !page.contains("comes back"))
    let login = page.hidden(of: "/login")
    let answer = anna.post(
      "/login", pairs: login + [("login", "anna"), ("password", TestVisitor.password)])
    #expect(answer.status == 303 && anna.get(answer.location).status == 200)
  }

  @Test func `a language change after the session expired leads to an existing page`() throws {
    portal.now = portal.now + .hours(2)
    let page = anna.post("/notes/touch", pairs: [])
    let answer = anna.post(
      "/language", pairs: page.hidden(of: "/language") + [("language", "ru")])
    #expect(answer.status == 303 && anna.get(answer.location).status == 200)
  }

  @Test func `a forged carried form does not cause a 500 error`() throws {
    for carried in ["", "AAAA", "%%%", String(repeating: "A", count: 4_000)] {
      let browser = portal.visitor()
      let answer = try browser.submit(
        "/login", ["login": "anna", "password": TestVisitor.password, "carried": carried])
      #expect(answer.status != 500)
    }
  }
}
