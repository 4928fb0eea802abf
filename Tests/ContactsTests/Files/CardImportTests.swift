import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Contacts

/// The effect of an imported file of cards on an address book.
@Suite struct CardImportTests {
  private let portal: TestPortal
  private let anna: TestVisitor

  init() throws {
    portal = try TestPortal(ContactsModule())
    anna = try portal.register()
  }

  private func vera(_ lines: String...) -> String { vCard(["UID:vera", "FN:Vera"] + lines) }

  @Test func `a card is new, then a duplicate, then an update by its UID`() throws {
    #expect(try portal.take(vera("TEL:111"), of: anna) == ["1 new Vera"])
    #expect(try portal.take(vera("TEL:111"), of: anna) == ["1 duplicate Vera"])
    #expect(try portal.take(vera("TEL:222", "TITLE:Dr."), of: anna) == ["1 update Vera"])
    #expect(anna.names() == ["Vera"])
    let page = anna.get("/contacts/1")
    #expect(page.contains("tel:222") && !page.contains("tel:111"))
  }

  @Test func `an update keeps fields edited in the portal unless the card has them`() throws {
    try portal.take(vera("TEL:111", "NOTE:old", "ORG:School"), of: anna)
    _ = try anna.submit(
      "/contacts/1/edit",
      pairs: [
        ("name", "Vera"), ("notes", "old"), ("workplace", "School"), ("address", "typed in"),
        ("birthday", "1985-04-12"), ("method_type", "phone"), ("method_value", "111"),
        ("method_type", "email"), ("method_value", "typed@example.org"),
      ])
    try portal.take(vera("TEL:222", "ORG:Clinic"), of: anna)
    let keys = try portal.keys(of: anna)
    let found = try portal.read { try Contact.records.find(ID(1), in: $0.with(keys)) }
    let contact = try #require(found)
    #expect(contact.address == "typed in" && contact.workplace == "Clinic")
    #expect(contact.notes == "" && contact.birthday != nil)
    #expect(contact.methods.map(\.value) == ["222", "typed@example.org"])
  }

  @Test func `the portal's own export contains only duplicates when imported again`() throws {
    _ = try anna.add("Boris", ["method_type": "web", "method_value": "example.org"])
    _ = try anna.add("Мама", ["address": "a\nb", "notes": "x", "birthday": "1960-02-29"])
    try portal.take(vera("TEL;TYPE=HOME:111", "BDAY:--0415"), of: anna)
    let file = anna.get("/contacts/export.vcf").body
    #expect(try portal.take(file, of: anna).allSatisfy { $0.contains("duplicate") })
    let boris = try portal.register()
    #expect(try portal.take(file, of: boris).allSatisfy { $0.contains("new") })
    #expect(boris.names() == anna.names())
    #expect(try portal.take(file, of: boris).allSatisfy { $0.contains("duplicate") })
  }

