import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Contacts

/// Deletion, undo and purge of contacts.
@Suite struct TrashTests {
  private static let trash = Contact.records.trash(leadingTo: "{id}")

  @Test func `a deletion must be confirmed, and Cancel leads back to the contact`() throws {
    let anna = try TestPortal(ContactsModule()).register()
    let path = try anna.add("Vera")
    let question = anna.get(path + "/delete")
    #expect(question.status == 200 && question.contains("“Vera” will be deleted"))
    #expect(try anna.submit(path + "/delete", ["cancel": "yes"]).location == path)
    #expect(anna.names() == ["Vera"])
  }

  @Test func `a deleted contact leaves the list and can be restored from there`() throws {
    let anna = try TestPortal(ContactsModule()).register()
    let path = try anna.add("Vera", ["method_type": "phone", "method_value": "12345"])
    _ = try anna.add("Boris")
    let list = try anna.submit(path + "/delete", [:]).location
    #expect(list == "/contacts?deleted=\(path.split(separator: "/")[1])")
    let page = anna.get(list)
    #expect(page.hasNotice(.success, "“Vera” was deleted.") && page.contains("notice success"))
    #expect(anna.names(on: list) == ["Boris"] && anna.get(path).status == 404)
    #expect(anna.names(on: "/contacts?q=123").isEmpty)
    let undone = anna.press("/account/deleted/restore", on: list)
    #expect(undone.status == 303 && undone.location == path)
    #expect(anna.names() == ["Boris", "Vera"] && anna.get(path).contains("tel:12345"))
    #expect(!anna.get(list).contains("was deleted"))
  }

  @Test func `an edit of a deleted contact is refused with 409 and keeps the input`() throws {
    let anna = try TestPortal(ContactsModule()).register()
    let path = try anna.add("Vera")
    let form = anna.get(path + "/edit").hidden(of: path + "/edit")
    let list = try anna.submit(path + "/delete", [:]).location
    let typed = form + [("name", "Vera"), ("notes", "Typed at length")]
    let page = anna.post(path + "/edit", pairs: typed)
    #expect(page.status == 409 && page.value(of: "notes") == "Typed at length")
    #expect(page.hasNotice(.warning, "has been deleted meanwhile"))
    #expect(anna.get(path + "/edit").status == 404)
    #expect(anna.post(path + "/edit", pairs: typed + [("cancel", "yes")]).location == path)
    _ = anna.press("/account/deleted/restore", on: list)
    let again = page.hidden(of: path + "/edit") + [("name", "Vera"), ("notes", "Typed at length")]
    #expect(anna.post(path + "/edit", pairs: again).status == 303)
    #expect(anna.get(path).fact("Notes") == "Typed at length")
  }

  @Test func `the last contact can be restored from the empty list`() throws {
    let anna = try TestPortal(ContactsModule()).register()
    let path = try anna.add("Vera")
    let list = try anna.submit(path + "/delete", [:]).location
    #expect(anna.get(list).hasSection("No contacts"))
    #expect(anna.press("/account/deleted/restore", on: list).location == path)
  }

  @Test func `a repeated deletion leads to the same page`() throws {
    let anna = try TestPortal(ContactsModule()).register()
    let path = try anna.add("Vera")
    let form = anna.get(path + "/delete").hidden(of: path + "/delete")
    let first = anna.post(path + "/delete", pairs: form)
    #expect(anna.post(path + "/delete", pairs: form).location == first.location)
  }

  @Test func `deleted contacts are listed with the latest first`() throws {
    let portal = try TestPortal(ContactsModule())
    let anna = try portal.register()
    for name in ["Vera", "Boris"] {
      let path = try anna.add(name)
      portal.now = portal.now + .minutes(1)
      _ = try anna.submit(path + "/delete", [:])
    }
    let keys = try portal.keys(of: anna)
    let items = try portal.read { try Self.trash.list($0.with(keys)) }
    #expect(items.map(\.title) == ["Boris", "Vera"])
    #expect(items.map(\.deletedAt) == [portal.now, portal.now - .minutes(1)])
  }

  @Test func `purging a deleted contact removes all its rows`() throws {
    let portal = try TestPortal(ContactsModule())
    let anna = try portal.register()
    try portal.take(vCard(["FN:Vera", "TITLE:Dr."]), of: anna)
    let id: Int64 = 1
    let keys = try portal.keys(of: anna)
    #expect(throws: Refusal.notFound) {
      try portal.write { try Self.trash.purge(id, $0.with(keys)) }
    }
    _ = try anna.submit("/contacts/\(id)/delete", [:])
    try portal.write { try Self.trash.purge(id, $0.with(keys)) }
    #expect(throws: Refusal.notFound) {
      try portal.write { try Self.trash.restore(id, $0.with(keys)) }
    }
    try expectNoRows(portal)
  }

  @Test func `only contacts deleted before the given time are purged`() throws {
    let portal = try TestPortal(ContactsModule())
    let anna = try portal.register()
    for name in ["Vera", "Boris"] {
      let path = try anna.add(name)
      _ = try anna.submit(path + "/delete", [:])
      portal.now = portal.now + .minutes(1)
    }
    _ = try anna.add("Stays")
    let keys = try portal.keys(of: anna)
    let left = try portal.write { work in
      try Self.trash.purgeAll(TestPortal.start + .minutes(1), work)
      return try Self.trash.list(work.with(keys))
    }
    #expect(left.map(\.title) == ["Boris"] && anna.names() == ["Stays"])
  }

  @Test func `erasing a person deletes all rows of their contacts`() throws {
    let portal = try TestPortal(ContactsModule())
    let anna = try portal.register()
    try portal.take(vCard(["FN:Vera", "TITLE:Dr."]), of: anna)
    let person = try portal.keys(of: anna).person
    try portal.write { work in
      try work.run("DELETE FROM people WHERE id_person = \(person)")
    }
    try expectNoRows(portal)
    #expect(try portal.count("SELECT count(*) FROM contacts_index") == 0)
  }

  private func expectNoRows(_ portal: TestPortal) throws {
    #expect(try portal.count("SELECT count(*) FROM contacts") == 0)
    #expect(try portal.count("SELECT count(*) FROM contacts_cards") == 0)
  }
}
