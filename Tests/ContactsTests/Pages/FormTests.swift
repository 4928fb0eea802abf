import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Contacts

/// The pages of a new contact, its details and its edit form.
@Suite struct FormTests {
  @Test func `a new contact is shown with all its values`() throws {
    let anna = try TestPortal(ContactsModule()).register()
    let answer = try anna.submit(
      "/contacts/new",
      pairs: [
        ("name", " Vera Brown "), ("birthday", "1985-11-23"), ("workplace", "Orlov & Sons"),
        ("address", "Long Street\r\nMinsk"), ("notes", "first\r\n\tsecond"),
        ("method_type", "phone"), ("method_value", "+375 (29) 111-22-33"),
        ("method_type", "email"), ("method_value", "vera@example.org"),
        ("method_type", "web"), ("method_value", "example.org/vera"),
        ("method_type", "messenger"), ("method_value", "vera.brown"),
      ])
    #expect(answer.status == 303)
    let page = anna.get(answer.location)
    for text in [
      "<h1><bdi>Vera Brown</bdi></h1>", "23 November 1985", "turns 41", "Orlov &amp; Sons",
      "Long Street\nMinsk", "first\n\tsecond", "href=\"tel:+375291112233\"",
      "href=\"mailto:vera@example.org\"", "href=\"https://example.org/vera\"",
      "<bdi>vera.brown</bdi>", "href=\"/contacts\"", "/edit\"", "/delete\"",
    ] {
      #expect(page.contains(text), "\(text)")
    }
    #expect(!page.contains("<title>Vera"))
  }

  @Test(
    arguments: [
      (["method_type": "phone", "method_value": "+375 29 111"], "Call"),
      (["method_type": "email", "method_value": "vera@example.org"], "E-mail"),
      ([:], "Edit"),
    ] as [([String: String], String)])
  func `the main button of a contact reaches the person, or else edits`(
    _ fields: [String: String], _ main: String
  ) throws {
    let anna = try TestPortal(ContactsModule()).register()
    let added = try anna.submit("/contacts/new", fields.merging(["name": "Vera"]) { $1 })
    let buttons = anna.get(added.location).main.all { $0.hasClass("button") }
    let others = ["secondary", "plain"]
    let mains = buttons.filter { button in !others.contains { button.hasClass($0) } }
    #expect(mains.map(\.text) == [main])
  }

  @Test(arguments: [
    ("+44 (0)20 7946 0000 ext. 7", "tel:+442079460000;ext=7"), ("222-33-44/45", "tel:2223344"),
    ("+7 495 765-43-21 (доб. 5)", "tel:+74957654321;ext=5"),
  ])
  func `a telephone number is shown as typed, and its link holds what is dialled`(
    _ number: String, _ link: String
  ) throws {
    let anna = try TestPortal(ContactsModule()).register()
    let path = try anna.add("Vera", ["method_type": "phone", "method_value": number])
    let page = anna.get(path)
    #expect(page.contains("<bdi dir=\"ltr\">\(number)</bdi>") && page.hasLink(to: link))
    #expect(anna.get(path + ".vcf").contains("TEL:\(number)"))
  }

  @Test(arguments: [
    ("javascript:alert(1)", "web"), ("data:text/html,x", "web"), ("https://x y", "other"),
    ("no number", "phone"), ("JavaScript:alert(1)", "messenger"),
  ])
  func `a value that is not a safe address is shown without a link`(_ value: String, _ type: String)
    throws
  {
    let anna = try TestPortal(ContactsModule()).register()
    let path = try anna.add("Vera", ["method_type": type, "method_value": value])
    #expect(anna.get(path).contains("<dd><bdi>\(value)</bdi></dd>"))
  }

  @Test func `an invalid e-mail address is reported at its row`() throws {
    let anna = try TestPortal(ContactsModule()).register()
    let answer = try anna.submit(
      "/contacts/new",
      pairs: [
        ("name", "Vera"), ("method_type", "phone"), ("method_value", "123"),
        ("method_type", "email"), ("method_value", "not mail"),
      ])
    #expect(answer.refuses("method_value-2"))
  }

