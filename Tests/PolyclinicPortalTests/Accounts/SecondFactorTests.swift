import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import PolyclinicSystem
@testable import PolyclinicVault

/// Two-factor authentication: sign-in with a password and a one-time code.
@Suite struct SecondFactorTests {
  private let portal: TestPortal
  private let anna: TestVisitor

  init() throws {
    portal = try TestPortal()
    anna = try portal.register(login: "anna")
  }

  private func enrol(_ visitor: TestVisitor) throws -> (app: OneTimePassword, codes: [String]) {
    try visitor.enrol(in: portal)
  }

  private func code(_ app: OneTimePassword) -> String { app.code(in: portal) }

  private func password(
    _ visitor: TestVisitor, login: String = "anna", next: String = ""
  ) throws -> TestPage {
    try visitor.submit(
      "/login", ["login": login, "password": TestVisitor.password, "next": next])
  }

  private func answer(
    _ page: TestPage, of visitor: TestVisitor, _ code: String, _ more: [(String, String)] = []
  ) -> TestPage {
    visitor.answer(page, code, more)
  }

  @Test func `a sign-in with codes set up needs the password and a code`() throws {
    let (app, codes) = try enrol(anna)
    #expect(Set(codes).count == 10)
    let browser = portal.visitor()
    let page = try password(browser, next: "/account/sessions")
    #expect(page.status == 200 && page.heading == "Enter your code")
    #expect(page.contains("autocomplete=\"one-time-code\" inputmode=\"numeric\""))
    #expect(browser.get("/account").status == 303)
    let answer = answer(page, of: browser, code(app))
    #expect(answer.status == 303 && answer.location == "/account/sessions")
    #expect(browser.get("/account").status == 200)
  }

  @Test func `a used code and a code of an earlier step are refused with 422`() throws {
    let (app, _) = try enrol(anna)
    let (now, earlier) = (code(app), app.code(at: OneTimePassword.step(at: portal.now) - 1))
    let browser = portal.visitor()
    #expect(answer(try password(browser), of: browser, now).status == 303)
    for used in [now, earlier] {
      let other = portal.visitor()
      let refused = answer(try password(other), of: other, used)
      #expect(refused.status == 422 && refused.contains("has been used"))
      #expect(other.get("/account").status == 303)
    }
  }

  @Test func `a recovery code works once and notifies its owner of the number left`() throws {
    let (_, codes) = try enrol(anna)
    let browser = portal.visitor()
    let typed = codes[3].lowercased().replacing(" ", with: "-")
    #expect(answer(try password(browser), of: browser, typed).status == 303)
    #expect(portal.notified(browser, "9 codes are left"))
    let other = portal.visitor()
    #expect(answer(try password(other), of: other, codes[3]).status == 422)
    #expect(browser.get("/account/two-factor").contains("9 recovery codes are left"))
  }

  @Test func `wrong codes are throttled with 429, but not at a known address`() throws {
    let (app, _) = try enrol(anna)
    anna.headers["X-Address"] = "192.0.2.1"
    let known = portal.visitor()
    known.headers["X-Address"] = "192.0.2.1"
    #expect(answer(try password(known), of: known, code(app)).status == 303)
    portal.now = portal.now + .seconds(60)
    let stranger = portal.visitor()
    stranger.headers["X-Address"] = "198.51.100.7"
    let page = try password(stranger)
    let statuses = (0..<20).map { answer(page, of: stranger, "00000\($0 % 10)").status }
    #expect(statuses.prefix(5).allSatisfy { $0 == 422 } && statuses.last == 429)
    #expect(answer(page, of: stranger, code(app)).status == 429)
    #expect(portal.notified(known, "wrong codes"))
    let again = portal.visitor()
    again.headers["X-Address"] = "192.0.2.1"
    #expect(answer(try password(again), of: again, code(app)).status == 303)
  }

