import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicWeb

/// Passkeys: the list of a person, signing in with one, and the second factor.
@Suite struct PasskeyTests {
  private static let list = "/account/passkeys"
  private let portal: TestPortal
  private let anna: TestVisitor

  init() throws {
    portal = try TestPortal()
    anna = try portal.register(login: "anna")
  }

  /// The path of a passkey's page, such as `remove`, on the list.
  private func path(_ action: String, of visitor: TestVisitor) throws -> String {
    let found = visitor.get(Self.list).body.matches(of: /\/account\/passkeys\/\d+\/[a-z]+/)
    return String(try #require(found.first { $0.0.hasSuffix(action) }).0)
  }

  @Test(arguments: ["ES256", "RS256"])
  func `a passkey is added, listed by its name, and signs in`(_ algorithm: String) throws {
    let passkey = TestPasskey(algorithm == "RS256" ? .rsa : TestSigner())
    let added = try anna.add(passkey, named: "  My   phone ")
    #expect(added.status == 303 && added.location == Self.list)
    let list = anna.get(Self.list)
    #expect(list.contains("<bdi>My phone</bdi>") && list.contains("Not used yet"))
    #expect(portal.notified(anna, "A passkey was added"))
    #expect(portal.log.contains { $0.contains("\"passkey added\"") })
    let browser = portal.visitor()
    #expect(try browser.signIn(with: passkey).location == "/")
    #expect(browser.get(Self.list).contains("Last used"))
    #expect(try portal.visitor().signIn(with: passkey).status == 303)
    #expect(portal.log.contains { $0.contains("\"signed in\"") && $0.contains("with=passkey") })
  }

  @Test func `the options ask for a discoverable passkey of a verified user, without attestation`()
    throws
  {
    let passkey = TestPasskey()
    #expect(try anna.add(passkey).status == 303)
    let options = try anna.get("/account/passkeys/new").passkeyOptions()
    #expect(options["rp"]?["id"]?.text == "clinic.example")
    #expect(options["user"]?["name"]?.text == "anna")
    let algorithms = (0..<2).map { options["pubKeyCredParams"]?[$0]?["alg"]?.text }
    #expect(algorithms == ["-7", "-257"] && options["pubKeyCredParams"]?.count == 2)
    let selection = options["authenticatorSelection"]
    #expect(selection?["residentKey"]?.text == "required")
    #expect(selection?["userVerification"]?.text == "required")
    #expect(options["attestation"]?.text == "none" && options["excludeCredentials"]?.count == 1)
    let browser = portal.visitor()
    _ = browser.get("/login")
    let signIn = try browser.get("/login/passkey/options").json()
    #expect(signIn["rpId"]?.text == "clinic.example" && signIn["allowCredentials"]?.count == 0)
    #expect(signIn["userVerification"]?.text == "required")
  }

  @Test func `the sign-in page offers passkeys among the suggestions of the login field`() {
    let page = portal.visitor().get("/login")
    #expect(page.contains("autocomplete=\"username webauthn\""))
    #expect(page.contains("/scripts/passkeys.") && page.contains("Sign in with a passkey"))
  }

  @Test func `a passkey replaces password and code, and leads to the requested page`() throws {
    _ = try anna.enrol(in: portal)
    let passkey = TestPasskey()
    #expect(try anna.add(passkey).status == 303)
    let browser = portal.visitor()
    let page = browser.get("/login?next=/account/sessions")
    let challenge = try browser.passkeyChallenge()
    let answer = browser.send(passkeyResponse: passkey.signedIn(challenge), on: page)
    #expect(answer.location == "/account/sessions" && browser.get("/account").status == 200)
  }

  @Test func `after five minutes a new passkey asks for the password, and for the app's code`()
    throws
  {
    let path = "/account/passkeys/new"
    portal.now = portal.now + .minutes(6)
    let asked = anna.get(path)
    #expect(asked.hasField("current_password") && !asked.hasField("credential"))
    #expect(try anna.submit(path, ["current_password": "not hers"]).refuses("current_password"))
    let page = try anna.submit(path, ["current_password": TestVisitor.password])
    #expect(try page.status == 200 && anna.add(TestPasskey(), on: page).status == 303)
    let app = try anna.enrol(in: portal).app
    portal.now = portal.now + .minutes(6)
    let proof = ["current_password": TestVisitor.password]
    #expect(try anna.submit(path, proof.merging(["code": "000000"]) { $1 }).refuses("code"))
    let code = ["code": app.code(in: portal)]
    #expect(try anna.submit(path, proof.merging(code) { $1 }).status == 200)
    let bare = anna.get(path).hidden(of: path) + [("current_password", TestVisitor.password)]
    #expect(anna.post(path, pairs: bare).status == 422)
  }

  @Test func `a passkey is renamed and removed, and the owner is told of both`() throws {
    let passkey = TestPasskey()
    #expect(try anna.add(passkey).status == 303)
    #expect(try anna.submit(path("name", of: anna), ["name": "Laptop"]).status == 303)
    #expect(anna.get(Self.list).contains("<bdi>Laptop</bdi>"))
    #expect(portal.notified(anna, "has another name"))
    let question = try path("remove", of: anna)
    #expect(anna.get(question).hasField("current_password"))
    #expect(try anna.submit(question, ["current_password": "not hers"]).status == 422)
    #expect(try anna.submit(question, [:]).status == 422)
    #expect(try anna.submit(question, ["current_password": TestVisitor.password]).status == 303)
    #expect(anna.get(Self.list).isEmptyList())
    #expect(portal.notified(anna, "A passkey was removed"))
    for event in ["renamed", "removed"] {
      #expect(portal.log.contains { $0.contains("\"passkey \(event)\"") })
    }
    let refused = try portal.visitor().signIn(with: passkey)
    #expect(refused.status == 422 && refused.contains("data-unknown="))
    #expect(try portal.visitor().signIn("anna").status == 303)
  }

  @Test func `a passkey that is not the last second way is removed without the password`() throws {
    #expect(try anna.add(TestPasskey()).status == 303)
    #expect(try anna.add(TestPasskey(), named: "Key").status == 303)
    let question = try path("remove", of: anna)
    #expect(!anna.get(question).hasField("current_password"))
    #expect(try anna.submit(question, [:]).status == 303)
    #expect(try anna.get(path("remove", of: anna)).hasField("current_password"))
  }

  @Test func `after five minutes the removal of each passkey asks for the password`() throws {
    #expect(try anna.add(TestPasskey()).status == 303)
    #expect(try anna.add(TestPasskey(), named: "Key").status == 303)
    let question = try path("remove", of: anna)
    portal.now = portal.now + .minutes(6)
    let wrong = try anna.submit(question, ["current_password": "not hers"])
    #expect(wrong.refuses("current_password"))
    let removed = try anna.submit(question, ["current_password": TestVisitor.password])
    #expect(removed.status == 303)
  }

  @Test func `passkeys of other people can neither be renamed nor removed`() throws {
    #expect(try anna.add(TestPasskey()).status == 303)
    let boris = try portal.register(login: "boris")
    for action in ["name", "remove"] {
      #expect(boris.get(try path(action, of: anna)).status == 404)
    }
    #expect(boris.get(Self.list).isEmptyList())
  }

  @Test func `a passkey after the twentieth is refused before the device makes it`() throws {
    for _ in 0..<Passkey.most { #expect(try anna.add(TestPasskey()).status == 303) }
    #expect(!anna.get(Self.list).contains("href=\"/account/passkeys/new\""))
    #expect(anna.get("/account/passkeys/new").status == 409)
  }

  @Test func `staff who need a second factor have it in a passkey`() throws {
    let portal = try TestPortal(secondFactor: "staff")
    let vera = try portal.register(login: "vera")
    let codes = try vera.enrol(in: portal).codes
    let passkey = TestPasskey()
    #expect(try vera.add(passkey).status == 303)
    try portal.grant(.doctor, to: "vera")
    let browser = portal.visitor()
    #expect(try browser.signIn(with: passkey).status == 303)
    #expect(browser.get("/account/two-factor").contains("/account/two-factor/remove"))
    portal.now = portal.now + .minutes(1)
    let removed = try browser.submit(
      "/account/two-factor/remove",
      ["current_password": TestVisitor.password, "code": codes[0]])
    #expect(removed.status == 303)
    let other = portal.visitor()
    let asked = try other.signIn("vera")
    #expect(asked.heading == "Confirm with your passkey" && other.get("/account").status == 303)
    let challenge = try #require(
      try other.get("/login/passkey/options").json()["challenge"]?.text)
    let answer = other.send(passkeyResponse: passkey.signedIn(challenge), on: asked)
    #expect(answer.status == 303 && other.get("/account").status == 200)
    let third = portal.visitor()
    #expect(third.answer(try third.signIn("vera"), codes[1]).status == 303)
    let kept = try path("remove", of: other)
    #expect(other.get(kept).status == 409)
  }

  @Test func `a new member of staff makes a passkey at sign-in in place of an app`() throws {
    let portal = try TestPortal(secondFactor: "staff")
    _ = try portal.register(login: "vera")
    try portal.grant(.doctor, to: "vera")
    let browser = portal.visitor()
    let asked = try browser.signIn("vera")
    #expect(asked.heading == "Turn on sign-in codes" && asked.contains("Or with a passkey"))
    let passkey = TestPasskey()
    let own = asked.hidden(of: "/login/code")
    let options = try asked.passkeyOptions()
    passkey.isUserVerified = false
    let refused = browser.post(
      "/login/code", pairs: own + [("credential", passkey.created(options))])
    #expect(refused.status == 422 && refused.contains("has not checked that it is you"))
    passkey.isUserVerified = true
    let replayed = browser.post(
      "/login/code", pairs: own + [("credential", passkey.created(options))])
    #expect(replayed.status == 422 && replayed.contains("answered before"))
    let next = try replayed.passkeyOptions()
    let sheet = browser.post(
      "/login/code", pairs: own + [("credential", passkey.created(next))])
    #expect(sheet.status == 200 && sheet.recoveryCodes.count == 10)
    #expect(browser.get("/account").status == 200)
    #expect(try portal.visitor().signIn(with: passkey).status == 303)
    let other = portal.visitor()
    #expect(try other.signIn("vera").heading == "Confirm with your passkey")
  }

  @Test func `after a password the passkey of another account is refused`() throws {
    let (mine, foreign) = (TestPasskey(), TestPasskey())
    _ = try anna.enrol(in: portal)
    #expect(try anna.add(mine).status == 303)
    #expect(try portal.register(login: "boris").add(foreign).status == 303)
    let browser = portal.visitor()
    let asked = try browser.signIn("anna")
    let challenge = try browser.get("/login/passkey/options").json()["challenge"]?.text ?? ""
    let refused = browser.send(passkeyResponse: foreign.signedIn(challenge), on: asked)
    #expect(refused.status == 422 && refused.contains("not of the account"))
    #expect(browser.get("/account").status == 303)
  }

  @Test func `the clinic's link for a lost phone removes the passkeys`() throws {
    let passkey = TestPasskey()
    #expect(try anna.add(passkey).status == 303)
    let number = try portal.person(of: anna)
    let page = "/admin/people/\(number)"
    let shown = try portal.administrator().press("\(page)/second-factor-link", on: page)
    let link = try #require(shown.body.firstMatch(of: /\/reset\/[\w-]+/))
    let new = "umbrella quietly orbits tea"
    let browser = portal.visitor()
    let reset = try browser.submit(String(link.0), ["password": new, "password_confirm": new])
    #expect(reset.status == 303 && browser.get(Self.list).isEmptyList())
    #expect(try portal.visitor().signIn(with: passkey).status == 422)
  }

  @Test func `a suspended account is not opened by its passkey`() throws {
    let passkey = TestPasskey()
    #expect(try anna.add(passkey).status == 303)
    let number = try portal.person(of: anna)
    _ = try portal.administrator().submit("/admin/people/\(number)/suspend", [:])
    let refused = try portal.visitor().signIn(with: passkey)
    #expect(refused.status == 422 && refused.contains("suspended"))
  }

  @Test func `a later sign-in without a passkey offers one at the end of the home page`() throws {
    let offer = "Sign in faster"
    #expect(!anna.get("/").contains(offer))
    portal.now = portal.now + .minutes(1)
    let browser = portal.visitor()
    #expect(try browser.signIn("anna").status == 303)
    #expect(browser.get("/").main.all("h2").last?.text == offer)
    #expect(browser.press("/account/passkeys/dismiss", on: "/").status == 303)
    #expect(!browser.get("/").contains(offer))
  }

  @Test func `passkeys for another host name are listed as such, and counted for the check`() throws
  {
    let passkey = TestPasskey()
    #expect(try anna.add(passkey).status == 303)
    let party = RelyingParty(Portal.Origin(host: "clinic.example", port: 443))
    #expect(try portal.read { try Passkey.countOfOthers(than: party, on: $0) } == 0)
    try portal.write { try $0.run("UPDATE passkeys SET host = 'old.example'") }
    #expect(anna.get(Self.list).contains("Made for another address"))
    #expect(try portal.read { try Passkey.countOfOthers(than: party, on: $0) } == 1)
  }

  @Test(arguments: [
    "https://127.0.0.1", "https://127.0.0.1:8443", "https://[::1]:8443", "https://10.1",
  ])
  func `an IP address allows no passkeys`(_ origin: String) {
    #expect(Portal.Origin(origin).map { RelyingParty($0) == nil } == true)
  }

  @Test func `the host of passkeys is the origin's, without its port`() throws {
    let origin = try #require(Portal.Origin("https://localhost:8443"))
    #expect(RelyingParty(origin)?.host == "localhost")
  }

  @Test func `the export has the passkeys, and an erasure removes them`() throws {
    let passkey = TestPasskey()
    #expect(try anna.add(passkey, named: "Kitchen tablet").status == 303)
    #expect(try portal.visitor().signIn(with: passkey).status == 303)
    let exported = try portal.export(of: anna, from: "account")["passkeys"]
    #expect(exported?.count == 1 && exported?[0]?["name"]?.text == "Kitchen tablet")
    let stored = try portal.storedBytes()
    #expect(!stored.contains(Array("Kitchen tablet".utf8)))
    for secret in [passkey.id, passkey.handle] { #expect(!stored.contains(secret)) }
    try portal.erase(anna)
    #expect(try portal.rowCounts()["passkeys"] == 0)
  }
}

extension [UInt8] {
  /// Returns true if the bytes occur in a row.
  fileprivate func contains(_ bytes: [UInt8]) -> Bool {
    indices.contains { self[$0...].starts(with: bytes) }
  }
}
