import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import polyclinic

/// A parent with a child who has an account.
private struct Family {
  let parent: TestVisitor
  let child: TestVisitor
  /// The beginning of the child's addresses.
  let prefix: String

  /// The child's number.
  var person: Substring { prefix.dropFirst("/for/".count) }
}

/// The ages at which a parent's rights change, and the child's own account.
extension GuardianTests {
  private static let account = [
    "login": "mia", "email": "mia@example.org", "password": TestVisitor.password,
    "password_confirm": TestVisitor.password, "consent": "yes",
  ]

  /// Registers a parent whose name differs from that of other people.
  private func parent(_ name: String = "Olga") throws -> TestVisitor {
    try portal.register(login: name.lowercased(), ["name": name, "surname": "Cohen"])
  }

  /// Has a parent invite a child to an account, and returns the path of the link.
  private func accountLink(of parent: TestVisitor, for person: some StringProtocol) throws -> String
  {
    let made = try parent.submit("/account/people/\(person)/account", [:])
    let found = made.body.firstMatch(of: #//invitation/[\w-]+/#)
    return try String(#require(found).output)
  }

  /// Has a parent enter a child of seven years, who then makes an account.
  private func family() throws -> Family {
    let parent = try parent()
    let prefix = try child(of: parent)
    let child = portal.visitor()
    let link = try accountLink(of: parent, for: prefix.dropFirst("/for/".count))
    #expect(try child.submit(link, Self.account).status == 303)
    #expect(try child.signIn("mia").status == 303)
    return Family(parent: parent, child: child, prefix: prefix)
  }

  /// Sets the time and signs people in again.
  private func set(_ time: String, _ visitors: TestVisitor...) throws {
    portal.now = try #require(ZonedTime(time)).instant
    for visitor in visitors { #expect(try visitor.signIn(visitor.login).status == 303) }
  }

  /// Returns the number of notices in a person's inbox.
  private func notices(of visitor: TestVisitor) throws -> Int {
    let person = try portal.person(of: visitor)
    return try portal.read {
      try $0.integer("SELECT count(*) FROM notifications WHERE person = \(person)") ?? 0
    }
  }

  // MARK: Notices

  @Test func `a parent and a child are told of the review a month before and on the day`() throws {
    let family = try family()
    let people = [family.parent, family.child]
    try set("2030-02-01T12:00:00+03:00")
    try portal.runJobs()
    let before = try people.map(notices(of:))
    for (time, told) in [
      ("2030-02-02T12:00:00+03:00", 1), ("2030-02-20T12:00:00+03:00", 1),
      ("2030-03-03T23:59:59+03:00", 1), ("2030-03-04T00:00:00+03:00", 2),
      ("2030-03-20T12:00:00+03:00", 2),
    ] {
      try set(time)
      try portal.runJobs()
      try portal.runJobs()
      #expect(try people.map(notices(of:)) == before.map { $0 + told }, "\(time)")
    }
    try set("2030-03-20T12:00:00+03:00", family.parent, family.child)
    let parents = family.parent.get("/notifications")
    #expect(parents.contains("From 4 March 2030, you only book appointments for Mia Cohen"))
    let own = family.child.get("/notifications")
    #expect(own.contains("From 4 March 2030, Olga Cohen only books appointments for you"))
  }

  @Test func `a portal that did not run on the day tells of it once when it runs again`() throws {
    let family = try family()
    try set("2037-03-10T12:00:00+03:00")
    try portal.runJobs()
    try portal.runJobs()
    try set("2037-03-10T12:00:00+03:00", family.parent, family.child)
    let words = "From 4 March 2037, you cannot act for Mia Cohen any more"
    #expect(family.parent.get("/notifications").contains(words))
    #expect(family.child.get("/notifications").contains("Olga Cohen cannot act for you any more"))
    // The same jobs have deleted the notices of years ago.
    #expect(try notices(of: family.parent) == 1)
  }

  @Test func `nobody is told of a review after the child has agreed, or of a blocked right`() throws
  {
    let family = try family()
    let guardian = try portal.person(of: family.parent)
    try set("2030-02-02T12:00:00+03:00", family.child)
    #expect(
      try family.child.submit("/account/people/\(guardian)/agree", ["scope": "read"]).status == 303)
    try portal.runJobs()
    let before = try notices(of: family.parent)
    try set("2030-03-05T12:00:00+03:00")
    try portal.runJobs()
    #expect(try notices(of: family.parent) == before)
    try set("2037-03-03T12:00:00+03:00")
    let administrator = try portal.administrator()
    let page = "/admin/people/\(family.person)/guardians"
    let blocked = administrator.press("\(page)/block", on: page, ["guardian": "\(guardian)"])
    #expect(blocked.status == 303)
    try portal.runJobs()
    let left = try notices(of: family.parent)
    try set("2037-03-05T12:00:00+03:00")
    try portal.runJobs()
    #expect(try notices(of: family.parent) == left)
  }

  @Test func `an adult's grant is announced before its end, and a short one on the day`() throws {
    let (long, short) = (try portal.register(login: "boris"), try portal.register(login: "vera"))
    for (friend, until) in [(long, "2026-07-14"), (short, "2026-05-20")] {
      let fields = ["scope": "book", "until": until]
      let made = try filled.patient.submit("/account/people/access", fields)
      #expect(try friend.submit(made.guardianLink(), [:]).status == 303)
    }
    let before = try (notices(of: long), notices(of: short))
    for (day, told) in [
      ("2026-05-10", (0, 0)), ("2026-05-20", (0, 0)), ("2026-05-21", (0, 1)),
      ("2026-06-14", (0, 1)), ("2026-06-16", (1, 1)), ("2026-07-14", (1, 1)),
      ("2026-07-15", (2, 1)),
    ] {
      try set("\(day)T12:00:00+03:00")
      try portal.runJobs()
      #expect(try notices(of: long) == before.0 + told.0, "\(day)")
      #expect(try notices(of: short) == before.1 + told.1, "\(day)")
    }
    try set("2026-07-15T12:00:00+03:00", long, filled.patient)
    #expect(long.get("/notifications").contains("From 15 July 2026, you cannot act for Anna"))
    #expect(filled.patient.get("/notifications").contains("cannot act for you any more"))
  }

  // MARK: Reading after the review

  @Test func `a child lets a parent read on, and takes that back at once`() throws {
    let family = try family()
    let (parent, child, mia) = (family.parent, family.child, family.prefix)
    let guardian = try portal.person(of: parent)
    let own = "/account/people/\(guardian)"
    #expect(child.get("\(own)/agree").status == 404)
    try set("2030-03-04T12:00:00+03:00", parent, child)
    #expect(parent.get("\(mia)/health-metrics").status == 403)
    #expect(child.get("/account/people").hasLink("Let Olga Cohen read on"))
    #expect(try child.submit("\(own)/agree", ["scope": "book"]).status == 422)
    #expect(try child.submit("\(own)/agree", ["scope": "read"]).status == 303)
    #expect(parent.get("\(mia)/health-metrics").status == 200)
    let form = "\(mia)/health-metrics/weights/new"
    #expect(try parent.submit(form, Self.weight("23.7")).status == 403)
    #expect(try child.submit("\(own)/agree", ["scope": "all"]).status == 303)
    #expect(try parent.submit(form, Self.weight("23.7")).status == 303)
    let open = parent.get(form)
    #expect(try child.submit("\(own)/withdraw", [:]).status == 303)
    let typed = Self.weight("24.1").map { ($0.key, $0.value) }
    #expect(parent.post(form, pairs: open.hidden(of: form) + typed).status == 403)
    #expect(parent.get("\(mia)/health-metrics").status == 403)
    #expect(parent.get("\(mia)/appointments").status == 200)
    // There is nothing left that a child could take back.
    #expect(try child.submit("\(own)/withdraw", [:]).status == 409)
  }

  @Test func `no agreement outlasts the age at which a parent's right ends`() throws {
    let family = try family()
    let own = "/account/people/\(try portal.person(of: family.parent))"
    try set("2037-03-03T12:00:00+03:00", family.child)
    #expect(try family.child.submit("\(own)/agree", ["scope": "all"]).status == 303)
    let mia = family.prefix
    try set("2037-03-03T23:59:59+03:00", family.parent)
    #expect(family.parent.get("\(mia)/health-metrics").status == 200)
    let form = "\(mia)/health-metrics/weights/new"
    let open = family.parent.get(form)
    portal.now = portal.now + .seconds(2)
    let typed = Self.weight("23.7").map { ($0.key, $0.value) }
    #expect(family.parent.post(form, pairs: open.hidden(of: form) + typed).status == 404)
    #expect(family.parent.get("\(mia)/appointments").status == 404)
    try set("2037-03-04T12:00:00+03:00", family.child)
    #expect(!family.child.get("/health-metrics/weights").contains("23.7"))
    #expect(family.child.get("/account/people").contains("The time is over"))
    #expect(family.child.get("\(own)/agree").status == 404)
  }

  @Test func `the clinic lets a parent read on, but not before the review, and ends that`() throws {
    let anna = try parent()
    let mia = try child(of: anna)
    let page = "/admin/people/\(mia.dropFirst("/for/".count))/guardians"
    let fields = ["guardian": "\(try portal.person(of: anna))"]
    let early = try portal.administrator()
    let refused = early.press("\(page)/agree", on: page, fields, evenIfAbsent: true)
    #expect(refused.status == 404)
    try set("2030-03-04T12:00:00+03:00", anna)
    let administrator = try portal.administrator()
    #expect(administrator.press("\(page)/agree", on: page, fields).status == 303)
    #expect(anna.get("\(mia)/health-metrics").status == 200)
    let form = "\(mia)/health-metrics/weights/new"
    #expect(try anna.submit(form, Self.weight("23.7")).status == 403)
    #expect(anna.get("/notifications").contains("A parent may read a child’s records on"))
    #expect(administrator.press("\(page)/limit", on: page, fields).status == 303)
    #expect(anna.get("\(mia)/health-metrics").status == 403)
    // Whoever was blocked and is allowed again only books.
    #expect(administrator.press("\(page)/agree", on: page, fields).status == 303)
    #expect(administrator.press("\(page)/block", on: page, fields).status == 303)
    #expect(administrator.press("\(page)/allow", on: page, fields).status == 303)
    #expect(anna.get("\(mia)/health-metrics").status == 403)
    #expect(anna.get("\(mia)/appointments").status == 200)
  }

  // MARK: The child's own account

  @Test func `a child who is invited keeps the person, the data and the guardians`() throws {
    let anna = try parent()
    let mia = try child(of: anna)
    let person = mia.dropFirst("/for/".count)
    let form = "\(mia)/health-metrics/weights/new"
    #expect(try anna.submit(form, Self.weight("23.7")).status == 303)
    let boris = try parent("Boris")
    let invite = try anna.submit("/account/people/\(person)/invite", [:]).guardianLink()
    #expect(try boris.submit(invite, [:]).status == 303)
    let first = try accountLink(of: anna, for: person)
    let second = try accountLink(of: boris, for: person)
    #expect(boris.get("/notifications").contains("Another guardian has made a link"))
    let own = portal.visitor()
    #expect(own.get(first).status == 410)
    #expect(try own.submit(second, Self.account).status == 303)
    #expect(try own.signIn("mia").status == 303)
    let number = try portal.person(of: own)
    #expect("\(number)" == person)
    #expect(own.get("/health-metrics/weights").contains("23.7"))
    let list = own.get("/account/people")
    #expect(list.contains("Olga Cohen") && list.contains("Boris Cohen"))
    #expect(own.get("/account/access-log").contains("has made a link with which you make"))
    #expect(anna.get("\(mia)/health-metrics/weights").contains("23.7"))
    #expect(own.get(second).status == 410)
    #expect(anna.get("/account/people/\(person)/account").status == 409)
    #expect(!anna.get("/account/people").hasLink(to: "/account/people/\(person)/account"))
    let parent = try portal.person(of: anna)
    #expect(try own.submit("/account/people/\(parent)/withdraw", [:]).status == 409)
    #expect(anna.get("\(mia)/").status == 200)
  }

  @Test func `who only books, and who acts for an adult, invites nobody to an account`() throws {
    let (friend, prefix) = try guardian(.all)
    let adult = prefix.dropFirst("/for/".count)
    #expect(friend.get("/account/people/\(adult)/account").status == 404)
    let anna = try parent()
    let mia = try child(of: anna)
    let page = "/account/people/\(mia.dropFirst("/for/".count))/account"
    try set("2030-03-04T12:00:00+03:00", anna)
    #expect(anna.get(page).status == 404)
    #expect(!anna.get("/account/people").hasLink(to: page))
  }

  @Test func `a parent who is blocked, or gives up, leaves no link to the child's account`() throws
  {
    let anna = try parent()
    let mia = try child(of: anna)
    let person = mia.dropFirst("/for/".count)
    let boris = try parent("Boris")
    let invite = try anna.submit("/account/people/\(person)/invite", [:]).guardianLink()
    #expect(try boris.submit(invite, [:]).status == 303)
    let left = try accountLink(of: boris, for: person)
    #expect(try boris.submit("/account/people/\(person)/leave", [:]).status == 303)
    #expect(portal.visitor().get(left).status == 410)
    let blocked = try accountLink(of: anna, for: person)
    let administrator = try portal.administrator()
    let page = "/admin/people/\(person)/guardians"
    let fields = ["guardian": "\(try portal.person(of: anna))"]
    #expect(administrator.press("\(page)/block", on: page, fields).status == 303)
    #expect(portal.visitor().get(blocked).status == 410)
  }

  // MARK: Histories

  @Test func `the history of an appointment names a guardian as such`() throws {
    let family = try family()
    let form = "\(family.prefix)/appointments/book?doctor=1&date=2026-05-11&time=10:00"
    let booked = try family.parent.submit(form, [:])
    #expect(booked.status == 303)
    let page = booked.location.dropFirst(family.prefix.count).prefix { $0 != "?" }
    #expect(family.child.get(String(page)).contains("<bdi>Olga Cohen</bdi>, guardian"))
    let shown = family.parent.get("\(family.prefix)\(page)")
    #expect(shown.contains("<bdi>Olga Cohen</bdi>, guardian"))
    #expect(filled.doctor.get(String(page)).contains("<bdi>Olga Cohen</bdi>, guardian"))
    let log = family.child.get("/account/access-log")
    #expect(log.contains("Olga Cohen") && log.contains("acting for you"))
  }
}
