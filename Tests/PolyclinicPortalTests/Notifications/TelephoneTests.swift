import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import PolyclinicPortal
@testable import PolyclinicWeb

/// Lines to telephones, sent through a real command.
@Suite struct TelephoneTests {
  private static let preferences = "/notifications/preferences"
  private let drop: MailDrop
  private let portal: TestPortal
  private let anna: TestVisitor
  private let boris: TestVisitor

  init() throws {
    drop = try MailDrop()
    portal = try TestPortal(BellsModule(), notify: drop.command)
    anna = try portal.register(["phone": "+375 (29) 123-45-67"])
    boris = try portal.register()
  }

  /// Sends the due lines and returns all that were sent, oldest first: number, text and an empty end.
  private func sent() throws -> [[String]] {
    try portal.sendMessages()
    return try drop.messages().map { $0.raw.components(separatedBy: "\n") }
  }

  private func sendCode(_ visitor: TestVisitor) -> TestPage {
    visitor.press("/notifications/number/send", on: Self.preferences)
  }

  private func latestCode() throws -> String {
    let text = try #require(try sent().last?.dropFirst().first)
    return String(try #require(text.firstMatch(of: /\d{6}/)).output)
  }

  private func confirm(_ visitor: TestVisitor) throws {
    try #require(sendCode(visitor).location == "/notifications/number")
    let answer = try visitor.submit("/notifications/number", ["number_code": latestCode()])
    try #require(answer.location == Self.preferences)
  }

  private func choose(_ visitor: TestVisitor) throws {
    let answer = visitor.press(
      Self.preferences, on: Self.preferences, ["bells.ring.telephone": "yes"])
    try #require(answer.location == Self.preferences)
  }

  private func changePhone(of visitor: TestVisitor, to phone: String) throws {
    var fields = TestVisitor.registration(login: visitor.login)
    fields["phone"] = phone
    for name in ["password", "password_confirm", "consent", "role"] { fields[name] = nil }
    try #require(try visitor.submit("/account/edit", fields).status == 303)
  }

  @Test func `a number is confirmed by the code sent to it`() throws {
    let page = anna.get(Self.preferences)
    #expect(page.contains("+375291234567") && page.hasBadge("Not confirmed"))
    #expect(sendCode(anna).location == "/notifications/number")
    #expect(try sent().count == 1)
    let line = try #require(try sent().first)
    #expect(line.count == 3 && line[0] == "+375291234567" && line[2].isEmpty)
    let code = try latestCode()
    #expect(line[1] == "Riverside Polyclinic: your code is \(code). It works for 15 minutes.")
    let form = anna.get("/notifications/number")
    #expect(form.contains("+375291234567") && form.hasField("number_code"))
    let typed = code.prefix(3) + " " + code.suffix(3)
    let answer = try anna.submit("/notifications/number", ["number_code": String(typed)])
    #expect(answer.location == Self.preferences)
    let done = anna.get(Self.preferences)
    #expect(done.contains("Your number is confirmed."))
    #expect(!done.hasBadge("Not confirmed") && done.hasBadge("Confirmed"))
    #expect(anna.get("/notifications/number").location == Self.preferences)
  }

  @Test func `a code is compared five times at most, and for 15 minutes`() throws {
    #expect(sendCode(anna).status == 303)
    let code = try latestCode()
    let wrong = code == "000000" ? "000001" : "000000"
    for _ in 1...NumberConfirmation.tries {
      #expect(try anna.submit("/notifications/number", ["number_code": wrong]).status == 422)
    }
    let late = try anna.submit("/notifications/number", ["number_code": code])
    #expect(late.refuses("number_code"))
    portal.now = portal.now + MessageLimit.code.pause
    #expect(sendCode(anna).status == 303)
    let second = try latestCode()
    portal.now = portal.now + NumberConfirmation.lifetime
    #expect(try anna.submit("/notifications/number", ["number_code": second]).status == 422)
  }

  @Test func `the number of codes is limited for a person and for a number`() throws {
    let people = try (0...MessageLimit.code.most).map { _ in
      try portal.register(["phone": "+44 7700 900123"])
    }
    for (number, person) in people.enumerated() {
      #expect(sendCode(person).status == (number < MessageLimit.code.most ? 303 : 429))
      #expect(sendCode(people[(number + 1) % people.count]).status == 429)
      portal.now = portal.now + MessageLimit.code.pause
    }
    #expect(sendCode(anna).status == 303)
  }

  @Test func `a notification sends one line without its content, in the reader's language`() throws
  {
    try choose(anna)
    try boris.ring(for: anna, in: portal, ["name": "Zqvera"])
    #expect(try sent().isEmpty)
    try confirm(anna)
    try boris.ring(for: anna, in: portal, ["name": "Zqvera"])
    let english = try #require(try sent().last)
    #expect(
      english == [
        "+375291234567",
        "You have a new message at Riverside Polyclinic: https://clinic.example/notifications", "",
      ])
    for (code, words) in [("ru", "Новое сообщение"), ("he", "הודעה חדשה")] {
      _ = anna.press("/language", on: "/", ["language": code])
      try boris.ring(for: anna, in: portal, ["name": "Zqvera"])
      let line = try #require(try sent().last)
      #expect(line[1].contains(words) && line[1].utf16.count <= 70)
      #expect(line[1].hasSuffix(": https://clinic.example/notifications"))
    }
  }

