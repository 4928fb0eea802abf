import Testing

@testable import PolyclinicCore

@Suite struct FormTests {
  private func problems(_ changes: KeyValuePairs<String, String>) throws -> [Fields.Problem] {
    try Entry.form.take(Entry.sent.with(changes)).problems
  }

  @Test func `two fields of one name stop the program`() async {
    await #expect(processExitsWith: .failure) {
      _ = Form(Address(), .text(\.street, "street"), .text(\.house, "street"))
    }
    await #expect(processExitsWith: .failure) {
      let row = Form(Address(), .text(\.street, "street"))
      _ = Form(Addresses(), .text(\.name, "way_street"), .rows(\.ways, "way", limit: 2, of: row))
    }
  }

  private struct Address: Sendable {
    var street = ""
    var house = ""
  }

  private struct Addresses: Sendable {
    var name = ""
    var ways: [Address] = []
  }

  @Test func `a valid submission is read into the draft`() throws {
    let sent = Entry.sent.with([
      "notes": "one\r\ntwo", "email": "a@b.c", "phone": "+375 (29) 123-45", "day": "2024-02-29",
      "kind": "second", "city": "minsk", "street": "Long", "house": "12a/3",
    ])
    let (draft, problems) = try Entry.form.take(sent)
    #expect(problems.isEmpty)
    #expect(draft.notes == "one\ntwo" && draft.kind == .second && draft.agreed)
    #expect(draft.day == CalendarDate("2024-02-29") && draft.address.house == "12a/3")
  }

  @Test(arguments: [
    ("name", "", "error.required"), ("name", "  \t ", "error.required"),
    ("name", "\u{2003}\u{A0}", "error.required"), ("name", "nobody", "error.too-long"),
    ("password", "", "error.required"), ("agreed", "", "error.must-be-ticked"),
    ("kind", "third", "error.choice"), ("kind", "", "error.required"),
    ("day", "2023-02-29", "error.date"), ("day", "1.2.2024", "error.date"),
    ("day", "2024-2-1", "error.date"), ("day", "0000-01-01", "error.date"),
    ("day", "2024-02-29x", "error.date"),
    ("name", "\u{200B}\u{2800}", "error.required"), ("name", "\u{3164}", "error.required"),
    ("email", "anna", "error.email"),
    ("email", "@b.c", "error.email"), ("email", "a@", "error.email"),
    ("email", "a@.c", "error.email"),
    ("email", "a@b..c", "error.email"), ("email", "a@b@c.d", "error.email"),
    ("email", "a b@c.d", "error.email"), ("phone", "12", "error.telephone"),
    ("phone", "call 123", "error.telephone"), ("phone", "<script>123", "error.telephone"),
  ])
  func `an invalid value is reported at its field`(
    _ field: String, _ typed: String, _ key: String
  ) throws {
    let problem = try #require(try problems(KeyValuePairs(dictionaryLiteral: (field, typed))).first)
    #expect(problem.field == field && problem.text.key == key)
  }

  @Test(arguments: [
    "\0", "a\u{1B}", "\u{7F}", "\u{85}x", "a\u{202E}b", "\u{2066}", "\u{FFF9}", "a\nb", "a\tb",
    "\rb",
  ])
  func `control characters and direction overrides are refused in a single line`(_ typed: String)
    throws
  {
    let found = try problems(["name": "x" + typed + "y"])
    #expect(found.map(\.text.key) == ["error.control-characters"])
  }

  @Test func `multiline text accepts line breaks and tabs, and no other control characters`() throws
  {
    #expect(try problems(["notes": "a\r\n\tb"]).isEmpty)
    #expect(try problems(["notes": "a\rb"]).map(\.field) == ["notes"])
    #expect(try problems(["notes": "a\u{202E}b"]).map(\.field) == ["notes"])
  }

  @Test func `a limit counts Unicode scalars`() throws {
    #expect(try problems(["name": "ééééé"]).isEmpty)
    #expect(try problems(["name": "👩‍⚕️"]).isEmpty)
    #expect(try problems(["name": "👩‍⚕️👩‍⚕️"]).first?.text.arguments == ["limit": "5"])
  }

  @Test func `spaces around a text are removed, and around a password kept`() throws {
    let draft = try Entry.form.take(
      Entry.sent.with(["name": " \u{2003}Anna\n ", "password": " a b "])
    ).draft
    #expect(draft.name == "Anna" && draft.password == " a b ")
  }

  @Test func `a repeated single field is refused as malformed`() {
    var sent = Entry.sent
    sent.append("name", "Boris")
    #expect(throws: Refusal.malformed) { try Entry.form.normalized(sent) }
  }

  @Test func `a field that the form does not have is dropped`() throws {
    let sent = try Entry.form.normalized(Entry.sent.with(["role": "administrator"]))
    #expect(!sent.contains("role"))
  }

  @Test func `a part's rule across fields is applied in the whole form`() throws {
    #expect(try problems(["street": "Long"]) == [Fields.Problem("house", "error.house")])
    #expect(try problems(["street": "Long", "house": "1"]).isEmpty)
  }

  @Test func `a part's rule is applied although a field of another part is invalid`() throws {
    #expect(try problems(["name": "", "street": "Long"]).map(\.field) == ["name", "house"])
  }

  @Test func `rules across fields are applied only if each field is valid`() throws {
    let form = Entry.form.requiring("city") { $0.city.isEmpty ? "error.city" : nil }
    #expect(try form.take(Entry.sent).problems == [Fields.Problem("city", "error.city")])
    #expect(try form.take(Entry.sent.with(["name": ""])).problems.map(\.field) == ["name"])
  }

  @Test func `passwords are neither shown nor sent again`() throws {
    let draft = try Entry.form.take(Entry.sent).draft
    #expect(draft.password == "secret")
    #expect(Entry.form.fields(of: draft)["password"].isEmpty)
    #expect(!Entry.form.withoutPasswords(Entry.sent).contains("password"))
    #expect(!String(decoding: Entry.form.json(draft).encoded, as: UTF8.self).contains("password"))
  }

  @Test func `fields shown and sent back unchanged are the same`() throws {
    let draft = try Entry.form.take(
      Entry.sent.with(["way_type": "second", "way_value": "x", "day": "2024-02-29"])
    ).draft
    let shown = Entry.form.fields(of: draft)
    #expect(try Entry.form.normalized(shown) == shown)
  }

  @Test func `a field missing from the form keeps its stored value`() throws {
    let form = Form(Entry(), .text(\.name, "name"))
    var stored = Entry()
    stored.notes = "kept"
    let draft = try form.take(Fields(["name": "Anna"]), over: stored).draft
    #expect(draft.name == "Anna" && draft.notes == "kept")
  }
}
