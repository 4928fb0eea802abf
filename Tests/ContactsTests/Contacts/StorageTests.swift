import PolyclinicCore
import PolyclinicStore
import PolyclinicTesting
import Testing

@testable import Contacts
@testable import PolyclinicWeb

/// The storage quota of a person.
@Suite struct StorageTests {
  private static let megabyte = 1 << 20
  private let note = String(repeating: "word ", count: 999)

  private func portal(bytes: Int = megabyte, records: Int = 100_000) throws -> TestPortal {
    try TestPortal(ContactsModule(), quota: Connection.StorageUse(bytes: bytes, records: records))
  }

  /// Adds contacts through the form until one is refused, and returns the number added.
  private func fill(
    _ visitor: TestVisitor, of portal: TestPortal
  ) throws -> (taken: Int, refusal: TestPage) {
    for number in 0..<1_000 {
      portal.now = portal.now + .seconds(2)
      let page = try visitor.submit("/contacts/new", ["name": "Vera \(number)", "notes": note])
      if page.status != 303 { return (number, page) }
    }
    throw UnexpectedSuccess()
  }

  private struct UnexpectedSuccess: Error {}

  @Test func `a contact beyond the quota is refused with 409, and its form is shown again`() throws
  {
    let portal = try portal()
    let anna = try portal.register()
    let (taken, refusal) = try fill(anna, of: portal)
    #expect((100..<210).contains(taken))
    #expect(refusal.status == 409)
    #expect(
      refusal.hasNotice(.warning, "one person can keep 1 MB here")
        && refusal.value(of: "name") == "Vera \(taken)")
    #expect(try portal.count("SELECT count(*) FROM contacts") == taken)
    let boris = try portal.register()
    _ = try boris.add("Mila")
  }

  @Test func `a person at the quota can edit, delete and, after the purge, add contacts`() throws {
    let portal = try portal()
    let anna = try portal.register()
    _ = try fill(anna, of: portal)
    let changed = try anna.submit("/contacts/1/edit", ["name": "Shorter", "notes": ""])
    #expect(changed.status == 303)
    for id in 2...20 {
      portal.now = portal.now + .seconds(2)
      #expect(try anna.submit("/contacts/\(id)/delete", [:]).status == 303)
    }
    portal.now = portal.now + .days(31)
    try portal.runJobs()
    #expect(try anna.signIn(anna.login).status == 303)
    _ = try anna.add("Room again", ["notes": note])
  }

  @Test func `the quota limits the number of records`() throws {
    let portal = try portal(records: 30)
    let anna = try portal.register()
    let (taken, refusal) = try fill(anna, of: portal)
    #expect((15...29).contains(taken) && refusal.status == 409)
    #expect(refusal.hasNotice(.warning, "in 30 rows at most"))
  }

  @Test func `the eleventh attempt in twenty seconds at the quota is answered with 429`() throws {
    let portal = try portal()
    let anna = try portal.register()
    let (_, refusal) = try fill(anna, of: portal)
    #expect(refusal.status == 409)
    portal.now = portal.now + PersonStorage.countingSpan
    let add = { try anna.submit("/contacts/new", ["name": "Mila", "notes": note]) }
    for _ in 1...PersonStorage.mostCounts { #expect(try add().status == 409) }
    let delayed = try add()
    #expect(delayed.status == 429 && delayed.hasValue("Mila"))
    #expect(delayed.header("Retry-After") != nil)
    #expect(anna.get("/account").hasFact("1.0 MB used"))
    portal.now = portal.now + PersonStorage.countingSpan
    #expect(try add().status == 409)
  }

  @Test func `repeated changes of one contact do not use up the quota`() throws {
    let portal = try portal()
    let anna = try portal.register()
    let path = try anna.add("Vera")
    for number in 0..<300 {
      portal.now = portal.now + .seconds(2)
      let page = try anna.submit(path + "/edit", ["name": "Vera \(number)", "notes": note])
      try #require(page.status == 303)
    }
  }

  @Test func `a file beyond the quota is refused, and nothing of it is stored`() throws {
    let portal = try portal()
    let anna = try portal.register()
    let long = note + note + note
    let cards = (0..<300).map { vCard(["UID:\($0)", "FN:Vera \($0)", "NOTE:\(long)"]) }.joined()
    let refusal = anna.upload("/contacts/import", "file", Array(cards.utf8))
    #expect(refusal.status == 409 && refusal.hasNotice(.warning, "one person can keep 1 MB here"))
    #expect(try portal.count("SELECT count(*) FROM uploads") == 0)
    #expect(try portal.count("SELECT count(*) FROM contacts") == 0)
  }

  @Test func `an API request beyond the quota is refused with 409`() throws {
    let portal = try portal()
    let anna = try portal.register()
    _ = try fill(anna, of: portal)
    let token = try anna.makeToken(["contacts": "write"])
    let answer = anna.send(
      "POST", "/api/v1/contacts", body: Array("{\"name\":\"Vera\",\"notes\":\"\(note)\"}".utf8),
      headers: ["Authorization": "Bearer \(token)", "Content-Type": "application/json"])
    #expect(answer.status == 409 && answer.contains("one person can keep 1 MB here"))
  }

  @Test func `the running total is at least the counted storage`() throws {
    let portal = try portal()
    let anna = try portal.register()
    for number in 0..<20 {
      let path = try anna.add("Vera \(number)", ["method_type": "phone", "method_value": "12345"])
      _ = try anna.submit(path + "/edit", ["name": "Vera", "notes": note])
    }
    let keys = try portal.keys(of: anna)
    try portal.database.read { connection in
      let total = try connection.row(
        "SELECT stored_bytes, stored_records FROM people WHERE id_person = \(keys.person)"
      ) { Connection.StorageUse(bytes: $0.int(0), records: $0.int(1)) }
      let tables = PersonalTables(among: try portal.database.tables(on: connection))
      let counted = try tables.use(of: keys.person, on: connection)
      #expect(counted.bytes > 20 * note.utf8.count && counted.records > 20)
      #expect(try counted.fits(in: #require(total)))
    }
  }

  @Test func `the profile shows the used storage`() throws {
    let portal = try portal()
    let anna = try portal.register()
    _ = try fill(anna, of: portal)
    #expect(anna.get("/account").fact("Storage") == "1.0 MB of 1.0 MB used")
  }
}
