import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Contacts

/// The sealed index over many contacts.
@Suite struct IndexTests {
  @Test func `many contacts stand in order on every page`() throws {
    let portal = try TestPortal(ContactsModule())
    let anna = try portal.register()
    let names = scatteredNames(620)
    try portal.fill(anna, names: names)
    let sorted = names.sorted()
    #expect(try portal.index(of: anna) == sorted)
    #expect(anna.names() == Array(sorted.prefix(50)))
    #expect(anna.names(on: "/contacts?page=7") == Array(sorted[300..<350]))
    #expect(anna.names(on: "/contacts?page=13") == Array(sorted[600...]))
    #expect(anna.names(on: "/contacts?page=99") == Array(sorted[600...]))
  }

  @Test func `removing all of many leaves an empty index`() throws {
    let portal = try TestPortal(ContactsModule())
    let anna = try portal.register()
    try portal.fill(anna, names: scatteredNames(400))
    let keys = try portal.keys(of: anna)
    try portal.database.write { connection in
      let ids: [ID<Contact>] = try connection.rows("SELECT id_contact FROM contacts") { $0.id(0) }
      for id in ids.reversed() {
        try Contact.records.delete(id, at: portal.now, by: keys, on: connection)
      }
    }
    #expect(try portal.index(of: anna).isEmpty)
    #expect(try portal.count("SELECT count(*) FROM contacts_index WHERE chunk > 0") == 0)
  }

  @Test func `an index made anew is the one that grew`() throws {
    let portal = try TestPortal(ContactsModule())
    let anna = try portal.register()
    try portal.fill(anna, names: scatteredNames(300))
    let keys = try portal.keys(of: anna)
    let grown = try portal.index(of: anna)
    try portal.database.write { connection in
      var entries: [Contact.Entry] = []
      try Contact.index.forEach(by: keys, on: connection) { entries.append($0) }
      try Contact.index.rebuild(entries.reversed(), by: keys, on: connection)
    }
    #expect(try portal.index(of: anna) == grown)
  }

  @Test func `a directory that is lost is damage, not an empty list`() throws {
    let portal = try TestPortal(ContactsModule())
    let anna = try portal.register()
    _ = try anna.add("Vera")
    #expect(anna.get("/contacts").status == 200)
    try portal.database.write { connection in
      _ = try connection.run("DELETE FROM contacts_index WHERE chunk = 0")
    }
    #expect(anna.get("/contacts").status == 500)
    let keys = try portal.keys(of: anna)
    try portal.database.write { try Contact.records.derived.rebuild(keys, $0) }
    #expect(anna.names() == ["Vera"])
  }

  @Test func `an index that stands for other records than there are is not sound`() throws {
    let portal = try TestPortal(ContactsModule())
    let anna = try portal.register()
    try portal.fill(anna, names: scatteredNames(200))
    let keys = try portal.keys(of: anna)
    let isSound = { try portal.database.read { try Contact.records.derived.isSound(keys, $0) } }
    #expect(try isSound())
    try portal.database.write { connection in
      _ = try connection.run("UPDATE contacts SET deleted_at = 1 WHERE id_contact = 7")
    }
    #expect(try !isSound())
    try portal.database.write { try Contact.records.derived.rebuild(keys, $0) }
    #expect(try isSound())
  }

  @Test func `those of one name stand in the order in which they came`() throws {
    let portal = try TestPortal(ContactsModule())
    let anna = try portal.register()
    try portal.fill(anna, names: Array(repeating: "Vera", count: 250))
    let page = try portal.database.read {
      try Contact.index.page(5, by: portal.keys(of: anna), on: $0)
    }
    #expect(page.entries.map(\.id) == page.entries.map(\.id).sorted())
    #expect(page.total == 250)
  }

  @Test func `a name that changes moves to its new place`() throws {
    let portal = try TestPortal(ContactsModule())
    let anna = try portal.register()
    let first = try anna.add("Alan")
    _ = try anna.add("Boris")
    #expect(anna.names() == ["Alan", "Boris"])
    #expect(try anna.submit(first + "/edit", ["name": "Zoë"]).location == first)
    #expect(anna.names() == ["Boris", "Zoë"])
  }
}
