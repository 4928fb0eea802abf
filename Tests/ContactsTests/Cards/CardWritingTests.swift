import PolyclinicCore
import PolyclinicFormats
import PolyclinicTesting
import Testing

@testable import Contacts

/// Export of contacts, and export after an import.
@Suite struct CardWritingTests {
  private let portal: TestPortal
  private let anna: TestVisitor

  init() throws {
    portal = try TestPortal(ContactsModule())
    anna = try portal.register()
  }

  /// Returns the unfolded lines of an export, without REV, UID and PRODID.
  private func exported(_ path: String = "/contacts/export.vcf") -> [String] {
    var reader = ContentLineReader(Array(anna.get(path).body.utf8))
    var lines: [String] = []
    while let line = reader.next() { lines.append(String(decoding: line.bytes, as: UTF8.self)) }
    return lines.filter { !$0.hasPrefix("REV") && !$0.hasPrefix("UID") && !$0.hasPrefix("PRODID") }
  }

  @Test func `a contact is exported as a vCard 4.0`() throws {
    let path = try anna.add(
      "Vera; Green",
      [
        "birthday": "1985-04-12", "workplace": "School, No. 5", "address": "Main Street 1\nTown",
        "notes": "Likes tea", "method_type": "phone", "method_value": "+375 29 111-22-33",
      ])
    let answer = anna.get(path + ".vcf")
    #expect(answer.status == 200 && answer.header("Content-Type") == "text/vcard; charset=utf-8")
    #expect(answer.header("Content-Disposition") == "attachment; filename=\"contact.vcf\"")
    #expect(
      answer.body
        == """
        BEGIN:VCARD
        VERSION:4.0
        PRODID:-//Polyclinic//Polyclinic//EN
        UID:urn:uuid:00000000-0001-8000-8000-69f860106010
        FN:Vera\\; Green
        N:;Vera\\; Green;;;
        BDAY:19850412
        TEL:+375 29 111-22-33
        ADR:;;Main Street 1\\nTown;;;;
        ORG:School\\, No. 5
        NOTE:Likes tea
        REV:20260504T090000Z
        END:VCARD

        """.replacing("\n", with: "\r\n"))
  }

  @Test func `each kind of contact detail has its own property`() throws {
    let rows = [
      ("email", "v@example.org"), ("messenger", "@vera"), ("messenger", "xmpp:v@example.org"),
      ("web", "example.org/vera"), ("other", "ring twice; wait"),
    ].flatMap { [("method_type", $0.0), ("method_value", $0.1)] }
    let path = try anna.submit("/contacts/new", pairs: [("name", "Vera")] + rows).location
    #expect(
      exported(path + ".vcf").dropFirst(4).dropLast() == [
        "EMAIL:v@example.org", "IMPP:im:%40vera", "IMPP:xmpp:v@example.org",
        "URL:https://example.org/vera", "X-POLYCLINIC-WAY:ring twice\\; wait",
      ])
  }

  @Test func `all contacts are exported in list order and with stable UIDs`() throws {
    for name in ["Vera", "Anna", "Boris"] { _ = try anna.add(name) }
    let answer = anna.get("/contacts/export.vcf")
    #expect(
      answer.header("Content-Disposition") == "attachment; filename=\"contacts-2026-05-04.vcf\"")
    #expect(exported().filter { $0.hasPrefix("FN") } == ["FN:Anna", "FN:Boris", "FN:Vera"])
    let uids = answer.body.split(separator: "\r\n").filter { $0.hasPrefix("UID") }
    #expect(Set(uids).count == 3)
    portal.now = portal.now + .minutes(1)
    let later = anna.get("/contacts/export.vcf").body
    #expect(later.split(separator: "\r\n").filter { $0.hasPrefix("UID") } == uids)
  }

  @Test func `another person's contact is neither found nor exported`() throws {
    let path = try anna.add("Vera")
    let boris = try portal.register()
    #expect(boris.get(path + ".vcf").status == 404)
    #expect(boris.get("/contacts/export.vcf").body.isEmpty)
    #expect(portal.visitor().get("/contacts/export.vcf").status == 303)
  }

  private static let rich = [
    "FN;SORT-AS=\"Green\":Vera Green", "N:Green;Vera;Ann;Dr.;", "BDAY:--0415",
    "item1.TEL;TYPE=home,voice;PREF=1:+375 29 111-22-33", "EMAIL;TYPE=work:v@example.org",
    "ADR;TYPE=home:;;Main Street 1;Town;;220000;Belarus", "ORG:School;Library",
    "NOTE;LANGUAGE=en:Likes tea\\, and cake", "TITLE:Teacher", "item1.X-ABLabel:Mobile",
    "CATEGORIES:Family,School", "X-STRANGE;X-P=\"a,b\":\\x;1,2", "PHOTO:data:image/png;base64,AAAA",
  ]

  @Test func `an imported card is exported unchanged`() throws {
    try portal.take(vCard(Self.rich, version: "4.0"), of: anna)
    let lines = exported().dropFirst(2).dropLast()
    #expect(lines.sorted() == Self.rich.sorted())
  }

  @Test func `a card with a doubled name is exported with one`() throws {
    try portal.take(
      vCard(["FN:Ivan Twice", "N:;Ivan Twice;;;", "FN:Ivan Twice", "N:Twice;Ivan;;;", "TEL:111"]),
      of: anna)
    #expect(
      exported().dropFirst(2).dropLast() == ["FN:Ivan Twice", "N:;Ivan Twice;;;", "TEL:111"])
  }

  @Test func `a name in two scripts is exported in both, and alone after an edit`() throws {
    let names = ["FN:Ivan", "N;ALTID=1;LANGUAGE=en:I;Ivan;;;", "N;ALTID=1;LANGUAGE=ru:И;Иван;;;"]
    try portal.take(vCard(names, version: "4.0"), of: anna)
    #expect(exported().dropFirst(2).dropLast() == names[...])
    _ = try anna.submit("/contacts/1/edit", ["name": "Ivan Brown"])
    #expect(exported().filter { $0.hasPrefix("N") } == ["N:;Ivan Brown;;;"])
  }

  @Test func `a merged contact is exported with one of each property that a card has once`() throws
  {
    let card = ["FN:Ivan", "GENDER:M", "ANNIVERSARY:20100101", "KIND:individual"]
    try portal.take(vCard(["UID:a", "N:One;Ivan;;;"] + card, version: "4.0"), of: anna)
    try portal.take(vCard(["UID:b", "N:Two;Ivan;;;"] + card, version: "4.0"), of: anna)
    let pair = "/contacts/merge/1-2"
    #expect(try anna.submit(pair, [:]).status == 303)
    let names = exported().map { $0.prefix { $0 != ":" && $0 != ";" } }
    #expect(names.sorted() == Set(names).sorted())
    #expect(names.filter { $0 == "N" || $0 == "GENDER" || $0 == "KIND" }.count == 3)
  }

  @Test func `an edited field is exported as edited, and the others as imported`() throws {
    try portal.take(vCard(Self.rich, version: "4.0"), of: anna)
    let path = "/contacts/1"
    let page = anna.get(path + "/edit")
    #expect(page.value(of: "name") == "Vera Green")
    let answer = try anna.submit(
      path + "/edit",
      pairs: [
        ("name", "Vera Brown"), ("birthday", "1985-04-15"), ("workplace", "School, Library"),
        ("address", "Elsewhere 2"), ("notes", "Likes tea, and cake"), ("method_type", "email"),
        ("method_value", "v@example.org"),
      ])
    #expect(answer.status == 303)
    let lines = exported(path + ".vcf")
    #expect(lines.contains("FN:Vera Brown") && lines.contains("N:;Vera Brown;;;"))
    #expect(lines.contains("BDAY:19850415") && !lines.contains("BDAY:--0415"))
    #expect(lines.contains("EMAIL;TYPE=work:v@example.org") && lines.contains("ORG:School;Library"))
    #expect(lines.contains("ADR:;;Elsewhere 2;;;;") && lines.contains("TITLE:Teacher"))
    // A label without its number is dropped.
    #expect(!lines.contains { $0.contains("TEL") || $0.contains("X-ABLabel") })
  }

  @Test(arguments: [
    ("19850412T1022Z", "BDAY:19850412T1022Z"),
    ("1985-04-12T10:22:31.5+03:00", "BDAY:19850412T102231+0300"),
    ("1985-04-12T10:2", "BDAY:19850412"), ("1985-04-12T", "BDAY:19850412"),
  ])
  func `the time of a birthday is exported as imported until the day is edited`(
    _ written: String, _ expected: String
  ) throws {
    try portal.take(vCard(["FN:Vera", "BDAY:\(written)"]), of: anna)
    #expect(exported("/contacts/1.vcf").contains(expected))
    let edited = try anna.submit("/contacts/1/edit", ["name": "Vera", "birthday": "1985-04-15"])
    #expect(edited.status == 303)
    #expect(exported("/contacts/1.vcf").contains("BDAY:19850415"))
  }

  @Test func `a birthday without a year is shown without an age`() throws {
    try portal.take(vCard(["FN:Vera", "BDAY:--0510"]), of: anna)
    #expect(anna.get("/contacts/1").fact("Birthday") == "10 May")
    let card = anna.get("/").body
    #expect(card.contains("10 May") && !card.contains("turns"))
  }

  @Test func `a birthday without a year is seen above the form, kept by saving, and removed there`()
    throws
  {
    try portal.take(vCard(["FN:Vera", "BDAY:--0510", "TITLE:Dr."]), of: anna)
    let (page, edit, question) = (
      "/contacts/1", "/contacts/1/edit", "/contacts/1/birthday/delete"
    )
    #expect(anna.get(edit).hasNotice(.plain, "10 May (no year)"))
    #expect(try anna.submit(edit, ["name": "Vera"]).status == 303)
    #expect(anna.get(page).fact("Birthday") == "10 May" && anna.get(edit).hasLink(to: question))
    #expect(try portal.register().get(question).status == 404)
    #expect(try anna.submit(question, [:]).leads(to: edit))
    #expect(anna.get(page).fact("Birthday") == nil && !anna.get(edit).hasLink(to: question))
    #expect(!anna.get("/").contains("10 May"))
    let lines = exported(page + ".vcf")
    #expect(lines.contains("TITLE:Dr.") && !lines.contains { $0.hasPrefix("BDAY") })
    #expect(anna.get(question).status == 404)
  }

  @Test func `what was typed about a contact that was deleted meanwhile is shown again`() throws {
    try portal.take(vCard(["FN:Vera", "BDAY:--0510"]), of: anna)
    let hidden = anna.get("/contacts/1/edit").hidden(of: "/contacts/1/edit")
    _ = try anna.submit("/contacts/1/delete", [:])
    let late = anna.post("/contacts/1/edit", pairs: hidden + [("name", "Vera Brown")])
    #expect(late.status == 409 && late.hasValue("Vera Brown", of: "name"))
  }
}

extension TestPortal {
  /// Imports all readable cards of a file and returns the outcome of each.
  @discardableResult
  func take(_ file: String, of visitor: TestVisitor) throws -> [String] {
    try take(Array(file.utf8), of: visitor)
  }

  /// Imports all readable cards of a file and returns the outcome of each.
  @discardableResult
  func take(_ file: [UInt8], of visitor: TestVisitor) throws -> [String] {
    let keys = try keys(of: visitor)
    let rows = try read { work in
      try ContactImport.read(file, in: work.with(keys)) { $0.key }
    }
    var isAny = false
    let outcomes = rows.map { row in
      switch row.outcome {
      case .new(let item), .update(let item):
        isAny = true
        return "\(row.line) \(item.id == nil ? "new" : "update") \(row.title)"
      case .duplicate: return "\(row.line) duplicate \(row.title)"
      case .refused(let text): return "\(row.line) \(text.key) \(row.title)"
      }
    }
    if isAny {
      let preview = visitor.upload("/contacts/import", "file", file).location
      #expect(try visitor.submit(preview, [:]).status == 303)
    }
    return outcomes
  }
}