  @Test func `a trusted browser signs in without a code until its trust is removed`() throws {
    let (app, _) = try enrol(anna)
    let browser = portal.visitor()
    #expect(
      answer(try password(browser), of: browser, code(app), [("trust", "yes")]).status == 303)
    _ = browser.press("/logout", on: "/account")
    #expect(try password(browser).status == 303)
    let list = browser.get("/account/sessions")
    let button = try #require(
      list.body.firstMatch(of: /\/account\/sessions\/browsers\/\d+\/forget/))
    #expect(browser.press(String(button.0), on: "/account/sessions").status == 303)
    _ = browser.press("/logout", on: "/account")
    #expect(try password(browser).heading == "Enter your code")
  }

  @Test func `trust in a browser ends after 30 days and after a password change`() throws {
    let (app, _) = try enrol(anna)
    let browser = portal.visitor()
    _ = answer(try password(browser), of: browser, code(app), [("trust", "yes")])
    portal.now = portal.now + .days(29)
    #expect(try password(browser).status == 303)
    portal.now = portal.now + .days(1)
    #expect(try password(browser).heading == "Enter your code")
    _ = answer(try password(browser), of: browser, code(app), [("trust", "yes")])
    let other = "umbrella quietly orbits tea"
    let changed = try browser.submit(
      "/account/password",
      ["current_password": TestVisitor.password, "password": other, "password_confirm": other])
    #expect(changed.status == 303)
    _ = browser.press("/logout", on: "/account")
    let page = try browser.submit("/login", ["login": "anna", "password": other])
    #expect(page.heading == "Enter your code")
  }

  @Test func `if the clinic requires codes, staff set them up at sign-in and keep them`() throws {
    let portal = try TestPortal(secondFactor: "staff")
    let doctor = try portal.register(login: "vera")
    #expect(try password(doctor, of: portal, "vera").status == 303)
    try portal.grant(.doctor, to: "vera")
    let browser = portal.visitor()
    let page = try password(browser, of: portal, "vera")
    #expect(page.status == 200 && page.contains("The clinic requires a code"))
    #expect(page.contains("<svg"))
    let app = try #require(page.app)
    #expect(browser.get("/account").status == 303)
    let wrong = answer(page, of: browser, "000000")
    #expect(wrong.status == 422)
    #expect(wrong.app == app)
    let code = app.code(at: OneTimePassword.step(at: portal.now))
    let sheet = answer(wrong, of: browser, code)
    #expect(sheet.status == 200 && sheet.recoveryCodes.count == 10)
    #expect(browser.get("/account").status == 200)
    let removal = browser.get("/account/two-factor/remove")
    #expect(removal.status == 409)
    #expect(browser.get("/account/two-factor").contains("cannot turn them off"))
  }

  private func password(
    _ visitor: TestVisitor, of portal: TestPortal, _ login: String
  ) throws -> TestPage {
    _ = visitor.press("/logout", on: "/", evenIfAbsent: true)
    return try visitor.submit("/login", ["login": login, "password": TestVisitor.password])
  }

  @Test func `a password of 8 characters is accepted with codes on, and keeps them on`() throws {
    let short = "Kz7-qpLm"
    let fields = [
      "current_password": TestVisitor.password, "password": short, "password_confirm": short,
    ]
    #expect(try anna.submit("/account/password", fields).status == 422)
    let (app, _) = try enrol(anna)
    #expect(try anna.submit("/account/password", fields).status == 303)
    let refused = try anna.submit(
      "/account/two-factor/remove", ["current_password": short, "code": code(app)])
    #expect(refused.status == 422 && refused.hasError("at least 15 characters"))
    #expect(
      try anna.submit(
        "/account/password",
        [
          "current_password": short, "password": TestVisitor.password,
          "password_confirm": TestVisitor.password,
        ]
      ).status == 303)
    let removed = try anna.submit(
      "/account/two-factor/remove", ["current_password": TestVisitor.password, "code": code(app)])
    #expect(removed.status == 303)
    let browser = portal.visitor()
    #expect(try password(browser).status == 303)
  }

  @Test func `setting up codes needs the right code and the password`() throws {
    let path = "/account/two-factor/set-up"
    let form = anna.get(path)
    let app = try #require(form.app)
    let attempts = [
      [("code", "000000"), ("current_password", TestVisitor.password)],
      [("code", code(app)), ("current_password", "not the password")],
    ]
    for fields in attempts {
      let answer = anna.post(path, pairs: form.hidden(of: path) + fields)
      #expect(answer.status == 422)
      #expect(answer.app == app)
    }
    let browser = portal.visitor()
    #expect(try password(browser).status == 303)
  }

  @Test func `new recovery codes need a code, replace the earlier ones and notify the owner`()
    throws
  {
    let (app, former) = try enrol(anna)
    let path = "/account/two-factor/codes"
    for wrong in ["", "000000"] {
      let refused = try anna.submit(
        path, ["current_password": TestVisitor.password, "code": wrong])
      #expect(refused.refuses("code"))
    }
    #expect(!portal.notified(anna, "New recovery codes were created"))
    let sheet = try anna.submit(
      path, ["current_password": TestVisitor.password, "code": code(app)])
    let new = sheet.recoveryCodes
    #expect(portal.notified(anna, "New recovery codes were created"))
    #expect(new.count == 10 && Set(new).isDisjoint(with: former))
    let browser = portal.visitor()
    let page = try password(browser)
    #expect(answer(page, of: browser, former[0]).status == 422)
    #expect(answer(page, of: browser, new[0]).status == 303)
  }

  @Test func `a recovery code serves as the code for new ones`() throws {
    let (_, former) = try enrol(anna)
    let sheet = try anna.submit(
      "/account/two-factor/codes",
      ["current_password": TestVisitor.password, "code": former[9]])
    #expect(sheet.recoveryCodes.count == 10)
  }

  @Test func `a reset link asks for the code; a lost-phone link switches codes off`() throws {
    let (app, _) = try enrol(anna)
    let admin = try portal.administrator()
    let person = try portal.keys(of: anna).person
    func link(_ action: String) throws -> String {
      let page = admin.press("/admin/people/\(person)/\(action)", on: "/admin/people/\(person)")
      return String(try #require(page.body.firstMatch(of: /\/reset\/[\w-]+/)).0)
    }
    let new = ["password": "umbrella quietly orbits tea"]
      .merging(["password_confirm": "umbrella quietly orbits tea"]) { $1 }
    let browser = portal.visitor()
    var path = try link("link")
    #expect(browser.get(path).hasField("code"))
    #expect(try browser.submit(path, new.merging(["code": "000000"]) { $1 }).status == 422)
    let token = browser.get(path).hidden(of: path)
    #expect(browser.post(path, pairs: token + new.map { ($0.key, $0.value) }).status == 422)
    #expect(try browser.submit(path, new.merging(["code": code(app)]) { $1 }).status == 303)
    #expect(browser.get("/account/two-factor").hasNotice(.success))
    path = try link("second-factor-link")
    let other = portal.visitor()
    #expect(!other.get(path).hasField("code"))
    #expect(try other.submit(path, new).status == 303)
    #expect(other.get("/account/two-factor").isEmptyList())
    #expect(portal.notified(other, "Codes were turned off"))
    #expect(other.get("/account/access-log").hasRow("turn codes off"))
  }

  @Test func `the code page expires after 10 minutes and after a password change`() throws {
    let (app, _) = try enrol(anna)
    let browser = portal.visitor()
    let page = try password(browser)
    portal.now = portal.now + .minutes(10)
    #expect(answer(page, of: browser, code(app)).hasNotice(.warning, "took too long"))
    let second = try password(browser)
    let other = "umbrella quietly orbits tea"
    _ = try anna.submit(
      "/account/password",
      ["current_password": TestVisitor.password, "password": other, "password_confirm": other])
    #expect(answer(second, of: browser, code(app)).hasNotice(.warning, "took too long"))
    #expect(answer(second, of: browser, "").status == 422)
    #expect(browser.get("/login/code").location == "/login")
    let forged = browser.post(
      "/login/code",
      pairs: browser.get("/login").hidden(of: "/login") + [("pending", "AAAA"), ("code", "1")])
    #expect(forged.status == 422)
  }

  @Test func `deleting the secret from the database does not switch codes off`() throws {
    _ = try enrol(anna)
    let person = try portal.keys(of: anna).person
    try portal.database.write {
      try $0.run("UPDATE accounts SET second_factor = NULL WHERE person = \(person)")
    }
    let browser = portal.visitor()
    _ = try password(browser)
    #expect(browser.get("/account").status == 303)
  }
}
