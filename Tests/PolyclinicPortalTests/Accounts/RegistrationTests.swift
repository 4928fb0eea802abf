import PolyclinicCore
import PolyclinicTesting
import Testing

@Suite struct RegistrationTests {
  private let portal: TestPortal

  init() throws { portal = try TestPortal() }

  private func register(_ changes: [String: String]) throws -> TestPage {
    let fields = TestVisitor.registration(login: "anna").merging(changes) { $1 }
    return try portal.visitor().submit("/register", fields)
  }

  @Test func `all errors of a registration are shown at once`() throws {
    let portal = try TestPortal()
    func errors(_ changes: [String: String]) throws -> Set<String> {
      let fields = TestVisitor.registration(login: "vera").merging(changes) { $1 }
      let page = try portal.visitor().submit("/register", fields)
      #expect(page.status == 422)
      return Set(["login", "password", "password_confirm"].filter(page.hasError(of:)))
    }
    let short = "kettle123"
    #expect(
      try errors(["login": "vera@example.org", "password": short, "password_confirm": short])
        == ["login", "password"])
    #expect(
      try errors(["password": short, "password_confirm": "other"])
        == ["password", "password_confirm"])
  }

  @Test func `the summary lists the errors in the order of the page, and names the consent`() throws
  {
    let asked = ["surname", "email", "login", "password", "password_confirm", "consent"]
    let page = try register([
      "surname": "", "email": "x", "login": "a b", "password": "short",
      "password_confirm": "other", "consent": "",
    ])
    let links = page.body.split(separator: "<a href=\"#").map { $0.prefix { $0 != "\"" } }
    #expect(links.filter { asked.contains(String($0)) } == asked.map { $0[...] })
    #expect(page.contains("#consent\">Tick the box that says that you agree"))
  }

  @Test(arguments: [
    "email", "name", "surname", "street", "house_number", "city", "country", "password",
    "password_confirm", "consent",
  ])
  func `a missing required field is refused with 422 at the field`(_ field: String) throws {
    for address in ["later", "required"] {
      let portal = try TestPortal(address: address)
      let fields = TestVisitor.registration(login: "anna").merging([field: ""]) { $1 }
      let page = try portal.visitor().submit("/register", fields)
      #expect(page.refuses(field), "\(address)")
      #expect(try portal.rowCounts()["people"] == 0)
    }
  }

  @Test func `registration asks only for what an account needs, and for an optional telephone`()
    throws
  {
    let asked = [
      "name", "surname", "email", "phone", "login", "password", "password_confirm", "consent",
    ]
    let later = ["street", "house_number", "city", "country", "birth_date", "patronymic"]
    let short = portal.visitor().get("/register")
    let long = try TestPortal(address: "required").visitor().get("/register")
    for field in asked { #expect(short.hasField(field), "\(field)") }
    for field in later { #expect(!short.hasField(field), "\(field)") }
    for field in later.prefix(4) { #expect(long.hasField(field), "\(field)") }
    #expect(long.value(of: "country") == "BY")
    #expect(try portal.register(["phone": ""]).get("/account").fact("Phone") == nil)
  }

  @Test func `a person without an address registers, and gives it completely or not at all`() throws
  {
    let none = ["street": "", "house_number": "", "city": "", "country": ""]
    let anna = try portal.register(none)
    #expect(anna.get("/account").fact("Address") == nil)
    #expect(anna.get("/account/edit").value(of: "country") == "BY")
    var profile = TestVisitor.registration(login: anna.login).merging(none) { $1 }
    profile["country"] = "BY"
    #expect(try anna.submit("/account/edit", profile).status == 303)
    #expect(anna.get("/account").fact("Address") == nil)
    profile["city"] = "Brest"
    #expect(try anna.submit("/account/edit", profile).refuses("street"))
    profile.merge(["street": "Long Street", "house_number": "1"]) { $1 }
    #expect(try anna.submit("/account/edit", profile).status == 303)
    #expect(anna.get("/account").fact("Address")?.contains("Brest") == true)
  }

  @Test
  func `a birth date in the future is refused together with other errors, and one before 1900`()
    throws
  {
    let anna = try portal.register()
    var profile = TestVisitor.registration(login: anna.login)
    profile.merge(["birth_date": "2026-05-05", "name": ""]) { $1 }
    let both = try anna.submit("/account/edit", profile)
    #expect(both.refuses("birth_date") && both.refuses("name"))
    profile.merge(["birth_date": "1899-12-31", "name": "Anna"]) { $1 }
    #expect(try anna.submit("/account/edit", profile).refuses("birth_date"))
    profile["birth_date"] = "1900-01-01"
    #expect(try anna.submit("/account/edit", profile).status == 303)
  }

  @Test func `the suggested towns are those of the country in the form`() throws {
    let anna = try portal.register(["country": "BY"])
    func suggests(_ town: String, _ page: TestPage) -> Bool {
      page.contains("<option value=\"\(town)\">")
    }
    let page = anna.get("/account/edit")
    #expect(suggests("Minsk", page) && !suggests("London", page))
    var profile = TestVisitor.registration(login: anna.login)
    profile.merge(["country": "GB", "name": ""]) { $1 }
    let refused = try anna.submit("/account/edit", profile)
    #expect(suggests("London", refused) && !suggests("Minsk", refused))
  }

  @Test func `registration leads to the page that the visitor came from`() throws {
    let visitor = portal.visitor()
    let next = "/account/sessions"
    let signIn = visitor.get("/login?next=\(next)")
    #expect(signIn.hasLink(to: "/register?next=%2Faccount%2Fsessions"))
    let wrong = try visitor.submit(
      "/register?next=\(next)",
      TestVisitor.registration(login: "anna").merging(["email": "x"]) { $1 })
    #expect(
      wrong.value(of: "next") == next && wrong.hasLink(to: "/login?next=%2Faccount%2Fsessions"))
    let fields = TestVisitor.registration(login: "anna")
    #expect(try visitor.submit("/register?next=\(next)", fields).location == next)
  }

  @Test(arguments: [
    ("/privacy", "/privacy"), ("/privacy?a=1", "/privacy?a=1"),
    ("/account/sessions", "/login?next=%2Faccount%2Fsessions"),
    ("/missing", "/login?next=%2Fmissing"),
    ("//evil.example", "/"), ("https://evil.example/", "/"), ("/\\evil.example", "/"), ("", "/"),
  ])
  func `registration leads back to the page that the visitor came from`(
    _ next: String, _ origin: String
  ) throws {
    let visitor = portal.visitor()
    let path = Path("/register").query(["next": next]).description
    #expect(visitor.get(path).backLink == origin)
    #expect(try visitor.submit(path, ["cancel": ""]).location == origin)
    let typed = try visitor.submit(path, ["name": "Anna", "cancel": ""])
    #expect(typed.status == 200 && typed.heading == "Discard changes?")
  }

  @Test(arguments: ["https://evil.example/", "//evil.example", "/\\evil.example", "evil", ""])
  func `registration leads to no other site, but to the welcome`(_ next: String) throws {
    let visitor = portal.visitor()
    let answer = try visitor.submit(
      "/register", TestVisitor.registration(login: "anna").merging(["next": next]) { $1 })
    #expect(answer.location == "/account/welcome")
    let page = visitor.get("/account/welcome")
    #expect(page.hasNotice(.success) && page.hasLink(to: "/account/edit"))
    #expect(page.hasLink(to: "/account/two-factor"))
  }

  @Test func `a doctor registers by a link of their own, which keeps the next page`() throws {
    let visitor = portal.visitor()
    let link = "/register?role=doctor&next=%2Faccount"
    #expect(visitor.get("/register?next=/account").hasLink(to: link))
    #expect(!visitor.get("/register").hasField("role"))
    var fields = TestVisitor.registration(login: "vera")
    fields["role"] = nil
    #expect(visitor.get(link).value(of: "role") == "doctor")
    #expect(try visitor.submit(link, fields).location == "/account")
    #expect(visitor.get("/").contains("approv"))
    #expect(visitor.get("/account/welcome").hasNotice(.plain))
  }

  @Test func `a refused registration says once that passwords are typed again`() throws {
    let reminder = "passwords are not kept"
    #expect(try register(["email": "x"]).text.contains(reminder))
    #expect(try !register(["password": "", "password_confirm": ""]).text.contains(reminder))
  }
  @Test(arguments: [
    ("login", String(repeating: "a", count: 65)), ("login", "a@b"), ("login", "a b"),
    ("login", "<script>"), ("login", "'; DROP TABLE accounts; --"), ("login", "..."),
    ("login", "an\0na"), ("email", "anna"), ("email", "a@b@c.d"), ("name", "Anna\0"),
    ("name", "<script>alert(1)</script>"), ("name", "\u{202E}annA"), ("name", "4nna"),
    ("surname", String(repeating: "я", count: 101)), ("birth_date", "2023-02-29"),
    ("birth_date", "yesterday"), ("phone", "call me"), ("house_number", "-/-"),
    ("house_number", String(repeating: "1", count: 21)), ("country", "XX"), ("country", "<b>"),
    ("sex", "unknown"), ("role", "administrator"), ("role", ""), ("password_confirm", "another"),
    ("street", String(repeating: "a", count: 201)), ("city", "a\u{2066}b"),
  ])
  func `invalid input is refused with 422 at its field and stores nothing`(
    _ field: String, _ typed: String
  ) throws {
    let page = try register([field: typed])
    #expect(page.refuses(field))
    #expect(!page.contains("<script>alert"))
    #expect(try portal.rowCounts()["people"] == 0)
  }

  @Test(arguments: [
    ("name", "Анна-Мария"), ("surname", "O’Neil"), ("surname", "d'Arc de la Tour"),
    ("surname", "בן־גוריון"), ("name", "علی‌رضا"), ("name", "स्वाति"), ("name", "佐々木"),
    ("name", "Zoë"), ("surname", "St. John"), ("house_number", "12a/3"),
    ("house_number", "7 корп. 2"),
    ("city", "'; DROP TABLE people; --"), ("street", "<b>Long & Wide</b>"), ("login", "анна.п-1"),
  ])
  func `names and addresses of any script are accepted and shown escaped`(
    _ field: String, _ typed: String
  ) throws {
    let anna = try portal.register([field: typed])
    let page = anna.get("/account")
    let shown = typed.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing(">", with: "&gt;").replacing("'", with: "&#39;")
    #expect(page.status == 200 && page.contains(shown))
  }

  @Test func `a refused form keeps the typed values except the passwords`() throws {
    let page = try register(["email": "nothing", "city": "Brest"])
    #expect(page.hasValue("Brest") && !page.contains(TestVisitor.password))
  }

  @Test(arguments: ["short", "aaaaaaaaaaaaaaaaaaaa", "abcdefghijklmnop", "annaannaannaanna"])
  func `an easily guessed password is refused with 422 at its field`(_ password: String) throws {
    let page = try register(["password": password, "password_confirm": password])
    #expect(page.refuses("password"))
  }

  @Test(arguments: ["anna", "ANNA", "ánna"])
  func `a taken login is refused regardless of case and accents`(_ login: String) throws {
    #expect(try register([:]).status == 303)
    let page = try register(["login": login, "email": "other@example.org"])
    #expect(page.refuses("login"))
    #expect(try portal.rowCounts()["people"] == 1)
  }

  @Test func `the second of two registrations for one login is refused with 422`() throws {
    let browsers = [portal.visitor(), portal.visitor()]
    let fields = TestVisitor.registration(login: "anna").map { ($0.key, $0.value) }
    let forms = browsers.map { $0.get("/register").hidden(of: "/register") + fields }
    let answers = zip(browsers, forms).map { $0.post("/register", pairs: $1).status }
    #expect(answers == [303, 422])
    #expect(try portal.rowCounts()["accounts"] == 1)
  }

  @Test func `a registration sent twice makes one person and signs in both times`() throws {
    let browser = portal.visitor()
    let fields = TestVisitor.registration(login: "anna").map { ($0.key, $0.value) }
    let form = browser.get("/register").hidden(of: "/register") + fields
    let cookie = browser.cookie("__Host-visitor")
    let first = browser.post("/register", pairs: form)
    let session = browser.cookie("__Host-session")
    browser.setCookie("__Host-session", nil)
    browser.setCookie("__Host-visitor", cookie)
    let second = browser.post("/register", pairs: form)
    #expect(first.status == 303 && second.status == 303 && first.location == second.location)
    #expect(try portal.rowCounts()["people"] == 1)
    #expect(session != browser.cookie("__Host-session"))
    #expect(browser.get("/account").status == 200)
  }

  @Test(arguments: [
    (Language.english, "will check that you are a doctor"),
    (.russian, "проверит, что вы врач"), (.hebrew, "יבדקו שאתם רופאים"),
  ])
  func `a doctor's home and account say that the role waits for approval`(
    language: Language, words: String
  ) throws {
    let doctor = try portal.register(language: language, ["role": "doctor"])
    let patient = try portal.register(language: language)
    for page in ["/", "/account"] {
      #expect(doctor.get(page).main.text.contains(words))
      #expect(!patient.get(page).main.text.contains(words))
    }
  }

  @Test func `without a login, the e-mail address proposes it`() throws {
    let fields = TestVisitor.registration(login: "").merging(["email": "vera.k@example.org"]) { $1 }
    let vera = portal.visitor()
    #expect(try vera.submit("/register", fields).status == 303)
    #expect(vera.get("/account/edit").value(of: "login") == "vera.k")
    #expect(try portal.visitor().signIn("vera.k@example.org").status == 303)
    #expect(try portal.visitor().submit("/register", fields).refuses("login"))
    let foreign = fields.merging(["email": "!!@example.org"]) { $1 }
    #expect(try portal.visitor().submit("/register", foreign).refuses("login"))
  }

  @Test func `several people may register with the same e-mail`() throws {
    let email = ["email": "family@example.org"]
    _ = try portal.register(email)
    _ = try portal.register(email)
    #expect(try portal.rowCounts()["accounts"] == 2)
  }

  @Test func `the database holds no personal data in plain text`() throws {
    _ = try portal.register(login: "zdenka", ["surname": "Qwertova", "city": "Plzeňsk"])
    let stored = try portal.storedBytes()
    for text in ["zdenka", "Qwertova", "Plzeňsk", TestVisitor.password] {
      #expect(!stored.contains(text.utf8))
    }
  }
}
