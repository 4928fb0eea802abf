import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Contacts

/// Protection of contacts from everyone but their owner.
@Suite struct OwnerTests {
  @Test func `another person's contact is answered with 404 and not listed`() throws {
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
    #expect(boris.get("/contacts").hasSection("No contacts"))
    #expect(boris.names(on: "/contacts?q=vera").isEmpty)
    #expect(anna.get(path).heading == "Vera Brown")
  }

  @Test func `another person's deleted contact is neither shown, restored nor purged`() throws {
    let portal = try TestPortal(ContactsModule())
    let (anna, boris) = (try portal.register(), try portal.register())
    _ = boris.get(try boris.add("Own"))
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
    #expect(anna.get("/account/deleted").hasRow("Vera Brown"))
  }

  @Test func `no value of a contact is readable in the database`() throws {
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

  @Test func `sealed values copied to another contact cannot be opened`() throws {
    let portal = try TestPortal(ContactsModule())
    let anna = try portal.register()
    let keys = try portal.keys(of: anna)
    for name in ["Vera", "Boris"] {
      _ = try anna.add(name)
    }
    try portal.write { connection in
      try connection.run(
        """
        UPDATE contacts SET sealed = (SELECT sealed FROM contacts WHERE id_contact = 1)
        WHERE id_contact = 2
        """)
    }
    #expect(throws: UnsealingError.self) {
      try portal.read { try Contact.records.find(ID(2), in: $0.with(keys)) }
    }
  }

  @Test func `without a sign-in, each page of contacts redirects`() throws {
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
