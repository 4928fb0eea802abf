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
  func `each required field is asked for`(_ field: String) throws {
    let page = try register([field: ""])
    #expect(page.status == 422 && page.contains("id=\"\(field)-error\""))
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
  func `bad input is refused at its field, and harms nothing`(
    _ field: String, _ typed: String
  ) throws {
    let page = try register([field: typed])
    #expect(page.status == 422 && page.contains("id=\"\(field)-error\""))
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
  func `names of any script and addresses of any kind are taken and shown harmlessly`(
    _ field: String, _ typed: String
  ) throws {
    let anna = try portal.register([field: typed])
    let page = anna.get("/account")
    let shown = typed.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing(">", with: "&gt;").replacing("'", with: "&#39;")
    #expect(page.status == 200 && page.contains(shown))
  }

  @Test func `what was typed stays, passwords not`() throws {
    let page = try register(["email": "nothing", "city": "Brest"])
    #expect(page.contains("value=\"Brest\"") && !page.contains(TestVisitor.password))
  }

  @Test(arguments: ["short", "aaaaaaaaaaaaaaaaaaaa", "abcdefghijklmnop", "annaannaannaanna"])
  func `a password that is easily guessed is refused with the reason`(_ password: String) throws {
    let page = try register(["password": password, "password_confirm": password])
    #expect(page.status == 422 && page.contains("id=\"password-error\""))
  }

  @Test(arguments: ["anna", "ANNA", "ánna"])
  func `a login that is taken is refused at the login, however it is written`(
    _ login: String
  ) throws {
    #expect(try register([:]).status == 303)
    let page = try register(["login": login, "email": "other@example.org"])
    #expect(page.status == 422 && page.contains("id=\"login-error\""))
    #expect(try portal.rowCounts()["people"] == 1)
  }

  @Test func `of two forms for one login, filled in at the same time, one wins`() throws {
    let browsers = [portal.visitor(), portal.visitor()]
    let fields = TestVisitor.registration(login: "anna").map { ($0.key, $0.value) }
    let forms = browsers.map { $0.get("/register").hidden(of: "/register") + fields }
    let answers = zip(browsers, forms).map { $0.post("/register", pairs: $1).status }
    #expect(answers == [303, 422])
    #expect(try portal.rowCounts()["accounts"] == 1)
  }

  @Test func `the same registration sent twice is one person, who is signed in by both`() throws {
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

  @Test func `a doctor waits for approval, and is told`() throws {
    let doctor = try portal.register(["role": "doctor"])
    #expect(doctor.get("/").contains("approv"))
    #expect(try !portal.register().get("/").contains("approv"))
  }

  @Test func `an e-mail may serve several people`() throws {
    let email = ["email": "family@example.org"]
    _ = try portal.register(email)
    _ = try portal.register(email)
    #expect(try portal.rowCounts()["accounts"] == 2)
  }

  @Test func `nothing of a person stands readable in the database`() throws {
    _ = try portal.register(login: "zdenka", ["surname": "Qwertova", "city": "Plzeňsk"])
    let stored = try portal.storedBytes()
    for text in ["zdenka", "Qwertova", "Plzeňsk", TestVisitor.password] {
      #expect(!stored.contains(text.utf8))
    }
  }
}
