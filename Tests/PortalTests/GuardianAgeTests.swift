import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import polyclinic

/// The ages at which a parent's rights change, and the child's own account.
extension GuardianTests {
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
    try set("2037-03-03T23:59:00+03:00", family.parent)
    #expect(family.parent.get("\(mia)/health-metrics").status == 200)
    let form = "\(mia)/health-metrics/weights/new"
    let open = family.parent.get(form)
    portal.now = portal.now + .minutes(1)
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
    #expect(anna.get("/notifications").contains("You may go on reading the records of Mia"))
    #expect(administrator.press("\(page)/limit", on: page, fields).status == 303)
    #expect(anna.get("\(mia)/health-metrics").status == 403)
    // Whoever was blocked and is allowed again only books.
    #expect(administrator.press("\(page)/agree", on: page, fields).status == 303)
    let person = mia.dropFirst("/for/".count)
    #expect(try block(anna, for: person, by: administrator).status == 303)
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
    let invite = try invitation(to: person, of: anna)
    #expect(try boris.submit(invite, [:]).status == 303)
    try set("2032-03-04T12:00:00+03:00", anna, boris)
    for parent in [anna, boris] { try letReadOn(parent, for: person) }
    let first = try accountLink(of: anna, for: person)
    let second = try accountLink(of: boris, for: person)
    #expect(
      boris.get("/notifications").contains("Another guardian or the clinic has made a link"))
    let own = portal.visitor()
    #expect(own.get(first).status == 410)
    #expect(try own.submit(second, Self.account).status == 303)
    #expect(try own.signIn("mia").status == 303)
    let number = try portal.person(of: own)
    #expect("\(number)" == person)
    #expect(own.get("/health-metrics/weights").contains("23.7"))
    let list = own.get("/account/people")
    #expect(list.contains("Olga Cohen") && list.contains("Boris Cohen"))
    let log = own.get("/account/access-log")
    #expect(log.contains("has made a link for an account of the child’s own"))
    #expect(anna.get("\(mia)/health-metrics/weights").contains("23.7"))
    #expect(own.get(second).status == 410)
    #expect(anna.get("/account/people/\(person)/account").status == 409)
    #expect(!anna.get("/account/people").hasLink(to: "/account/people/\(person)/account"))
    let parent = try portal.person(of: anna)
    // At first only the reading ends to which the clinic has agreed.
    for status in [303, 409] {
      #expect(try own.submit("/account/people/\(parent)/withdraw", [:]).status == status)
    }
    #expect(anna.get("\(mia)/health-metrics/weights").status == 403)
    #expect(anna.get("\(mia)/").status == 200)
  }

  @Test func `a parent who may read invites a child from the age of 13`() throws {
    let (friend, prefix) = try guardian(.all)
    let adult = prefix.dropFirst("/for/".count)
    #expect(friend.get("/account/people/\(adult)/account").status == 404)
    let anna = try parent()
    let mia = try child(of: anna)
    let page = "/account/people/\(mia.dropFirst("/for/".count))/account"
    for time in ["2026-05-04T12:00:00+03:00", "2032-03-03T23:00:00+03:00"] {
      try set(time, anna)
      let refused = anna.get(page)
      #expect(refused.status == 409 && refused.contains("from the age of 13"), "\(time)")
      #expect(!anna.get("/account/people").hasLink(to: page), "\(time)")
    }
    try set("2032-03-04T12:00:00+03:00", anna)
    let books = anna.get(page)
    #expect(books.status == 409 && books.contains("is made at the clinic’s reception"))
    let list = anna.get("/account/people")
    #expect(!list.hasLink(to: page) && list.contains("is made at the clinic’s reception"))
    try letReadOn(anna, for: mia.dropFirst("/for/".count))
    #expect(anna.get("/account/people").hasLink(to: page))
    #expect(anna.get(page).contains("do not open it yourself"))
    let link = try accountLink(of: anna, for: mia.dropFirst("/for/".count))
    #expect(try portal.visitor().submit(link, Self.account).status == 303)
  }

  @Test func `a parent who is blocked, or gives up, leaves no link to the child's account`() throws
  {
    let anna = try parent()
    let mia = try child(of: anna)
    let person = mia.dropFirst("/for/".count)
    let boris = try parent("Boris")
    let invite = try invitation(to: person, of: anna)
    #expect(try boris.submit(invite, [:]).status == 303)
    try set("2032-03-04T12:00:00+03:00", anna, boris)
    for parent in [anna, boris] { try letReadOn(parent, for: person) }
    let left = try accountLink(of: boris, for: person)
    #expect(try boris.submit("/account/people/\(person)/leave", [:]).status == 303)
    #expect(portal.visitor().get(left).status == 410)
    let blocked = try accountLink(of: anna, for: person)
    let administrator = try portal.administrator()
    #expect(try block(anna, for: person, by: administrator).status == 303)
    #expect(portal.visitor().get(blocked).status == 410)
  }

  // MARK: Histories

  @Test func `the history of an appointment names a guardian as such`() throws {
    let family = try family()
    let form = "\(family.prefix)/appointments/book?doctor=1&date=2026-05-11&time=10:00"
    let booked = try family.parent.submit(form, [:])
    #expect(booked.status == 303)
    let page = booked.location.dropFirst(family.prefix.count).prefix { $0 != "?" }
    let named = "<bdi>Olga Cohen</bdi>, on behalf of the patient"
    #expect(family.child.get(String(page)).contains(named))
    let shown = family.parent.get("\(family.prefix)\(page)")
    #expect(shown.contains(named))
    #expect(filled.doctor.get(String(page)).contains(named))
    let log = family.child.get("/account/access-log")
    #expect(log.contains("Olga Cohen") && log.contains("on behalf of the patient"))
  }
}
