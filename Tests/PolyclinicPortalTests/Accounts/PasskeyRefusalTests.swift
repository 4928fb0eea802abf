import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

/// Responses of authenticators that are wrong, copied or of somebody else. Each has a clear answer,
/// opens no session and loses nothing.
@Suite struct PasskeyRefusalTests {
  private static let list = "/account/passkeys"
  private let portal: TestPortal
  private let anna: TestVisitor
  private let passkey = TestPasskey()

  init() throws {
    portal = try TestPortal()
    anna = try portal.register(login: "anna")
    let added = try anna.add(passkey)
    try #require(added.status == 303)
  }

  /// Expects that a passkey does not sign in, with these words, and that it still does afterwards.
  private func refuses(
    _ words: String, _ reason: String, _ change: (TestPasskey) -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let wrong = TestPasskey(passkey.signer)
    (wrong.id, wrong.handle, wrong.signCount) = (passkey.id, passkey.handle, passkey.signCount)
    change(wrong)
    let browser = portal.visitor()
    let answer = try browser.signIn(with: wrong)
    #expect(answer.status == 422 && answer.contains(words), sourceLocation: sourceLocation)
    #expect(browser.get("/account").status == 303, sourceLocation: sourceLocation)
    #expect(
      portal.log.contains { $0.contains("\"passkey refused\"") && $0.contains("reason=\(reason)") },
      sourceLocation: sourceLocation)
    #expect(
      try portal.visitor().signIn(with: passkey).status == 303, sourceLocation: sourceLocation)
  }

  @Test func `a challenge is answered once, also if the first answer was wrong`() throws {
    let browser = portal.visitor()
    let challenge = try browser.passkeyChallenge()
    let page = browser.get("/login")
    let response = passkey.signedIn(challenge)
    passkey.origin = "https://evil.example"
    let wrong = browser.send(passkeyResponse: passkey.signedIn(challenge), on: page)
    #expect(wrong.status == 422 && wrong.contains("Another address"))
    let replayed = browser.send(passkeyResponse: response, on: page)
    #expect(replayed.status == 422 && replayed.contains("answered before"))
    #expect(browser.get("/account").status == 303)
  }

  @Test func `the response of a sign-in opens no second session`() throws {
    let browser = portal.visitor()
    let challenge = try browser.passkeyChallenge()
    let page = browser.get("/login")
    let response = passkey.signedIn(challenge)
    #expect(browser.send(passkeyResponse: response, on: page).status == 303)
    let thief = portal.visitor()
    let foreign = thief.send(passkeyResponse: response, on: thief.get("/login"))
    #expect(foreign.status == 422 && foreign.contains("another browser"))
    #expect(thief.get("/account").status == 303)
  }

  @Test func `a challenge ends after five minutes`() throws {
    let browser = portal.visitor()
    let challenge = try browser.passkeyChallenge()
    let page = browser.get("/login")
    portal.now = portal.now + .minutes(5)
    let late = browser.send(passkeyResponse: passkey.signedIn(challenge), on: page)
    #expect(late.status == 422 && late.contains("took too long"))
  }

  @Test func `the challenge of a new passkey signs nobody in, nor the other way round`() throws {
    let making = try anna.get("/account/passkeys/new").passkeyOptions()["challenge"]?.text ?? ""
    let browser = portal.visitor()
    let page = browser.get("/login")
    #expect(browser.send(passkeyResponse: passkey.signedIn(making), on: page).status == 422)
    let options = anna.get("/account/passkeys/new")
    let challenge = try browser.passkeyChallenge()
    let response = TestPasskey().created(["challenge": .string(challenge)])
    let own = options.hidden(of: "/account/passkeys/create").filter { $0.0 != "credential" }
    let refused = anna.post(
      "/account/passkeys/create", pairs: own + [("credential", response)])
    #expect(refused.status == 422 && refused.contains("took too long"))
  }

  @Test func `a response for another origin, framed or for another host is refused`() throws {
    try refuses("Another address", "origin") { $0.origin = "https://clinic.example.evil.example" }
    try refuses("Another address", "origin") { $0.origin = "https://clinic.example:8443" }
    try refuses("Another address", "origin") { $0.isFramed = true }
    try refuses("made for another address", "host") { $0.host = "evil.example" }
  }

  @Test func `a counter that does not grow is refused, and the owner is told`() throws {
    passkey.signCount = 7
    #expect(try portal.visitor().signIn(with: passkey).status == 303)
    try refuses("may have been copied", "counter") { $0.signCount = 7 }
    try refuses("may have been copied", "counter") { $0.signCount = 0 }
    #expect(portal.notified(anna, "somebody may have copied it"))
    #expect(anna.get(Self.list).contains("<bdi>Phone</bdi>"))
  }

  @Test func `a passkey without a counter signs in again and again`() throws {
    let silent = TestPasskey()
    silent.signCount = 0
    #expect(try anna.add(silent).status == 303)
    for _ in 0..<2 {
      silent.signCount = 0
      #expect(try portal.visitor().signIn(with: silent).status == 303)
    }
  }

  @Test func `a foreign user handle is refused, and so is none`() throws {
    let boris = try portal.register(login: "boris")
    let his = TestPasskey()
    #expect(try boris.add(his).status == 303)
    try refuses("not of the account", "account") { $0.handle = his.handle }
    try refuses("not of the account", "account") { $0.handle = [] }
  }

  @Test func `a user who is not verified is refused, at the creation too`() throws {
    try refuses("has not checked that it is you", "unverified") { $0.isUserVerified = false }
    let unverified = TestPasskey()
    unverified.isUserVerified = false
    let refused = try anna.add(unverified)
    #expect(refused.status == 422 && refused.contains("has not checked that it is you"))
  }

  @Test(arguments: [-8, -35, -37, -65_535] as [Int64])
  func `a key for an algorithm that was not offered is refused`(_ algorithm: Int64) throws {
    let other = TestPasskey()
    other.algorithm = algorithm
    let refused = try anna.add(other)
    #expect(refused.status == 422 && refused.contains("did not ask for"))
    #expect(try portal.visitor().signIn(with: other).contains("does not have this passkey"))
  }

  @Test func `a passkey that somebody has stored already is refused`() throws {
    let boris = try portal.register(login: "boris")
    let copy = TestPasskey()
    copy.id = passkey.id
    let refused = try boris.add(copy)
    #expect(refused.status == 422 && refused.contains("is stored already"))
    #expect(boris.get(Self.list).isEmptyList())
    #expect(try portal.visitor().signIn(with: passkey).status == 303)
  }

  @Test func `a signature of another key is refused`() throws {
    let other = TestPasskey()
    (other.id, other.handle, other.signCount) = (passkey.id, passkey.handle, 9)
    let refused = try portal.visitor().signIn(with: other)
    #expect(refused.status == 422 && refused.contains("signature is wrong"))
  }

  @Test func `contradictory statements about synchronization are refused`() throws {
    try refuses("cannot be read", "malformed") { $0.isSynchronizable = true }
    try refuses("cannot be read", "malformed") { $0.isSynchronized = true }
  }

  @Test(arguments: [
    "", "{", "{}", "[]", "null", #"{"id":"AAAA","response":{}}"#,
    #"{"id":"AAAA","response":{"clientDataJSON":"bm90IEpTT04"}}"#,
    #"{"id":"","response":{"clientDataJSON":"e30"}}"#, String(repeating: "[", count: 20_000),
    String(repeating: "a", count: 20_000),
  ])
  func `a response that is none is refused`(_ response: String) {
    let browser = portal.visitor()
    let answer = browser.send(passkeyResponse: response, on: browser.get("/login"))
    #expect(answer.status == 422 && answer.contains("cannot be read"))
    let page = anna.get("/account/passkeys/new")
    let own = page.hidden(of: "/account/passkeys/create").filter { $0.0 != "credential" }
    let refused = anna.post("/account/passkeys/create", pairs: own + [("credential", response)])
    #expect(refused.status == 422 && refused.contains("cannot be read"))
  }

  @Test func `damaged responses neither sign in nor crash`() throws {
    let browser = portal.visitor()
    let page = browser.get("/login")
    let right = passkey.signedIn(try browser.passkeyChallenge())
    for length in stride(from: 0, to: right.utf8.count, by: 37) {
      let cut = String(decoding: right.utf8.prefix(length), as: UTF8.self)
      #expect([422, 429].contains(browser.send(passkeyResponse: cut, on: page).status))
    }
  }

  @Test func `a row that was moved to another person opens nothing`() throws {
    let boris = try portal.register(login: "boris")
    let number = try portal.person(of: boris)
    try portal.write { try $0.run("UPDATE passkeys SET person = \(number)") }
    let refused = try portal.visitor().signIn(with: passkey)
    #expect(refused.status == 422 && refused.contains("does not have this passkey"))
  }

  @Test func `guesses with a passkey are throttled`() throws {
    let stranger = TestPasskey()
    stranger.handle = passkey.handle
    let statuses = try (0..<8).map { _ in try portal.visitor().signIn(with: stranger).status }
    #expect(statuses.prefix(5).allSatisfy { $0 == 422 } && statuses.last == 429)
    #expect(try portal.visitor().signIn(with: passkey).status == 303)
  }

  @Test func `spent challenges are deleted once they have expired`() throws {
    #expect(try portal.visitor().signIn(with: passkey).status == 303)
    #expect(try (portal.rowCounts()["spent_challenges"] ?? 0) > 0)
    portal.now = portal.now + .hours(2)
    try portal.runJobs()
    #expect(try portal.rowCounts()["spent_challenges"] == 0)
  }
}
