import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicPortal
@testable import PolyclinicWeb

/// Notifications by e-mail, sent through a real mail command.
@Suite struct MailTests {
  let drop: MailDrop
  let portal: TestPortal
  let anna: TestVisitor
  let boris: TestVisitor

  init() throws {
    drop = try MailDrop()
    portal = try TestPortal(BellsModule(), mail: drop.command)
    anna = try portal.register(login: "anna")
    boris = try portal.register(login: "boris")
  }

  /// Sends the queued e-mails without running the module's reminder job.
  private func send() throws { try portal.sendMessages() }

  private func confirm(_ visitor: TestVisitor) throws {
    _ = visitor.press("/notifications/confirm", on: "/notifications/preferences")
    try send()
    let link = try #require(try drop.messages().last?.link)
    let answer = visitor.press(link, on: link)
    try #require(answer.location == "/notifications/confirmed")
  }

  @Test func `an address is confirmed by a button on the page of the link sent to it`() throws {
    let page = anna.get("/notifications/preferences")
    #expect(page.contains("anna@example.org") && page.hasBadge("Not confirmed"))
    let answer = anna.press("/notifications/confirm", on: "/notifications/preferences")
    #expect(answer.location == "/notifications/preferences?sent=yes")
    try send()
    let message = try #require(try drop.messages().first)
    #expect(message.headers["To"] == "<anna@example.org>")
    #expect(message.headers["Subject"] == "Confirm your e-mail address")
    #expect(message.headers["From"] == "Riverside Polyclinic <desk@clinic.example>")
    #expect(try drop.read("arguments") == "-t|two words\n")
    let link = try #require(message.link)
    // A GET request, as link scanners send it, confirms nothing. The link works without sign-in.
    let phone = portal.visitor()
    #expect(phone.get(link).status == 200)
    #expect(anna.get("/notifications/preferences").hasBadge("Not confirmed"))
    #expect(phone.press(link, on: link).location == "/notifications/confirmed")
    #expect(phone.get("/notifications/confirmed").status == 200)
    #expect(anna.get("/notifications/preferences").contains(">Confirmed<"))
    #expect(phone.get(link).status == 410)
  }

  @Test func `the link sent at a registration leads back to the page that was registered for`()
    throws
  {
    let next = "/bells?doctor=1&time=09%3A00"
    let clara = try portal.register(["next": next])
    try send()
    let link = try #require(try drop.messages().last?.link)
    #expect(link.hasSuffix("?next=%2Fbells%3Fdoctor%3D1%26time%3D09%253A00"))
    let page = clara.get(link)
    #expect(page.status == 200)
    let path = String(link.prefix { $0 != "?" })
    let done = clara.press(path, on: link).location
    #expect(done.hasPrefix("/notifications/confirmed?next="))
    #expect(clara.get(done).hasLink(to: next))
  }

  @Test(arguments: ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:1"])
  func `a confirmation leads only to a page of the portal`(_ next: String) throws {
    _ = anna.press("/notifications/confirm", on: "/notifications/preferences")
    try send()
    let link = try #require(try drop.messages().last?.link)
    #expect(anna.press(link, on: link, ["next": next]).location == "/notifications/confirmed")
    let done = Path("/notifications/confirmed").query(["next": next]).description
    #expect(anna.get(done).status == 200 && !anna.get(done).contains("Continue"))
  }

  @Test func `a changed address needs confirmation, and a link for another address fails`() throws {
    try confirm(anna)
    try anna.changeAddress(to: "anna2@example.org")
    #expect(anna.get("/notifications/preferences").hasBadge("Not confirmed"))
    try boris.ring(for: anna, in: portal)
    try send()
    #expect(try drop.messages().count == 2)
    let told = try #require(try drop.messages().last)
    #expect(told.headers["To"] == "<anna@example.org>")
    #expect(told.text.contains("If that was not you") && !told.text.contains("anna2"))
    portal.now = portal.now + .minutes(5)
    _ = anna.press("/notifications/confirm", on: "/notifications/preferences")
    try send()
    let link = try #require(try drop.messages().last?.link)
    try anna.changeAddress(to: "anna3@example.org")
    #expect(anna.get(link).status == 410)
    #expect(anna.post(link, pairs: anna.get("/").hidden(of: "/logout")).status == 410)
    try anna.changeAddress(to: "anna2@example.org")
    #expect(anna.press(link, on: link).location == "/notifications/confirmed")
  }

  @Test func `a confirmation link works for a day, and the number of links is limited`() throws {
    for number in 1...MessageLimit.link.most {
      let answer = anna.press(
        "/notifications/confirm", on: "/notifications/preferences", ["n": "\(number)"])
      #expect(answer.status == 303)
      let hasty = anna.press("/notifications/confirm", on: "/notifications/preferences")
      #expect(hasty.status == 429)
      portal.now = portal.now + MessageLimit.link.pause
    }
    #expect(anna.press("/notifications/confirm", on: "/notifications/preferences").status == 429)
    try send()
    let link = try #require(try drop.messages().last?.link)
    #expect(anna.get(link).status == 200)
    portal.now = portal.now + AddressConfirmation.lifetime
    #expect(portal.visitor().get(link).status == 410)
    #expect(
      portal.visitor().get("/notifications/confirm/\(String(repeating: "A", count: 43))").status
        == 410)
  }

