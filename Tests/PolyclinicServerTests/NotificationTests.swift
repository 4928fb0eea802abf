import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import PolyclinicServer

@Suite struct NotificationTests {
  let portal: TestPortal
  let anna: TestVisitor
  let boris: TestVisitor

  init() throws {
    portal = try TestPortal(BellsModule())
    anna = try portal.register()
    boris = try portal.register()
  }

  @Test func `what somebody else does is told in the inbox and counted in the frame`() throws {
    #expect(anna.get("/notifications").contains("No notifications"))
    #expect(!anna.get("/").contains("unread"))
    try boris.ring(for: anna, in: portal)
    try boris.ring(for: anna, in: portal)
    #expect(anna.get("/").contains("<span class=\"hidden-text\">2 unread</span>"))
    let inbox = anna.get("/notifications")
    #expect(inbox.contains("Vera rings at \(BellsModule.time(in: .english)) in Town"))
    #expect(!boris.get("/").contains("unread"))
    #expect(boris.get("/notifications").contains("No notifications"))
  }

  @Test func `it is said in the language and the order of days of whoever reads it`() throws {
    try boris.ring(for: anna, in: portal)
    for (language, words) in [
      ("ru", "Vera звонит \(BellsModule.time(in: .russian)), Город"),
      ("en", "Vera rings at \(BellsModule.time(in: .english))"),
    ] {
      _ = anna.press("/language", on: "/", ["language": language])
      #expect(anna.get("/notifications").contains(words))
    }
  }

  @Test func `looking at the inbox reads nothing, following a notice reads it`() throws {
    try boris.ring(for: anna, in: portal)
    #expect(anna.get("/notifications").contains("1 unread"))
    #expect(anna.get("/notifications").contains("1 unread"))
    let answer = anna.press("/notifications/open", on: "/notifications", ["notice": "1"])
    #expect(answer.location == "/bells/7")
    let inbox = anna.get("/notifications")
    #expect(!inbox.contains("unread"))
    #expect(inbox.contains("<a href=\"/bells/7\">"))
  }

  @Test func `marking all as read leaves what came after the page was shown`() throws {
    try boris.ring(for: anna, in: portal)
    let form = anna.get("/notifications").hidden(of: "/notifications/open")
    try boris.ring(for: anna, in: portal)
    let answer = anna.post("/notifications/read", pairs: form + [("until", "1")])
    #expect(answer.location == "/notifications")
    #expect(anna.get("/notifications").contains("1 unread"))
  }

  @Test func `notices are deleted one by one, or all that are read`() throws {
    for _ in 1...3 { try boris.ring(for: anna, in: portal) }
    let form = anna.get("/notifications").hidden(of: "/notifications/open")
    #expect(anna.post("/notifications/delete", pairs: form + [("notice", "2")]).status == 303)
    #expect(anna.post("/notifications/open", pairs: form + [("notice", "1")]).status == 303)
    #expect(try anna.submit("/notifications/delete-read", [:]).location == "/notifications")
    let inbox = anna.get("/notifications")
    #expect(inbox.contains("name=\"notice\" value=\"3\""))
    #expect(!inbox.contains("name=\"notice\" value=\"1\""))
    #expect(!inbox.contains("name=\"notice\" value=\"2\""))
  }

