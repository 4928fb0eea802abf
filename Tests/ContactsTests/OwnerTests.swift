import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Contacts

/// Nobody but the owner reads a contact.
@Suite struct OwnerTests {
  @Test func `someone else's contact is not found, whatever is asked of it`() throws {
    let portal = try TestPortal(ContactsModule())
    let (anna, boris) = (try portal.register(), try portal.register())
    let path = try anna.add("Vera Brown")
    let form = boris.get("/contacts/new").hidden(of: "/contacts/new")
    for page in ["", "/edit", "/delete"] {
      #expect(boris.get(path + page).status == 404)
    }
    for page in ["/edit", "/delete"] {
      #expect(boris.post(path + page, pairs: form + [("name", "Mine")]).status == 404)
    }
    #expect(boris.get("/contacts").contains("No contacts"))
    #expect(boris.names(on: "/contacts?q=vera").isEmpty)
    #expect(anna.get(path).contains("Vera Brown"))
  }

  @Test func `someone else's deleted contact is neither named nor taken back`() throws {
    let portal = try TestPortal(ContactsModule())
    let (anna, boris) = (try portal.register(), try portal.register())
    _ = try boris.add("Own")
    let path = try anna.add("Vera Brown")
    let id = String(path.split(separator: "/")[1])
    #expect(try anna.submit(path + "/delete", [:]).status == 303)
    #expect(!boris.get("/contacts?deleted=\(id)").contains("class=\"notice"))
    let form = boris.get("/contacts/new").hidden(of: "/contacts/new")
    for button in ["restore", "purge"] {
      let answer = boris.post(
        "/account/deleted/" + button,
        pairs: form + [("module", "contacts"), ("item", id), ("confirm", "yes")])
      #expect(answer.status == 404)
    }
    #expect(anna.get("/account/deleted").contains("Vera Brown"))
  }

  @Test func `nothing of a contact stands readable in the database's files`() throws {
    let portal = try TestPortal(ContactsModule())
    let anna = try portal.register()
    let path = try anna.add(
      "Verochka Kuznetsova",
      [
        "birthday": "1931-07-19", "workplace": "Lighthouse", "address": "Cucumber Alley",
        "notes": "Heliotrope", "method_type": "email", "method_value": "zebra@example.net",
      ])
    _ = anna.get("/contacts?q=veroch")
    _ = try anna.submit(path + "/delete", [:])
    let stored = try portal.storedBytes()
    #expect(stored.count > 1_000)
    for text in [
      "Verochka", "verochka", "Kuznetsova", "kuznetsova", "1931-07-19", "Lighthouse", "Cucumber",
      "Heliotrope", "zebra", "messenger", "birthday",
    ] {
      #expect(!contains(Array(text.utf8), in: stored), "\(text)")
    }
  }

  @Test func `sealed values cannot be moved from one contact to another`() throws {
    let portal = try TestPortal(ContactsModule())
    let anna = try portal.register()
    let keys = try portal.keys(of: anna)
    for name in ["Vera", "Boris"] {
      _ = try anna.add(name, ["method_type": "phone", "method_value": "123"])
    }
    try portal.database.write { connection in
      try connection.run(
        """
        UPDATE communication_methods SET sealed =
          (SELECT sealed FROM communication_methods WHERE id_contact = 1)
        WHERE id_contact = 2
        """)
    }
    #expect(throws: UnsealingError.self) {
      try portal.database.read { try Contact.records.find(ID(2), by: keys, on: $0) }
    }
  }

  @Test func `nobody reads contacts without signing in`() throws {
    let portal = try TestPortal(ContactsModule())
    let path = try portal.register().add("Vera")
    for page in ["/contacts", "/contacts/new", path, path + "/edit", path + "/delete"] {
      #expect(portal.visitor().get(page).status == 303)
    }
  }

  private func contains(_ wanted: [UInt8], in bytes: [UInt8]) -> Bool {
    bytes.indices.dropLast(wanted.count - 1).contains { start in
      bytes[start] == wanted[0] && bytes[start..<start + wanted.count].elementsEqual(wanted)
    }
  }
}