  @Test func `the limit of confirmation links per address applies across accounts`() throws {
    let people = try (0...MessageLimit.link.most).map { _ in
      try portal.register(["email": "stranger@example.org"])
    }
    for (number, person) in people.enumerated() {
      let answer = person.press("/notifications/confirm", on: "/notifications/preferences")
      #expect(answer.status == (number < MessageLimit.link.most ? 303 : 429))
      let next = people[(number + 1) % people.count]
      let hasty = next.press("/notifications/confirm", on: "/notifications/preferences")
      #expect(hasty.status == 429)
      portal.now = portal.now + MessageLimit.link.pause
    }
    try send()
    #expect(try drop.messages().count == MessageLimit.link.most)
    #expect(
      anna.press("/notifications/confirm", on: "/notifications/preferences").status == 303)
  }

  @Test func `the owner gets an e-mail when an administrator makes a reset link`() throws {
    try confirm(anna)
    let administrator = try portal.administrator()
    let page = try portal.path(of: anna)
    #expect(administrator.press("\(page)/link", on: page).status == 200)
    try send()
    let message = try #require(try drop.messages().last)
    #expect(message.headers["To"] == "<anna@example.org>")
    #expect(message.headers["Subject"] == "A link to set a new password")
    #expect(message.text.contains("/account/access-log") && !message.text.contains("/reset/"))
  }

  @Test func `an e-mail that cannot be decrypted is dropped, and the next one is sent`() throws {
    try confirm(anna)
    try boris.ring(for: anna, in: portal, ["mail": "yes", "name": "Vera"])
    try portal.write { connection in
      let first = try connection.integer("SELECT min(id_message) FROM notifications_outbox")
      try connection.run(
        """
        UPDATE notifications_outbox SET sealed = \([UInt8](repeating: 7, count: 40))
        WHERE id_message = \(first)
        """)
    }
    try boris.ring(for: anna, in: portal, ["mail": "yes", "name": "Pavel"])
    try send()
    #expect(try drop.messages().last?.headers["Subject"]?.contains("Pavel") == true)
    #expect(
      try portal.read { try $0.integer("SELECT count(*) FROM notifications_outbox") } == 0)
  }

  @Test func `a notification goes to confirmed addresses only, in the user's language`() throws {
    try boris.ring(for: anna, in: portal, ["mail": "yes"])
    try send()
    #expect(try drop.messages().isEmpty)
    try confirm(anna)
    _ = anna.press("/language", on: "/", ["language": "ru"])
    try boris.ring(for: anna, in: portal, ["mail": "yes", "name": "Вера"])
    try send()
    let message = try #require(try drop.messages().last)
    #expect(message.headers["Subject"] == "Звонит Вера")
    #expect(message.headers["Date"] == "Mon, 4 May 2026 09:00:00 +0000")
    #expect(message.headers["Content-Language"] == "ru")
    #expect(message.parts.count == 2)
    #expect(message.parts[0].text.contains("Вера: \(BellsModule.time(in: .russian))"))
    #expect(message.parts[0].text.contains("\r\nhttps://clinic.example/bells/7\r\n"))
    #expect(message.headers["Content-Type"]?.hasPrefix("multipart/alternative;") == true)
    #expect(message.parts[0].text.contains("Ответы на это письмо никто не читает."))
  }

  @Test func `an event goes out as an invitation, and its end as a cancellation`() throws {
    try confirm(anna)
    try boris.ring(for: anna, in: portal, ["mail": "yes", "name": "Vera"])
    try send()
    let asked = try #require(try drop.messages().last)
    #expect(
      asked.parts[1].headers["Content-Type"] == "text/calendar; method=REQUEST; charset=utf-8")
    #expect(asked.parts[0].text.contains("Declining in your calendar does not cancel it."))
    let request = Self.unfolded(asked.parts[1].text)
    for line in [
      "METHOD:REQUEST", "UID:ring-7@clinic.example", "SEQUENCE:2", "SUMMARY:Rings",
      "ORGANIZER;CN=Riverside Polyclinic:mailto:desk@clinic.example",
      "ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;RSVP=FALSE:"
        + "mailto:anna@example.org", "STATUS:CONFIRMED",
    ] {
      #expect(request.contains(line), "\(line)")
    }
    #expect(request.contains("TRIGGER:-PT2H") && !request.contains { $0.contains("Vera") })
    try boris.ring(for: anna, in: portal, ["mail": "cancelled", "name": "Vera"])
    try send()
    let ended = try #require(try drop.messages().last)
    #expect(
      ended.parts[1].headers["Content-Type"] == "text/calendar; method=CANCEL; charset=utf-8")
    let end = Self.unfolded(ended.parts[1].text)
    #expect(end.contains("METHOD:CANCEL") && end.contains("STATUS:CANCELLED"))
    #expect(end.contains("UID:ring-7@clinic.example") && !end.contains("BEGIN:VALARM"))
    #expect(!ended.parts[0].text.contains("Declining in your calendar"))
  }

  private static func unfolded(_ file: String) -> [String] {
    file.replacing("\r\n ", with: "").components(separatedBy: "\r\n")
  }

  @Test func `a test e-mail goes to the confirmed address, five times a day at most`() throws {
    let page = "/notifications/preferences"
    #expect(anna.press("/notifications/test", on: page, ["way": "email"]).status == 404)
    try confirm(anna)
    for number in 1...MessageLimit.mailTest.most {
      let answer = anna.press("/notifications/test", on: page, ["way": "email", "n": "\(number)"])
      #expect(answer.location == page)
      #expect(anna.get(page).contains("The test message is on its way."))
      let hasty = anna.press("/notifications/test", on: page, ["way": "email"])
      #expect(hasty.status == 429)
      portal.now = portal.now + MessageLimit.mailTest.pause
    }
    #expect(anna.press("/notifications/test", on: page, ["way": "email"]).status == 429)
    try send()
    let message = try #require(try drop.messages().last)
    #expect(message.headers["To"] == "<anna@example.org>")
    #expect(message.headers["Subject"] == "Test message")
    #expect(message.text.contains("https://clinic.example/notifications/preferences"))
  }

  @Test func `a notification of one's own change is read already`() throws {
    try confirm(anna)
    try anna.ring(for: anna, in: portal, ["own": "yes", "mail": "yes"])
    #expect(!anna.get("/").contains("unread"))
    #expect(portal.notices(of: anna).map(\.isUnread) == [false])
    try send()
    #expect(try drop.messages().count == 2)
  }

  @Test func `an e-mail without its own text does not reveal the notification's content`() throws {
    try confirm(anna)
    try boris.ring(for: anna, in: portal, ["name": "Zqvera"])
    try send()
    let message = try #require(try drop.messages().last)
    #expect(message.headers["Subject"] == "You have a new notification")
    #expect(!message.text.contains("Zqvera") && message.text.contains("/bells/7"))
  }

  @Test func `users choose e-mail notifications for each kind`() throws {
    try confirm(anna)
    try boris.ring(for: anna, in: portal, ["kind": "whisper"])
    try send()
    #expect(try drop.messages().count == 1)
    let choice = ["bells.whisper.email": "yes", "bells.ring.browser": "yes"]
    let answer = anna.press("/notifications/preferences", on: "/notifications/preferences", choice)
    #expect(answer.location == "/notifications/preferences")
    try boris.ring(for: anna, in: portal)
    try send()
    #expect(try drop.messages().count == 1)
    try boris.ring(for: anna, in: portal, ["kind": "whisper"])
    try send()
    #expect(try drop.messages().count == 2)
    let page = anna.get("/notifications/preferences")
    #expect(page.value(of: "bells.whisper.email") == "yes")
    #expect(page.hasField("bells.ring.email") && page.value(of: "bells.ring.email") != "yes")
    #expect(page.hasRow("Whispers"))
  }

  @Test func `an e-mail that the command rejects is retried with the same Message-ID`() throws {
    try confirm(anna)
    try drop.begin(to: "fail")
    try boris.ring(for: anna, in: portal, ["once": "a"])
    try send()
    try send()
    #expect(try drop.messages().count == 2)
    portal.now = portal.now + .minutes(1)
    try send()
    portal.now = portal.now + .minutes(1)
    try send()
    #expect(try drop.messages().count == 3)
    try drop.stop(to: "fail")
    portal.now = portal.now + .minutes(1)
    try send()
    portal.now = portal.now + .days(1)
    try send()
    let messages = try drop.messages()
    #expect(messages.count == 4)
    let ids = Set(messages.dropFirst().map { $0.headers["Message-ID"] ?? "" })
    #expect(ids.count == 1)
    #expect(ids.first?.hasSuffix("@clinic.example>") == true)
  }

  @Test func `an e-mail is dropped after too many attempts or when it has expired`() throws {
    try confirm(anna)
    try drop.begin(to: "fail")
    try boris.ring(for: anna, in: portal)
    for _ in 0..<20 {
      try send()
      portal.now = portal.now + .hours(5)
    }
    #expect(try drop.messages().count == 1 + Outbox.attemptLimit)
    #expect(try portal.rowCounts()["notifications_outbox"] == 0)
    _ = try anna.signIn("anna")
    _ = try boris.signIn("boris")
    try boris.ring(for: anna, in: portal, ["expires": "yes"])
    portal.now = portal.now + .hours(2)
    try send()
    #expect(try drop.messages().count == 1 + Outbox.attemptLimit)
    #expect(try portal.rowCounts()["notifications_outbox"] == 0)
  }

  @Test func `administrators see a warning when no e-mail has been sent for an hour`() throws {
    let administrator = try portal.administrator()
    try confirm(anna)
    try drop.begin(to: "fail")
    try boris.ring(for: anna, in: portal)
    try send()
    portal.now = portal.now + .minutes(59)
    try send()
    #expect(!administrator.get("/admin").contains("No e-mail has been sent"))
    portal.now = portal.now + .minutes(1)
    let page = administrator.get("/admin")
    #expect(
      page.hasNotice(.warning, "No e-mail has been sent since")
        && page.hasNotice(.warning, "mail.command"))
    #expect(portal.visitor().get("/readyz").status == 200)
    // A dropped e-mail does not end the warning; a sent one does.
    portal.now = portal.now + .days(2)
    _ = try administrator.signIn(administrator.login)
    #expect(administrator.get("/admin").hasNotice(.warning, "No e-mail has been sent"))
    try drop.stop(to: "fail")
    _ = try boris.signIn("boris")
    try boris.ring(for: anna, in: portal, ["once": "b"])
    try send()
    #expect(!administrator.get("/admin").contains("No e-mail has been sent"))
  }

  @Test func `e-mails without an attempt to send them are reported after an hour`() throws {
    try confirm(anna)
    try boris.ring(for: anna, in: portal)
    let find = { now in try portal.read { try DeliveryOutage.find(.email, at: now, on: $0) } }
    #expect(try find(portal.now + .minutes(59)) == nil)
    let outage = try #require(try find(portal.now + .hours(2)))
    #expect(outage.since == portal.now)
    let sentence = outage.sentence(at: portal.now + .hours(2))
    #expect(sentence.hasPrefix("E-mails have not gone out for 2 h"))
    #expect(sentence.contains("mail.command"))
  }

  @Test func `an e-mail claimed by a process that died is not sent twice`() throws {
    try confirm(anna)
    try boris.ring(for: anna, in: portal)
    try portal.write {
      try $0.run("UPDATE notifications_outbox SET claimed_at = \(portal.now), attempts = 1")
    }
    try send()
    portal.now = portal.now + Outbox.claimLimit
    try send()
    #expect(try drop.messages().count == 1)
    #expect(try portal.rowCounts()["notifications_outbox"] == 0)
  }

  @Test func `a mail command that hangs is stopped, and a missing one fails`() throws {
    try drop.begin(to: "hang")
    var command = try #require(DeliveryCommand(drop.command))
    command.limit = .milliseconds(300)
    let start = ContinuousClock.now
    #expect(throws: DeliveryFailure.self) { try command.send(Array("a".utf8)) }
    #expect(ContinuousClock.now - start < .seconds(10))
    #expect(throws: DeliveryFailure.self) {
      try #require(DeliveryCommand("/nowhere/sendmail -t")).send([])
    }
  }

  @Test func `hostile names cannot add headers to an e-mail`() throws {
    try confirm(anna)
    let names = [
      "Vera\r\nBcc: mallory@example.org\r\n\r\nbody", "Vera\u{2028}Bcc: m@example.org",
      "=?utf-8?Q?Vera=0D=0ABcc:_m@example.org?=", String(repeating: "я", count: 300),
      "\"Vera\" <mallory@example.org>, x@example.org", "\u{0}\u{7F}\u{85}", "{time}{name}",
    ]
    for name in names {
      try boris.ring(for: anna, in: portal, ["mail": "yes", "name": name])
      try send()
      let message = try #require(try drop.messages().last)
      #expect(
        Set(message.headers.keys) == [
          "From", "To", "Subject", "Date", "Message-ID", "MIME-Version", "Content-Language",
          "Auto-Submitted", "Content-Type",
        ])
      #expect(message.headers["To"] == "<anna@example.org>")
      #expect(message.parts.count == 2)
      let lines = message.raw.components(separatedBy: "\r\n")
      #expect(lines.allSatisfy { $0.utf8.count <= 78 && !$0.contains("\n") && !$0.contains("\r") })
      #expect(lines.allSatisfy { $0.utf8.allSatisfy { (0x20..<0x7F).contains($0) } })
    }
  }

  @Test func `the mail queue is encrypted`() throws {
    try boris.ring(for: anna, in: portal, ["mail": "yes", "name": "Zqvera", "once": "zqonce"])
    _ = anna.press("/notifications/confirm", on: "/notifications/preferences")
    #expect(try portal.rowCounts()["notifications_outbox"] == 2)
    let stored = String(decoding: try portal.storedBytes(), as: UTF8.self)
    #expect(!stored.contains("Zqvera") && !stored.contains("anna@example.org"))
    #expect(!stored.contains("/notifications/confirm/") && !stored.contains("zqonce"))
  }

  @Test func `a portal without e-mail uses the inbox only, and the page says so`() throws {
    let portal = try TestPortal(BellsModule())
    let anna = try portal.register()
    let page = anna.get("/notifications/preferences")
    #expect(page.contains("This portal sends no e-mails") && !page.contains(".email\""))
    #expect(anna.post("/notifications/confirm", pairs: page.hidden(of: "/logout")).status == 303)
    try anna.ring(for: anna, in: portal)
    #expect(try portal.rowCounts()["notifications_outbox"] == 0)
    // Saving the preferences keeps choices that the page does not offer.
    let choice = ["bells.whisper.browser": "yes"]
    _ = anna.press("/notifications/preferences", on: "/notifications/preferences", choice)
    let keys = try portal.keys(of: anna)
    let chosen = try portal.read { try NoticeChoices(of: keys.person, on: $0).ways }
    #expect(
      chosen == [
        "admin/rights": [.email], "bells/ring": [.email], "bells/whisper": [.browser],
      ])
  }
}