  @Test func `another's notice is not found, and stays as it is`() throws {
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

  @Test func `the same is told once, however often it is tried, even after it was deleted`() throws
  {
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
    #expect(anna.get("/notifications").contains("No notifications"))
    #expect(boris.get("/").contains("1 unread"))
  }

  @Test func `what is undone was not told, and can be told again`() throws {
    #expect(try boris.ring(for: anna, in: portal, ["once": "a", "fail": "yes"]).status == 409)
    #expect(anna.get("/notifications").contains("No notifications"))
    try boris.ring(for: anna, in: portal, ["once": "a"])
    #expect(anna.get("/").contains("1 unread"))
  }

  @Test func `a kind that is not listed is a fault of the module`() throws {
    #expect(try boris.ring(for: anna, in: portal, ["kind": "unlisted"]).status == 500)
    #expect(anna.get("/notifications").contains("No notifications"))
  }

  @Test func `a hostile name is shown as it is typed`() throws {
    let name = "<script>alert(1)</script>\r\n{time}\u{202E}"
    try boris.ring(for: anna, in: portal, ["name": name])
    let inbox = anna.get("/notifications")
    #expect(inbox.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
    #expect(inbox.contains("{time} rings"))
    #expect(!inbox.contains("<script>alert"))
  }

  @Test func `many are paged, and counted up to a limit`() throws {
    let person = try portal.keys(of: anna)
    try portal.database.write { connection in
      let inbox = Inbox(keys: person, connection: connection)
      for number in 1...120 {
        let letter = Letter(
          kind: "bells/ring", text: "gone", wording: "Number \(number).", path: "/bells")
        try inbox.insert(letter, byBrowser: false, at: portal.now)
      }
    }
    let first = anna.get("/notifications")
    #expect(first.contains("99+") && first.contains("more than 99 unread"))
    #expect(first.contains("Number 120.") && !first.contains("Number 70."))
    let last = anna.get("/notifications?page=3")
    #expect(last.contains("Number 20.") && last.contains("Number 1."))
    #expect(anna.get("/notifications?page=99").contains("Number 1."))
  }

  @Test func `what a module that has gone said can still be read`() throws {
    let keys = try portal.keys(of: anna)
    try portal.database.write { connection in
      var text: Text = "ring"
      text.module = ModuleID("gone-away")
      let letter = Letter(kind: "gone-away/x", text: text, wording: "As it was.", path: "/bells")
      try Inbox(keys: keys, connection: connection)
        .insert(letter, byBrowser: true, at: portal.now)
    }
    #expect(anna.get("/notifications").contains("As it was."))
  }

  @Test func `a script learns how many there are and nothing of what they are about`() throws {
    #expect(anna.get("/notifications/poll").contains("\"unread\":\"\",\"label\":\"\",\"latest\":0"))
    try boris.ring(for: anna, in: portal)
    let answer = anna.get("/notifications/poll")
    #expect(answer.header("Content-Type") == "application/json")
    #expect(answer.contains("\"unread\":\"1\",\"label\":\"1 unread\",\"latest\":1"))
    #expect(!answer.contains("Vera"))
    try boris.ring(for: anna, in: portal, ["kind": "whisper"])
    #expect(anna.get("/notifications/poll").contains("\"latest\":1"))
  }

  @Test func `a script that asks keeps no session alive`() throws {
    for _ in 1...5 {
      portal.now = portal.now + .minutes(15)
      _ = anna.get("/notifications/poll")
      _ = boris.get("/account")
    }
    #expect(anna.get("/notifications/poll").status == 303)
    #expect(boris.get("/notifications/poll").status == 200)
  }

  @Test func `they are in the copy for their owner, and go after a year or with the person`() throws
  {
    try boris.ring(for: anna, in: portal, ["once": "a"])
    let copy = try portal.export(of: anna, from: "notifications")
    #expect(String(decoding: copy.encoded, as: UTF8.self).contains("Vera rings at 4 May 2026"))
    portal.now = portal.now + Inbox.keptFor
    try portal.runJobs()
    let counts = try portal.rowCounts()
    #expect(counts["notifications"] == 2)
    #expect(counts["notifications_told"] == 3)
  }

  @Test func `nothing of them can be read in the database's files`() throws {
    try boris.ring(for: anna, in: portal, ["name": "Zqvera", "once": "zqonce"])
    let stored = String(decoding: try portal.storedBytes(), as: UTF8.self)
    #expect(!stored.contains("Zqvera") && !stored.contains("zqonce"))
  }
}
