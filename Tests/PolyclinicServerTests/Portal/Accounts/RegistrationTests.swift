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

  @Test(arguments: [
    "login", "email", "name", "surname", "street", "house_number", "city", "country", "password",
    "password_confirm", "consent",
  ])
  func `a missing required field is refused with 422 at the field`(_ field: String) throws {
    let page = try register([field: ""])
    #expect(page.refuses(field))
    #expect(try portal.rowCounts()["people"] == 0)
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

  @Test func `a doctor's home page says that the role waits for approval`() throws {
    let doctor = try portal.register(["role": "doctor"])
    #expect(doctor.get("/").contains("approv"))
    #expect(try !portal.register().get("/").contains("approv"))
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