  @Test func `cards without a UID are imported only once`() throws {
    let file = vCard(["FN:Vera", "TEL:111"]) + vCard(["FN:Vera", "TEL:222"])
    #expect(
      try portal.take(file + file, of: anna).map { $0.contains("new") } == [
        true, true, false, false,
      ])
    #expect(try portal.take(file, of: anna).allSatisfy { $0.contains("duplicate") })
  }

  @Test func `a repeated UID with other content is refused`() throws {
    let fates = try portal.take(vera("TEL:1") + vera("TEL:1") + vera("TEL:2"), of: anna)
    #expect(fates == ["1 new Vera", "7 duplicate Vera", "13 card.same-uid Vera"])
  }

  @Test func `a deleted contact stays deleted, and its card is imported as new`() throws {
    try portal.take(vera(), of: anna)
    _ = try anna.submit("/contacts/1/delete", [:])
    #expect(try portal.take(vera(), of: anna) == ["1 new Vera"])
    #expect(anna.names() == ["Vera"] && anna.get("/contacts/1").status == 404)
  }

  @Test func `a card with a value that the form refuses is refused`() throws {
    let long = String(repeating: "x", count: 201)
    #expect(
      try portal.take(vCard(["FN:\(long)"]), of: anna) == ["1 card.problem \(long.prefix(200))"])
    #expect(anna.names().isEmpty)
  }

  @Test func `3500 cards are imported at once, and a broken one is reported`() throws {
    var file = ""
    for number in 1...3_500 {
      file += vCard(
        number == 50
          ? ["FN:Broken", "KIND:group"]
          : [
            "UID:u\(number)", "FN:Person \(number)", "N:\(number);Person;;;",
            "TEL;TYPE=CELL:+375 29 \(1_000_000 + number)", "EMAIL:p\(number)@example.org",
          ])
    }
    let fates = try portal.take(file, of: anna)
    #expect(fates.count == 3_500 && fates.filter { $0.contains("new") }.count == 3_499)
    #expect(fates.filter { $0.contains("card.") } == ["393 card.group Broken"])
    #expect(try portal.count("SELECT count(*) FROM contacts") == 3_499)
    #expect(anna.get("/contacts").contains("3,499 contacts"))
    #expect(try portal.problems() == [])
  }

  @Test func `a file is previewed before it is imported in one step`() throws {
    let file =
      vera("TEL:111") + vCard(["FN:Boris"]) + vCard(["FN:Broken", "what is this"]) + vCard(["X:1"])
    let sent = anna.upload("/contacts/import", "file", Array(file.utf8))
    #expect(sent.status == 303)
    let shown = anna.get(sent.location)
    #expect(shown.hasButton("Import 3 contacts"))
    #expect(shown.hasRow("Broken"))
    #expect(
      shown.hasRow("Line 14 of the file could not be read and is left out: “what is this”"))
    #expect(shown.hasRow("This contact has no name"))
    #expect(shown.hasRow("111"), "the number tells contacts of one name apart")
    #expect(anna.names().isEmpty)
    let taken = try anna.submit(sent.location, [:])
    #expect(taken.location == "/contacts?new=3&updated=0&omissions=0")
    #expect(anna.get(taken.location).hasNotice(.success, "3 contacts were imported."))
    #expect(anna.names() == ["Boris", "Broken", "Vera"])
  }

  /// Returns the preview of a file.
  private func preview(_ file: String) -> TestPage {
    anna.get(anna.upload("/contacts/import", "file", Array(file.utf8)).location)
  }

  @Test func `the preview names the existing contact that a new one may be`() throws {
    _ = try anna.add("Vera Green", ["method_type": "phone", "method_value": "+375 29 111-22-33"])
    let same = "May be the same as Vera Green"
    #expect(preview(vCard(["FN:Mum", "TEL:8 029 1112233"])).hasRow(same))
    #expect(preview(vCard(["UID:x", "FN:véra green"])).hasRow(same))
    #expect(!preview(vCard(["FN:Boris", "TEL:8 029 1112244"])).contains("May be the same"))
  }

  @Test func `a card is merged into an existing contact if its box is ticked`() throws {
    _ = try anna.add(
      "Vera Green", ["method_type": "phone", "method_value": "111", "workplace": "School"])
    let file = vCard(["FN:Véra Green", "EMAIL:vera@example.org", "ORG:Clinic", "NOTE:new"])
    let sent = anna.upload("/contacts/import", "file", Array(file.utf8))
    let taken = try anna.submit(sent.location, ["instead": "1-1"])
    #expect(taken.location == "/contacts?new=0&updated=1&omissions=0")
    #expect(anna.names() == ["Vera Green"])
    let page = anna.get("/contacts/1")
    #expect(page.contains("tel:111") && page.contains("vera@example.org"))
    #expect(page.contains("School") && page.contains("new"))
  }

  @Test func `only one card of a file can be merged into a contact`() throws {
    _ = try anna.add("Vera", ["method_type": "phone", "method_value": "111"])
    let shown = preview(vCard(["FN:Vera", "TEL:222"]) + vCard(["FN:Vera", "TEL:333"]))
    #expect(shown.main.all("input").count { $0.attributes["name"] == "instead" } == 1)
  }

  @Test func `a box for a contact that is no longer there imports nothing`() throws {
    let file = vCard(["FN:Vera"])
    let sent = anna.upload("/contacts/import", "file", Array(file.utf8))
    #expect(try anna.submit(sent.location, ["instead": "1-7"]).status == 409)
    #expect(anna.names().isEmpty)
  }

  @Test func `cards whose boxes are ticked are left out`() throws {
    let file = vCard(["FN:Boris"]) + vCard(["FN:Vera"])
    let sent = anna.upload("/contacts/import", "file", Array(file.utf8))
    let lines = anna.get(sent.location).main.all("input")
      .filter { $0.attributes["name"] == "leave" }.compactMap { $0.attributes["value"] }
    let first = try #require(lines.first)
    #expect(lines.count == 2)
    let none = try anna.submit(sent.location, pairs: lines.map { ("leave", $0) })
    #expect(none.status == 422 && none.contains("Everything is left out"))
    _ = try anna.submit(sent.location, ["leave": first])
    #expect(anna.names() == ["Vera"])
  }

  @Test func `a number that many contacts share makes nobody the same`() throws {
    for number in 1...9 {
      _ = try anna.add(
        "Colleague \(number)", ["method_type": "phone", "method_value": "+375 17 1234567"])
    }
    #expect(!preview(vCard(["FN:Boris", "TEL:+375 17 1234567"])).contains("May be the same"))
  }

  @Test func `the preview tells of a missing name and of a birthday that is not taken`() {
    let shown = preview(vCard(["TEL:123", "BDAY:2031-02-30"]) + vCard(["FN:Vera", "BDAY:--0510"]))
    let rows = shown.rows.filter { $0.contains("No name in the file") }
    #expect(rows.count == 1 && rows.first?.contains("“2031-02-30”") == true)
    #expect(!shown.rows.contains { $0.contains("Vera") && $0.contains("not a full date") })
  }

  @Test func `a file of another kind is refused at its field`() throws {
    let letter = Array("Dear Vera,\nsee you on Monday\n".utf8)
    let sent = anna.upload("/contacts/import", "file", letter)
    #expect(sent.refuses("file"))
    #expect(sent.hasError("has no contacts"))
  }

  @Test func `no value of a card is readable in the database`() throws {
    try portal.take(
      vera("TITLE:Secretmark", "NOTE:Secretmark", "X-SECRETMARK:1", "UID:Secretmark"), of: anna)
    let stored = String(decoding: try portal.storedBytes(), as: UTF8.self)
    #expect(!stored.contains("Secretmark") && !stored.contains("SECRETMARK"))
  }
}