/// The validation of mail addresses and mail commands.
@Suite struct MailAddressTests {
  @Test(arguments: ["a@b", "first.last+tag@sub.example.org", "o'neil@example.org", "1@2.3"])
  func `ordinary e-mail addresses are accepted`(text: String) {
    #expect(MailAddress(text)?.text == text)
  }

  @Test(arguments: [
    "", "a", "@b", "a@", "a@b@c", "a b@c", "a@b.", "a@.b", "a..b@c", ".a@b", "a,b@c", "<a@b>",
    "a@b\r\nBcc: c@d", "a@b\n", "\"a\"@b", "a@[127.0.0.1]", "а@b", "a@пример", "-f@b", "a;b@c",
    "a(b)@c", "a@b,c@d", "a@b c@d", "a\\@b", "a@b\u{0}",
  ])
  func `an ambiguous or malformed address is refused`(text: String) {
    #expect(MailAddress(text) == nil)
  }

  @Test(arguments: [
    ("/bin/m", ["/bin/m"]), ("/bin/m  -t -i ", ["/bin/m", "-t", "-i"]),
    ("\"/a b/m\" x\"y z\"w \"\"", ["/a b/m", "xy zw", ""]),
    ("/bin/m $HOME;ls *|x", ["/bin/m", "$HOME;ls", "*|x"]),
  ])
  func `a command line is split at blanks and quotes without a shell`(line: String, words: [String])
  {
    let command = DeliveryCommand(line)
    #expect(command.map { [$0.program] + $0.arguments } == words)
  }

  @Test(arguments: ["", "sendmail", "\"/bin/m", "\"\" /bin/m", "../m"])
  func `a command with an open quote or no absolute path is refused`(line: String) {
    #expect(DeliveryCommand(line) == nil)
  }
}

extension ReadMessage {
  /// The path of the first portal link in the text.
  var link: String? {
    text.components(separatedBy: "\r\n").first { $0.hasPrefix("https://clinic.example/") }
      .map { String($0.dropFirst("https://clinic.example".count)) }
  }
}

extension TestVisitor {
  fileprivate func changeAddress(to email: String) throws {
    var fields = TestVisitor.registration(login: login)
    fields["email"] = email
    fields["current_password"] = TestVisitor.password
    for name in ["password", "password_confirm", "consent", "role"] { fields[name] = nil }
    let answer = try submit("/account/edit", fields)
    try #require(answer.status == 303)
  }
}
