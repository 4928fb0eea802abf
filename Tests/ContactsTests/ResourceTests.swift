import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Contacts

@Suite struct ResourceTests {
  private let portal: TestPortal
  private let anna: TestVisitor
  private let program: TestProgram
  private let path = "/api/v1/contacts"

  init() throws {
    portal = try TestPortal(ContactsModule())
    anna = try portal.register(login: "anna")
    program = TestProgram(portal, token: try anna.makeToken(["contacts": "write"]))
  }

  @Test func `a program and the page read each other's changes`() throws {
    let made = program.post(
      path,
      """
      {"name": "Vera", "birthday": "1984-03-27",
       "methods": [{"type": "email", "value": "vera@example.org"}, {"value": "+375 29"}]}
      """)
    #expect(made.status == 201 && made.location.hasPrefix("\(path)/"))
    #expect(made.header("Content-Type") == "application/json")
    let id = try #require(made.json()["id"]?.text)
    #expect(anna.get("/contacts/\(id)").fact("E-mail") == "vera@example.org")
    _ = try anna.submit("/contacts/\(id)/edit", ["name": "Vera Changed", "birthday": "1985-03-27"])
    let shown = try program.get("\(path)/\(id)").json()
    #expect(shown["name"]?.text == "Vera Changed" && shown["birthday"]?.text == "1985-03-27")
    #expect(try made.json()["methods"]?[1]?["type"]?.text == "phone")
    #expect(shown["workplace"]?.text == "")
  }

  @Test func `pages of a list contain each contact once, and a bad query is refused`() throws {
    for number in 1...7 { _ = program.post(path, "{\"name\": \"c\(number)\"}") }
    var names: [String] = []
    var target = "\(path)?limit=3"
    for _ in 1...3 {
      let part = try program.get(target).json()
      guard case .array(let items) = part["items"] else { break }
      names += items.compactMap { $0["name"]?.text }
      guard let next = part["next"]?.text else { break }
      target = "\(path)?limit=3&cursor=\(next)"
    }
    #expect(names == (1...7).map { "c\($0)" })
    #expect(try program.get("\(path)?limit=100000000000000000000").json()["items"]?.count == 7)
    for query in ["limit=0", "limit=x", "limit=-1", "cursor=x", "limit=1&limit=2", "page=2"] {
      #expect(program.get("\(path)?\(query)").status == 422)
    }
  }

