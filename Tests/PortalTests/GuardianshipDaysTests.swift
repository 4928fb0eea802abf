import PolyclinicCore
import PolyclinicTesting
import Testing

/// The notices of the days on which a guardian's rights change, in a portal of the built-in modules.
@Suite struct GuardianshipDaysTests: GuardianSuite {
  let portal: TestPortal

  init() throws { portal = try TestPortal() }

  /// Returns the number of notices in a person's inbox.
  private func notices(of visitor: TestVisitor) throws -> Int {
    let person = try portal.person(of: visitor)
    return try portal.read {
      try $0.integer("SELECT count(*) FROM notifications WHERE person = \(person)") ?? 0
    }
  }

  @Test func `a parent and a child are told of the review a month before and on the day`() throws {
    let family = try family()
    let people = [family.parent, family.child]
    try set("2030-02-01T12:00:00+03:00")
    try portal.runJobs()
    let before = try people.map(notices(of:))
    for (time, told) in [
      ("2030-02-02T12:00:00+03:00", 1), ("2030-02-20T12:00:00+03:00", 1),
      ("2030-03-03T23:59:00+03:00", 1), ("2030-03-04T00:00:00+03:00", 2),
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
    let blocked = try block(family.parent, for: family.person, by: administrator)
    #expect(blocked.status == 303)
    try portal.runJobs()
    let left = try notices(of: family.parent)
    try set("2037-03-05T12:00:00+03:00")
    try portal.runJobs()
    #expect(try notices(of: family.parent) == left)
  }

  @Test func `an adult's grant is announced before its end, and a short one on the day`() throws {
    let patient = try portal.register(login: "patient")
    let (long, short) = (try portal.register(login: "boris"), try portal.register(login: "vera"))
    for (friend, until) in [(long, "2026-07-14"), (short, "2026-05-20")] {
      let fields = ["scope": "book", "until": until]
      let made = try patient.submit("/account/people/access", fields)
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
    try set("2026-07-15T12:00:00+03:00", long, patient)
    #expect(long.get("/notifications").contains("From 15 July 2026, you cannot act for Anna"))
    #expect(patient.get("/notifications").contains("cannot act for you any more"))
  }
}
