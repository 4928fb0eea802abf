import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import PolyclinicPortal

@Suite struct NotificationTests {
  let portal: TestPortal
  let anna: TestVisitor
  let boris: TestVisitor

  init() throws {
    portal = try TestPortal(BellsModule())
    anna = try portal.register()
    boris = try portal.register()
  }

  @Test func `a notification appears in the recipient's inbox and unread count`() throws {
    #expect(anna.get("/notifications").hasSection("No notifications"))
    #expect(!anna.get("/").contains("unread"))
    try boris.ring(for: anna, in: portal)
    try boris.ring(for: anna, in: portal)
    #expect(anna.get("/").contains("<span class=\"hidden-text\">2 unread</span>"))
    let inbox = anna.get("/notifications")
    #expect(inbox.hasButton("Vera rings at \(BellsModule.time(in: .english)) in Town"))
    #expect(!boris.get("/").contains("unread"))
    #expect(boris.get("/notifications").hasSection("No notifications"))
  }

  @Test func `a notification is shown in the reader's language and date format`() throws {
    try boris.ring(for: anna, in: portal)
    for (language, words) in [
      ("ru", "Vera звонит \(BellsModule.time(in: .russian)), Город"),
      ("en", "Vera rings at \(BellsModule.time(in: .english))"),
    ] {
      _ = anna.press("/language", on: "/", ["language": language])
      #expect(anna.get("/notifications").contains(words))
    }
  }

  @Test func `opening the inbox marks nothing as read, following a notification does`() throws {
    try boris.ring(for: anna, in: portal)
    #expect(anna.get("/notifications").contains("1 unread"))
    #expect(anna.get("/notifications").contains("1 unread"))
    let answer = anna.press("/notifications/open", on: "/notifications", ["notice": "1"])
    #expect(answer.location == "/bells/7")
    let inbox = anna.get("/notifications")
    #expect(!inbox.contains("unread"))
    #expect(inbox.hasLink(to: "/bells/7"))
  }

  @Test func `marking all as read skips notifications that arrived after the page`() throws {
    try boris.ring(for: anna, in: portal)
    let form = anna.get("/notifications").hidden(of: "/notifications/open")
    try boris.ring(for: anna, in: portal)
    let answer = anna.post("/notifications/read", pairs: form + [("until", "1")])
    #expect(answer.location == "/notifications")
    #expect(anna.get("/notifications").contains("1 unread"))
  }

  @Test func `notifications are deleted one by one or all read ones at once`() throws {
    for _ in 1...3 { try boris.ring(for: anna, in: portal) }
    let form = anna.get("/notifications").hidden(of: "/notifications/open")
    #expect(anna.post("/notifications/delete", pairs: form + [("notice", "2")]).status == 303)
    #expect(anna.post("/notifications/open", pairs: form + [("notice", "1")]).status == 303)
    #expect(try anna.submit("/notifications/delete-read", [:]).location == "/notifications")
    let inbox = anna.get("/notifications")
    #expect(inbox.hasChoice("3", of: "notice"))
    #expect(!inbox.hasChoice("1", of: "notice"))
    #expect(!inbox.hasChoice("2", of: "notice"))
  }

  @Test func `another user's notification returns 404 and stays unread`() throws {
    try boris.ring(for: anna, in: portal)
    try anna.ring(for: boris, in: portal)
    let form = boris.get("/notifications").hidden(of: "/notifications/open")
    #expect(boris.post("/notifications/open", pairs: form + [("notice", "1")]).status == 404)
    #expect(boris.post("/notifications/delete", pairs: form + [("notice", "1")]).status == 404)
    _ = boris.post("/notifications/read", pairs: form + [("until", "9")])
    #expect(anna.get("/").contains("1 unread"))
    for field in [("notice", "x"), ("notice", "-1"), ("other", "1")] {
      #expect(boris.post("/notifications/open", pairs: form + [field]).status == 400)
    }
  }

  @Test func `a notification with a once key is sent once, even after it was deleted`() throws {
    for _ in 1...3 { try portal.runJobs() }
    try boris.ring(for: anna, in: portal, ["once": "a"])
    try boris.ring(for: anna, in: portal, ["once": "a"])
    #expect(anna.get("/").contains("2 unread"))
    for id in ["1", "2", "3"] {
      let form = anna.get("/notifications").hidden(of: "/notifications/open")
      _ = anna.post("/notifications/delete", pairs: form + [("notice", id)])
    }
    try portal.runJobs()
    try boris.ring(for: anna, in: portal, ["once": "a"])
    #expect(anna.get("/notifications").hasSection("No notifications"))
    #expect(boris.get("/").contains("1 unread"))
  }

  @Test func `a later notification about the same subject makes earlier ones count as read`() throws
  {
    try boris.ring(for: anna, in: portal, ["subject": "7", "name": "First"])
    try boris.ring(for: anna, in: portal, ["subject": "8", "name": "Other"])
    try boris.ring(for: anna, in: portal, ["name": "Without"])
    try anna.ring(for: boris, in: portal, ["subject": "7", "name": "Another person"])
    try boris.ring(for: anna, in: portal, ["subject": "7", "name": "Second"])
    let unread = portal.notices(of: anna).filter(\.isUnread).map { $0.text.prefix { $0 != " " } }
    #expect(unread == ["Second", "Without", "Other"])
    let inbox = anna.get("/notifications")
    #expect(inbox.contains("3 unread") && inbox.rows.count { $0.contains("Out of date") } == 1)
    #expect(anna.get("/notifications/poll").contains("\"unread\":\"3\""))
    #expect(portal.notices(of: boris).map(\.isUnread) == [true])
    _ = try anna.submit("/notifications/delete-read", [:])
    #expect(portal.notices(of: anna).map(\.isUnread) == [true, true, true])
  }