  @Test func `the edit form shows the stored values and replaces them`() throws {
    let portal = try TestPortal(ContactsModule())
    let anna = try portal.register()
    let path = try anna.add(
      "Vera", ["birthday": "1985-11-23", "method_type": "email", "method_value": "v@example.org"])
    let form = anna.get(path + "/edit")
    #expect(form.hasValue("Vera") && form.hasValue("1985-11-23"))
    #expect(form.hasValue("v@example.org") && form.contains("value=\"email\" selected"))
    let answer = try anna.submit(path + "/edit", ["name": "Vera Green", "notes": "new"])
    #expect(answer.status == 303 && answer.location == path)
    let page = anna.get(path)
    #expect(page.heading == "Vera Green" && page.fact("Notes") == "new")
    #expect(!page.contains("1985") && !page.contains("v@example.org"))
    #expect(try portal.count("SELECT count(*) FROM contacts") == 1)
  }

  @Test func `empty rows are not stored`() throws {
    let portal = try TestPortal(ContactsModule())
    let anna = try portal.register()
    _ = try anna.submit(
      "/contacts/new",
      pairs: [
        ("name", "Vera"), ("method_type", "email"), ("method_value", " "),
        ("method_type", "phone"), ("method_value", "123"),
      ])
    let keys = try portal.keys(of: anna)
    let contact = try portal.read { try Contact.records.find(ID(1), in: $0.with(keys)) }
    #expect(contact?.methods.map(\.value) == ["123"])
  }

  @Test func `a row is added and removed without JavaScript`() throws {
    let anna = try TestPortal(ContactsModule()).register()
    let added = try anna.submit(
      "/contacts/new",
      pairs: [
        ("name", "Vera"), ("method_type", "phone"), ("method_value", "123"), ("add", "method"),
      ])
    #expect(added.status == 200 && added.contains("id=\"method_value-2\""))
    #expect(added.hasValue("Vera") && added.hasValue("123"))
    let removed = try anna.submit(
      "/contacts/new",
      pairs: [
        ("name", "Vera"), ("method_type", "phone"), ("method_value", "123"),
        ("method_type", "email"), ("method_value", "second"), ("remove", "method-1"),
      ])
    #expect(!removed.contains("value=\"123\"") && removed.hasValue("second"))
  }

  @Test func `Cancel without changes leads back immediately`() throws {
    let anna = try TestPortal(ContactsModule()).register()
    let blank = [("name", ""), ("method_type", "phone"), ("method_value", ""), ("cancel", "yes")]
    #expect(try anna.submit("/contacts/new", pairs: blank).location == "/contacts")
    let path = try anna.add("Vera")
    #expect(try anna.submit(path + "/edit", ["name": "Vera", "cancel": "yes"]).location == path)
  }

  @Test func `Cancel with changes asks for confirmation, and No keeps them`() throws {
    let anna = try TestPortal(ContactsModule()).register()
    let asked = try anna.submit("/contacts/new", ["name": "Vera", "cancel": "yes"])
    #expect(asked.status == 200 && asked.hasField("discard"))
    let typed = asked.hidden(of: "/contacts/new")
    #expect(typed.contains { $0 == ("name", "Vera") })
    let back = anna.post("/contacts/new", pairs: typed + [("discard", "no")])
    #expect(back.status == 200 && back.hasValue("Vera"))
    let left = anna.post("/contacts/new", pairs: typed + [("discard", "yes")])
    #expect(left.status == 303 && left.location == "/contacts")
    #expect(anna.get("/contacts").hasSection("No contacts"))
  }

  @Test func `a form submitted twice creates one contact`() throws {
    let portal = try TestPortal(ContactsModule())
    let anna = try portal.register()
    let form = anna.get("/contacts/new").hidden(of: "/contacts/new") + [("name", "Vera")]
    let first = anna.post("/contacts/new", pairs: form)
    let second = anna.post("/contacts/new", pairs: form)
    #expect(first.status == 303 && second.location == first.location)
    #expect(try portal.count("SELECT count(*) FROM contacts") == 1)
  }

  @Test func `an outdated edit is refused with 409 and shows both versions`() throws {
    let anna = try TestPortal(ContactsModule()).register()
    let path = try anna.add("Vera")
    let form = anna.get(path + "/edit").hidden(of: path + "/edit")
    _ = try anna.submit(path + "/edit", ["name": "Vera Green", "notes": "kept"])
    let late = anna.post(path + "/edit", pairs: form + [("name", "Vera Blue")])
    #expect(late.status == 409)
    #expect(
      late.hasRow("Vera Green") && late.value(of: "name") == "Vera Blue" && late.hasRow("kept"))
    #expect(anna.get(path).heading == "Vera Green")
    let again = late.hidden(of: path + "/edit") + [("name", "Vera Blue")]
    #expect(anna.post(path + "/edit", pairs: again).status == 303)
    #expect(anna.get(path).heading == "Vera Blue")
  }
}