  @Test func `errors are reported by field, with a pointer, in the program's language`() throws {
    let answer = program.post(
      path,
      """
      {"birthday": "1984-02-30", "notes": 5, "nonsense": 1,
       "methods": [{"value": "1"}, {"type": "pigeon"}, {}, 5, {"value": "x", "kind": "y"}]}
      """)
    #expect(answer.status == 422)
    #expect(answer.header("Content-Type") == "application/problem+json")
    #expect(
      try answer.errors() == [
        "method_value-2", "method_value-3", "method-4", "method_kind-5", "notes", "nonsense",
      ])
    #expect(try answer.json()["errors"]?[1]?["pointer"]?.text == "#/methods/2/value")
    let rules = program.post(
      path,
      "{\"birthday\": \"1984-02-30\", \"methods\": [{\"type\": \"pigeon\", \"value\": \"x\"}]}")
    #expect(try rules.errors() == ["name", "method_type-1", "birthday"])
    let russian = TestProgram(portal, token: program.token, language: .russian)
    #expect(russian.post(path, "{}").contains("поле"))
  }

  @Test(arguments: [
    ("", 400), ("{", 400), ("{\"name\": \"a\", \"name\": \"b\"}", 400), ("[]", 422), ("null", 422),
    ("\"x\"", 422), ("{\"name\": null}", 422), ("{\"name\": \" \"}", 422),
    ("{\"name\": 1e309}", 422),
    ("{\"name\": \"a\\u0000b\"}", 422), ("{\"name\": \"x\", \"birthday\": \"\"}", 422),
    ("{\"name\": \"x\", \"birthday\": NaN}", 422), ("{\"name\": \"x\", \"methods\": {}}", 422),
  ]) func `an invalid body is refused, and nothing is stored`(_ body: String, _ status: Int) throws
  {
    #expect(program.post(path, body).status == status)
    #expect(try portal.count("SELECT count(*) FROM contacts") == 0)
  }

  @Test func `a contact is replaced or deleted only with its current ETag`() throws {
    let made = program.post(path, "{\"name\": \"Vera\", \"notes\": \"tall\"}")
    let contact = made.location
    #expect(program.get(contact).tag == made.tag && made.tag.hasPrefix("\""))
    #expect(program.send("PUT", contact, "{\"name\": \"x\"}").status == 428)
    let changed = program.put(contact, "{\"name\": \"Vera P.\"}", over: made.tag)
    #expect(changed.status == 200 && changed.tag != made.tag)
    #expect(try changed.json()["notes"]?.text == "")
    #expect(program.put(contact, "{\"name\": \"late\"}", over: made.tag).status == 412)
    #expect(program.put(contact, "{\"name\": \"weak\"}", over: "W/\(changed.tag)").status == 412)
    #expect(program.delete(contact, over: made.tag).status == 412)
    #expect(program.send("DELETE", contact).status == 428)
    #expect(program.delete(contact, over: "\"x\", \(changed.tag)").status == 204)
    #expect(program.get(contact).status == 404)
    #expect(anna.get("/account/deleted").hasRow("Vera P."))
  }

  @Test func `a returned contact can be sent back unchanged`() throws {
    let made = program.post(path, "{\"name\": \"Vera\", \"methods\": [{\"value\": \"1\"}]}")
    let again = program.put(made.location, made.body, over: made.tag)
    #expect(again.status == 200 && again.body == made.body && again.tag == made.tag)
  }

  @Test func `replacing a contact keeps the fields of another release`() throws {
    let made = program.post(path, "{\"name\": \"Vera\", \"methods\": [{\"value\": \"1\"}]}")
    let id = try #require(try made.json()["id"]?.text.flatMap(ID<Contact>.init))
    let keys = try portal.keys(of: anna)
    let later = try Later.unknown(by: keys)
    try portal.write { connection in
      var contact = try #require(try Contact.records.find(id, in: connection.with(keys)))
      contact.methods[0].unknown = later
      contact.unknown = later
      try Contact.records.replace(id, with: contact, in: connection.with(keys))
    }
    let tag = program.get(made.location).tag
    #expect(tag != made.tag)
    _ = program.put(
      made.location, "{\"name\": \"Vera\", \"methods\": [{\"value\": \"0\"}, {\"value\": \"1\"}]}",
      over: tag)
    let contact = try portal.read { try Contact.records.find(id, in: $0.with(keys)) }
    #expect(contact?.unknown == later)
    #expect(contact?.methods[1].unknown == later)
  }

  @Test func `a repeated idempotency key returns the first answer, even after a change`() throws {
    let body = "{\"name\": \"Vera\"}"
    let first = program.post(path, body, key: "k-1")
    _ = program.put(first.location, "{\"name\": \"Changed\"}", over: first.tag)
    let second = program.post(path, body, key: "k-1")
    #expect(second.status == 201 && second.body == first.body)
    #expect(second.location == first.location && second.tag == first.tag)
    let other = program.post(path, "{\"name\": \"Boris\"}", key: "k-1")
    #expect(other.status == 422)
    #expect(try other.errors() == ["Idempotency-Key"])
    #expect(try portal.count("SELECT count(*) FROM contacts") == 1)
    // A refused request is not stored, so that its key can be used again.
    #expect(program.post(path, "{}", key: "k-2").status == 422)
    #expect(program.post(path, body, key: "k-2").status == 201)
    #expect(program.post(path, body, key: "").status == 422)
    portal.now = portal.now + .hours(25)
    #expect(program.post(path, body, key: "k-1").location != first.location)
  }

  @Test func `the idempotency keys of different people are separate`() throws {
    let boris = try portal.register()
    let his = TestProgram(portal, token: try boris.makeToken(["contacts": "write"]))
    let first = program.post(path, "{\"name\": \"Vera\"}", key: "same")
    let second = his.post(path, "{\"name\": \"Vera\"}", key: "same")
    #expect(second.status == 201 && second.location != first.location)
  }

  @Test func `another person's contacts are not found`() throws {
    let boris = try portal.register()
    let his = TestProgram(portal, token: try boris.makeToken(["contacts": "write"]))
    let made = program.post(path, "{\"name\": \"Vera\"}")
    #expect(his.get(made.location).status == 404)
    #expect(his.put(made.location, "{\"name\": \"x\"}", over: made.tag).status == 404)
    #expect(his.delete(made.location, over: "*").status == 404)
    #expect(his.put(made.location, "{\"name\": \"x\"}", over: "*").status == 404)
    #expect(try his.get(path).json()["items"]?.count == 0)
    for id in ["0", "x", "01", "-1", "9999999999999999999", "1.0", "%31"] {
      #expect(his.get("\(path)/\(id)").status == 404)
    }
  }

  @Test func `no text of a program's request is readable in the database`() throws {
    _ = program.post(path, "{\"name\": \"Zebulon Quist\"}", key: "private-key-77")
    let bytes = String(decoding: try portal.storedBytes(), as: UTF8.self)
    for secret in ["Zebulon", "private-key-77", "Spreadsheet", String(program.token.suffix(43))] {
      #expect(!bytes.contains(secret))
    }
  }
}

/// A field of a later release.
private struct Later: Resealable {
  var drink = "tea"
  var unknown = Sealed.UnknownFields()

  static func unknown(by keys: Keys) throws -> Sealed.UnknownFields {
    let row = ID<Later>(1)
    let form = Form(Later(), .text(\.drink, "drink"))
    let sealed = try SealedColumn("later", form).seal(Later(), row: row, by: keys)
    return try SealedColumn("later", CommunicationMethod.form).open(sealed, row: row, by: keys)
      .unknown
  }
}