  @Test func `nobody gets a line without having chosen it`() throws {
    try confirm(anna)
    try boris.ring(for: anna, in: portal)
    #expect(try sent().count == 1)
    #expect(anna.get(Self.preferences).value(of: "bells.ring.telephone") != "yes")
    try choose(anna)
    #expect(anna.get(Self.preferences).value(of: "bells.ring.telephone") == "yes")
    try boris.ring(for: anna, in: portal)
    #expect(try sent().count == 2)
  }

  @Test func `a changed number gets no line until it is confirmed`() throws {
    try choose(anna)
    try confirm(anna)
    #expect(boris.get(Self.preferences).contains("add your number to your profile"))
    try changePhone(of: anna, to: "+375 29 765-43-21")
    try boris.ring(for: anna, in: portal)
    #expect(try sent().count == 1)
    #expect(anna.get(Self.preferences).hasBadge("Not confirmed"))
    try changePhone(of: anna, to: "+375 29 123-45-67")
    try boris.ring(for: anna, in: portal)
    #expect(try sent().count == 2)
  }

  @Test func `a code for one number does not confirm another`() throws {
    #expect(sendCode(anna).status == 303)
    let code = try latestCode()
    try changePhone(of: anna, to: "+375 29 765-43-21")
    #expect(try anna.submit("/notifications/number", ["number_code": code]).status == 422)
  }

  @Test func `a person gets at most twenty lines a day`() throws {
    try choose(anna)
    try confirm(anna)
    for _ in 0...MessageLimit.line.most { try boris.ring(for: anna, in: portal) }
    #expect(try sent().count == 1 + MessageLimit.line.most)
    portal.now = portal.now + MessageLimit.period
    _ = try boris.signIn(boris.login)
    try boris.ring(for: anna, in: portal)
    #expect(try sent().count == 2 + MessageLimit.line.most)
  }

  @Test func `a test message goes to a confirmed number`() throws {
    let early = anna.press("/notifications/test", on: Self.preferences, ["way": "telephone"])
    #expect(early.status == 404)
    try confirm(anna)
    let answer = anna.press("/notifications/test", on: Self.preferences, ["way": "telephone"])
    #expect(answer.location == Self.preferences)
    let hasty = anna.press("/notifications/test", on: Self.preferences, ["way": "telephone"])
    #expect(hasty.status == 429)
    let line = try #require(try sent().last)
    #expect(line[1].hasPrefix("Riverside Polyclinic: this is a test message."))
    #expect(anna.press("/notifications/test", on: Self.preferences, ["way": "x"]).status == 400)
  }

