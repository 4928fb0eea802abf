import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import polyclinic

/// The notices to guardians about the people for whom they act, and their end.
extension GuardianTests {
  private static let booking = "/appointments/book?doctor=1&date=2026-05-11&time=10:00"
  private static let preferences = "/notifications/preferences"

  @Test func `a guardian reads the notices about a person only as long as the right lasts`() throws
  {
    let anna = try portal.register()
    let boris = try portal.register(login: "boris", ["name": "Boris", "surname": "Orlov"])
    let mia = try child(of: anna)
    let person = mia.dropFirst("/for/".count)
    #expect(try boris.submit(invitation(to: person, of: anna), [:]).status == 303)
    #expect(try anna.submit(mia + Self.booking, [:]).status == 303)
    let told = "has booked an appointment with"
    #expect(boris.get("/notifications").contains(told))
    #expect(try block(boris, for: person, by: portal.administrator()).status == 303)
    #expect(!boris.get("/notifications").contains(told))
    #expect(try notices(about: person, to: boris) == 1)
    try portal.runJobs()
    #expect(try notices(about: person, to: boris) == 0)
    #expect(boris.get("/notifications").contains("The clinic has ended your access"))
  }

  @Test func `the notice to a parent names both days on which the rights change, and both rights`()
    throws
  {
    let anna = try portal.register()
    _ = try child(of: anna)
    let told = anna.get("/notifications").text
    #expect(told.contains("Until 3 March 2037, you may act for Mia Cohen: until 3 March 2030 book"))
    #expect(told.contains("change all records; after that only book appointments."))
  }

  private func notices(about person: Substring, to reader: TestVisitor) throws -> Int? {
    let (about, reader) = (try #require(Int64(person)), try portal.person(of: reader))
    return try portal.read {
      try $0.integer(
        "SELECT count(*) FROM notifications WHERE person = \(reader) AND about = \(about)")
    }
  }

  @Test func `who has booked for a child reads a confirmation, the other parent a notice`() throws {
    let (anna, boris) = (try portal.register(), try portal.register())
    let mia = try child(of: anna)
    let invite = try invitation(to: mia.dropFirst("/for/".count), of: anna)
    #expect(try boris.submit(invite, [:]).status == 303)
    #expect(try anna.submit(mia + Self.booking, [:]).status == 303)
    let (own, told) = ("You have booked an appointment with", "has booked an appointment with")
    for (guardian, words, isRead) in [(anna, own, true), (boris, told, false)] {
      let rows = guardian.get("/notifications").main.all("li").filter { $0.text.contains(words) }
      let isUnread = rows.contains { $0.first { $0.hasClass("unread") } != nil }
      #expect(rows.count == 1 && isUnread == !isRead)
    }
  }

  @Test func `who acts for an adult hears of the adult's appointments by choice`() throws {
    let (anna, prefix) = try guardian(.all)
    let person = prefix.dropFirst("/for/".count)
    let told = "has booked an appointment with"
    #expect(anna.get(Self.preferences).contains("gets these notifications there too"))
    #expect(try filled.patient.submit(Self.booking, [:]).status == 303)
    #expect(!anna.get("/notifications").contains(told))
    #expect(try anna.submit(Self.preferences, ["about.\(person)": "yes"]).status == 303)
    let other = "/appointments/book?doctor=1&date=2026-05-11&time=11:00"
    #expect(try filled.patient.submit(other, [:]).status == 303)
    #expect(anna.get("/notifications").contains(told))
    #expect(try anna.submit(Self.preferences, [:]).status == 303)
    let last = "/appointments/book?doctor=1&date=2026-05-11&time=12:00"
    #expect(try filled.patient.submit(last, [:]).status == 303)
    #expect(try notices(about: person, to: anna) == 1)
  }

  @Test func `a parent of a child with an account is not asked whether to hear of it`() throws {
    let anna = try portal.register()
    let mia = try child(of: anna)
    #expect(anna.get(Self.preferences).contains("Mia Cohen"))
    let person = try #require(Int64(mia.dropFirst("/for/".count)))
    let other = try portal.person(of: portal.register(login: "other"))
    // In place of an invitation, for which the child is too young.
    try portal.database.write {
      _ = try $0.run("DELETE FROM notifications_people")
      _ = try $0.run("UPDATE accounts SET person = \(person) WHERE person = \(other)")
    }
    #expect(!anna.get(Self.preferences).contains("about.\(person)"))
  }

  @Test func `a guardian who reads downloads the records, and nothing of the account`() throws {
    let (reader, prefix) = try guardian(.read)
    let booker = try portal.register(login: "booker")
    #expect(try booker.act(for: filled.patient, .book) == prefix)
    let page = "\(prefix)/account/export"
    #expect(booker.get(page).status == 403)
    let shown = reader.get(page)
    #expect(shown.contains("Download the records of Anna"))
    let archive = reader.postForBytes(page, pairs: shown.hidden(of: page))
    let names = String(decoding: archive, as: UTF8.self)
    for name in ["appointments.json", "health-metrics.json", "fhir.json"] {
      #expect(names.contains(name), "\(name)")
    }
    for name in ["profile.json", "contacts", "notifications.json"] {
      #expect(!names.contains(name), "\(name)")
    }
  }

  @Test func `the export of an account has its guardianships`() throws {
    let (anna, prefix) = try guardian(.book)
    let profile = try #require(Copy(of: anna).files["profile.json"])
    let held = #""guardianships":[{"person":"\#(prefix.dropFirst("/for/".count))","guardian":"#
    #expect(String(decoding: profile, as: UTF8.self).contains(held))
  }

  @Test func `what is due for a person in care stands below the name on the guardian's home`()
    throws
  {
    let anna = try portal.register()
    let mia = try child(of: anna)
    #expect(anna.get("/").contains("Nothing is due today"))
    let vaccination = [
      "vaccine": "Tick-borne", "disease": "Encephalitis", "date": "2025-05-04",
      "next_due": "2026-05-04",
    ]
    let saved = try anna.submit("\(mia)/vaccination-qr/record/new", vaccination)
    #expect(saved.status == 303)
    #expect(!anna.get("/").contains("Nothing is due today"))
  }

  @Test func `a person in care has one colour on all pages`() throws {
    let anna = try portal.register()
    // Of eight hues by name, some would be the same.
    let names = ["Mia", "Leo", "Ida", "Tom", "Eva", "Zoe", "Ben"]
    for name in names {
      let fields = Self.childFields.merging(["name": name]) { $1 }
      #expect(try anna.submit("/account/people/child", fields).status == 303)
    }
    var hues: [String: Set<String>] = [:]
    for path in ["/", "/account/people", Self.booking] {
      for found in anna.get(path).body.matches(
        of: #/hue-(\d)" aria-hidden="true">([A-Z]{2})</#)
      where names.contains(where: { found.2 == "\($0.prefix(1))C" }) {
        hues[String(found.2), default: []].insert(String(found.1))
      }
    }
    #expect(hues.count == names.count && hues.values.allSatisfy { $0.count == 1 })
    #expect(Set(hues.values).count == names.count)
  }
}
