import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Contacts

/// The sealed index over many contacts.
@Suite struct IndexTests {
  @Test func `620 contacts are listed in order on every page`() throws {
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

  @Test func `deleting 400 contacts leaves an empty index`() throws {
    let portal = try TestPortal(ContactsModule())
    let anna = try portal.register()
    try portal.fill(anna, names: scatteredNames(400))
    let keys = try portal.keys(of: anna)
    try portal.write { connection in
      let ids: [ID<Contact>] = try connection.rows(
        "SELECT id_contact FROM contacts ORDER BY id_contact"
      ) { $0.id(0) }
      for id in ids.reversed() {
        try Contact.records.delete(id, in: connection.with(keys))
      }
    }
    #expect(try portal.index(of: anna).isEmpty)
    #expect(try portal.count("SELECT count(*) FROM contacts_index WHERE chunk > 0") == 0)
  }

  @Test func `a rebuilt index lists the same names as the original`() throws {
    let portal = try TestPortal(ContactsModule())
    let anna = try portal.register()
    try portal.fill(anna, names: scatteredNames(300))
    let keys = try portal.keys(of: anna)
    let grown = try portal.index(of: anna)
    try portal.write { connection in
      var entries: [Contact.Entry] = []
      try Contact.index.forEach(in: connection.with(keys)) { entries.append($0) }
      try Contact.index.rebuild(entries.reversed(), in: connection.with(keys))
    }
    #expect(try portal.index(of: anna) == grown)
  }

  @Test func `a lost index directory is answered with 500 until the index is rebuilt`() throws {
    let portal = try TestPortal(ContactsModule())
    let anna = try portal.register()
    _ = try anna.add("Vera")
    #expect(anna.get("/contacts").status == 200)
    try portal.write { connection in
      _ = try connection.run("DELETE FROM contacts_index WHERE chunk = 0")
    }
    #expect(anna.get("/contacts").status == 500)
    let keys = try portal.keys(of: anna)
    try portal.write { try Contact.records.rebuildableIndex.rebuild($0.with(keys)) }
    #expect(anna.names() == ["Vera"])
  }

  @Test func `an index that does not match the stored contacts is detected`() throws {
    let portal = try TestPortal(ContactsModule())
    let anna = try portal.register()
    try portal.fill(anna, names: scatteredNames(200))
    let keys = try portal.keys(of: anna)
    let isSound = {
      try portal.read { try Contact.records.rebuildableIndex.isSound($0.with(keys)) }
    }
    #expect(try isSound())
    try portal.write { connection in
      _ = try connection.run("UPDATE contacts SET deleted_at = 1 WHERE id_contact = 7")
    }
    #expect(try !isSound())
    try portal.write { try Contact.records.rebuildableIndex.rebuild($0.with(keys)) }
    #expect(try isSound())
  }

  @Test(arguments: [0, 1, 150, 700])
  func `contacts inserted in bulk are indexed in order, in chunks of at most 96`(_ before: Int)
    throws
  {
    let portal = try TestPortal(ContactsModule())
    let anna = try portal.register()
    let names = scatteredNames(before + 900)
    try portal.fill(anna, names: Array(names.prefix(before)))
    let keys = try portal.keys(of: anna)
    let coming = names.dropFirst(before).map(Contact.init(named:))
    let ids = try portal.write {
      try Contact.records.insert(contentsOf: coming, in: $0.with(keys))
    }
    #expect(try portal.index(of: anna) == names.sorted())
    #expect(try portal.read { try Contact.records.rebuildableIndex.isSound($0.with(keys)) })
    #expect(
      try portal.read { try Contact.records.find(ids[7], in: $0.with(keys)) }?.name
        == coming[7].name)
    let largest = try portal.count("SELECT max(entries) FROM contacts_index WHERE chunk > 0")
    #expect(largest <= 96)
  }

  @Test func `contacts changed in bulk move to their new places`() throws {
    let portal = try TestPortal(ContactsModule())
    let anna = try portal.register()
    let names = scatteredNames(600)
    try portal.fill(anna, names: names)
    let keys = try portal.keys(of: anna)
    let changes = (1...400).map { number in
      (id: ID<Contact>(Int64(number)), record: Contact(named: "zz \(1000 - number)"))
    }
    try portal.write {
      try Contact.records.replace(contentsOf: changes, in: $0.with(keys))
    }
    let expected = (names.dropFirst(400) + changes.map(\.record.name)).sorted()
    #expect(try portal.index(of: anna) == expected)
    #expect(try portal.read { try Contact.records.rebuildableIndex.isSound($0.with(keys)) })
  }

  @Test func `a bulk change with another person's contact changes nothing`() throws {
    let portal = try TestPortal(ContactsModule())
    let (anna, boris) = (try portal.register(), try portal.register())
    try portal.fill(anna, names: ["Vera"])
    try portal.fill(boris, names: ["Oleg"])
    let keys = try portal.keys(of: anna)
    #expect(throws: Refusal.notFound) {
      try portal.write {
        let changes = [1, 2].map { (id: ID<Contact>($0), record: Contact(named: "changed")) }
        try Contact.records.replace(contentsOf: changes, in: $0.with(keys))
      }
    }
    #expect(try portal.index(of: anna) == ["Vera"] && portal.index(of: boris) == ["Oleg"])
  }

  @Test func `contacts with the same name are listed by id`() throws {
    let portal = try TestPortal(ContactsModule())
    let anna = try portal.register()
    try portal.fill(anna, names: Array(repeating: "Vera", count: 250))
    let page = try portal.read {
      try Contact.index.page(5, in: $0.with(portal.keys(of: anna)))
    }
    #expect(page.entries.map(\.id) == page.entries.map(\.id).sorted())
    #expect(page.pagination.total == 250)
  }

  @Test func `a renamed contact moves to its new place`() throws {
    let portal = try TestPortal(ContactsModule())
    let anna = try portal.register()
    let first = try anna.add("Alan")
    _ = try anna.add("Boris")
    #expect(anna.names() == ["Alan", "Boris"])
    #expect(try anna.submit(first + "/edit", ["name": "Zoë"]).location == first)
    #expect(anna.names() == ["Boris", "Zoë"])
  }
}