  @Test func `a test message for the browser is in the inbox`() throws {
    let answer = anna.press("/notifications/test", on: Self.preferences, ["way": "browser"])
    #expect(answer.location == Self.preferences)
    #expect(portal.notified(anna, "This is a test message."))
    #expect(anna.get("/notifications/poll").contains("\"latest\":1"))
  }

  @Test func `a line that the command rejects is retried, and reported after an hour`() throws {
    let administrator = try portal.administrator()
    try choose(anna)
    try confirm(anna)
    try drop.begin(to: "fail")
    try boris.ring(for: anna, in: portal)
    #expect(try sent().count == 2)
    portal.now = portal.now + .minutes(1)
    #expect(try sent().count == 3)
    portal.now = portal.now + .minutes(60)
    _ = try administrator.signIn(administrator.login)
    let page = administrator.get("/admin")
    #expect(page.hasNotice(.warning, "notify.command") && !page.contains("mail.command"))
    let problem = "Messages to telephones have not gone out for 1 h"
    #expect(try portal.checks().contains { $0.hasPrefix(problem) })
    try drop.stop(to: "fail")
    #expect(try sent().count == 4)
    #expect(try !portal.checks().contains { $0.contains("telephones") })
  }

  @Test func `a portal without a command offers no telephone`() throws {
    let portal = try TestPortal(BellsModule())
    let anna = try portal.register(["phone": "+375 29 123-45-67"])
    let page = anna.get(Self.preferences)
    #expect(!page.contains("<h2>Telephone") && !page.hasField("bells.ring.telephone"))
    let token = page.hidden(of: "/logout")
    #expect(anna.post("/notifications/number/send", pairs: token).status == 303)
    #expect(try portal.rowCounts()["notifications_outbox"] == 0)
    #expect(
      anna.post("/notifications/test", pairs: token + [("way", "telephone")]).status == 404)
  }

  @Test func `numbers and codes are encrypted, exported as confirmed, and erased`() throws {
    try choose(anna)
    #expect(sendCode(anna).status == 303)
    let stored = String(decoding: try portal.storedBytes(), as: UTF8.self)
    #expect(!stored.contains("375291234567"))
    let answer = try anna.submit("/notifications/number", ["number_code": latestCode()])
    #expect(answer.status == 303)
    let copy = try portal.export(of: anna, from: "notifications")
    let text = String(decoding: copy.encoded, as: UTF8.self)
    #expect(text.contains("\"confirmed\":{\"telephone\":\"2026-05-04T"))
    try portal.erase(anna)
    let counts = try portal.rowCounts()
    for table in ["numbers", "codes", "recent", "outbox"] {
      #expect(counts["notifications_\(table)"] == 0, "\(table)")
    }
  }
}

/// The numbers that lines are sent to, and the length of the lines.
@Suite struct ShortMessageTests {
  @Test(arguments: [
    ("+375 (29) 123-45-67", "+375291234567"), ("+44 (0)7700 900123", "+447700900123"),
    ("+972-50-123-4567, +972 3 555 0000", "+972501234567"),
  ])
  func `a number with its country is taken`(written: String, number: String) {
    #expect(NoticeNumber(written)?.text == number)
  }

  @Test(arguments: [
    "", "112", "8 029 123-45-67", "+12", "+375291234567890123", "+44 20 7946 0000 ext. 5",
    "+0 123 456 789", "anna",
  ])
  func `a number without its country, or with an extension, is not`(written: String) {
    #expect(NoticeNumber(written) == nil)
  }

  @Test func `a line fits one short message by its alphabet`() {
    #expect(ShortMessage.fits(String(repeating: "a", count: 160)))
    #expect(!ShortMessage.fits(String(repeating: "a", count: 161)))
    #expect(ShortMessage.fits(String(repeating: "€", count: 80)))
    #expect(!ShortMessage.fits(String(repeating: "€", count: 81)))
    #expect(ShortMessage.fits(String(repeating: "я", count: 70)))
    #expect(!ShortMessage.fits(String(repeating: "я", count: 71)))
  }

  @Test func `a line has no line break and no direction controls`() {
    #expect(ShortMessage.line("a\r\n\u{2068}b\u{2069}\u{2028}c") == "a  b c")
  }
}