  @Test func `a notification counts as read once its time has passed`() throws {
    try boris.ring(for: anna, in: portal, ["expires": "yes"])
    #expect(anna.get("/notifications").contains("1 unread"))
    portal.now = portal.now + .hours(2)
    _ = try anna.signIn(anna.login)
    let inbox = anna.get("/notifications")
    #expect(!inbox.contains("unread") && inbox.hasRow("Out of date"))
    #expect(anna.get("/notifications/poll").contains("\"unread\":\"\",\"label\":\"\",\"latest\":0"))
  }

  @Test func `the inbox shows today's times and older days`() throws {
    try boris.ring(for: anna, in: portal)
    let formats = Formats(language: .english, timeZone: TestPortal.minsk)
    #expect(anna.get("/notifications").hasRow(formats.time(portal.now)))
    let day = formats.day(of: portal.now)
    portal.now = portal.now + .days(2)
    _ = try anna.signIn(anna.login)
    #expect(anna.get("/notifications").hasRow(formats.monthDay(day.monthDay)))
  }

  @Test func `a rolled-back notification is not sent and can be sent again`() throws {
    #expect(try boris.ring(for: anna, in: portal, ["once": "a", "fail": "yes"]).status == 409)
    #expect(anna.get("/notifications").hasSection("No notifications"))
    try boris.ring(for: anna, in: portal, ["once": "a"])
    #expect(anna.get("/").contains("1 unread"))
  }

  @Test func `an unlisted notification kind fails with 500`() throws {
    #expect(try boris.ring(for: anna, in: portal, ["kind": "unlisted"]).status == 500)
    #expect(anna.get("/notifications").hasSection("No notifications"))
  }

  @Test func `a hostile name is escaped in the inbox`() throws {
    let name = "<script>alert(1)</script>\r\n{time}\u{202E}"
    try boris.ring(for: anna, in: portal, ["name": name])
    let inbox = anna.get("/notifications")
    #expect(inbox.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
    #expect(inbox.hasRow("{time} rings"))
    #expect(!inbox.contains("<script>alert"))
  }

  @Test func `notifications are paged, and the unread count stops at 99+`() throws {
    let person = try portal.keys(of: anna)
    try portal.write { work in
      let inbox = Inbox(keys: person, work: work)
      for number in 1...120 {
        let stored = StoredNotice(
          kind: "bells/ring", text: "gone", wording: "Number \(number).", path: "/bells")
        try inbox.insert(stored, byBrowser: false)
      }
    }
    let first = anna.get("/notifications")
    #expect(first.contains("99+") && first.contains("more than 99 unread"))
    #expect(first.hasButton("Number 120.") && !first.contains("Number 70."))
    let last = anna.get("/notifications?page=3")
    #expect(last.hasButton("Number 20.") && last.hasButton("Number 1."))
    #expect(anna.get("/notifications?page=99").hasButton("Number 1."))
  }

  @Test func `a notification of a removed module is still shown`() throws {
    let keys = try portal.keys(of: anna)
    try portal.write { work in
      var text: Text = "ring"
      text.module = ModuleID("gone-away")
      let stored = StoredNotice(
        kind: "gone-away/x", text: text, wording: "As it was.", path: "/bells")
      try Inbox(keys: keys, work: work).insert(stored, byBrowser: true)
    }
    #expect(portal.notified(anna, "As it was."))
  }

  @Test func `polling returns the unread count and no content`() throws {
    #expect(anna.get("/notifications/poll").contains("\"unread\":\"\",\"label\":\"\",\"latest\":0"))
    try boris.ring(for: anna, in: portal)
    let answer = anna.get("/notifications/poll")
    #expect(answer.header("Content-Type") == "application/json")
    #expect(answer.contains("\"unread\":\"1\",\"label\":\"1 unread\",\"latest\":1"))
    #expect(!answer.contains("Vera"))
    try boris.ring(for: anna, in: portal, ["kind": "whisper"])
    #expect(anna.get("/notifications/poll").contains("\"latest\":1"))
  }

  @Test func `polling does not keep a session alive`() throws {
    for _ in 1...5 {
      portal.now = portal.now + .minutes(15)
      _ = anna.get("/notifications/poll")
      _ = boris.get("/account")
    }
    #expect(anna.get("/notifications/poll").status == 303)
    #expect(boris.get("/notifications/poll").status == 200)
  }

  @Test func `notifications are in the data copy and are deleted after a year`() throws {
    try boris.ring(for: anna, in: portal, ["once": "a"])
    let copy = try portal.export(of: anna, from: "notifications")
    #expect(String(decoding: copy.encoded, as: UTF8.self).contains("Vera rings at 4 May 2026"))
    portal.now = portal.now + Inbox.keptFor
    try portal.runJobs()
    let counts = try portal.rowCounts()
    #expect(counts["notifications"] == 2)
    #expect(counts["notifications_told"] == 3)
  }

  @Test func `notifications are encrypted in the database files`() throws {
    try boris.ring(for: anna, in: portal, ["name": "Zqvera", "once": "zqonce"])
    let stored = String(decoding: try portal.storedBytes(), as: UTF8.self)
    #expect(!stored.contains("Zqvera") && !stored.contains("zqonce"))
  }
}
