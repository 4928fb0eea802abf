import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicServer
@testable import PolyclinicWeb

@Suite struct PeopleDirectoryTests {
  private let portal: TestPortal
  private let desk: TestVisitor

  init() throws {
    portal = try TestPortal(ReceptionModule())
    desk = try portal.receptionist(["name": "Rosa", "surname": "Desk"])
  }

  private let vera = [
    "name": "Vera", "surname": "Walk-In", "phone": "+44 20 7946 0000", "birth_date": "1950-02-03",
  ]

  /// Enters a person at reception and returns their keys.
  private func entered() throws -> Keys {
    let answer = try desk.submit("/reception/new", vera)
    let id = try #require(ID<Person>(String(answer.location.split(separator: "/").last ?? "")))
    let vault = try portal.vault
    return try #require(
      try portal.read { try KeyStore(vault).unloggedKeys(of: id, on: $0) })
  }

  @Test func `a receptionist finds people only by their full login or e-mail`() throws {
    let anna = try portal.register(login: "anna")
    let id = try portal.person(of: anna).description
    for typed in ["anna", "ANNA", "anna@example.org"] {
      #expect(desk.get("/reception/find?q=\(typed)").body == id)
    }
    for typed in ["ann", "anna@", "example.org", "%25", ""] {
      #expect(desk.get("/reception/find?q=\(typed)").body == "nobody")
    }
  }

  @Test func `an e-mail shared by several people finds none of them`() throws {
    _ = try portal.register(login: "anna", ["email": "family@example.org"])
    _ = try portal.register(login: "boris", ["email": "family@example.org"])
    #expect(desk.get("/reception/find?q=family@example.org").body == "nobody")
  }

  @Test func `only receptionists can find and enter people`() throws {
    for visitor in [try portal.register(), try portal.doctor(), try portal.administrator()] {
      #expect(visitor.get("/reception/find?q=\(visitor.login)").status == 403)
      #expect(try visitor.submit("/reception/new", vera).status == 403)
    }
    #expect(try portal.visitor().submit("/reception/new", vera).status == 401)
  }

  @Test func `a person's address is read with their keys`() throws {
    let keys = try portal.keys(of: try portal.register())
    let vault = try portal.vault
    let people = AccountDirectory(
      vault: vault, keyStore: KeyStore(vault), zone: .utc)
    let address = try portal.read { try people.address(in: $0.with(keys)) }
    #expect(address?.city == "Minsk")
    #expect(address?.country == "BY")
  }

  @Test func `a person entered at reception has a sealed profile and no account`() throws {
    let keys = try entered()
    let profile = try portal.read { try Profile.find(in: $0.with(keys)) }
    #expect(profile?.displayName == "Vera Walk-In")
    #expect(profile?.phone == "+44 20 7946 0000")
    #expect(profile?.birthDate == CalendarDate(year: 1950, month: 2, day: 3))
    let rows = try portal.rowCounts()
    #expect(rows["people"] == 2 && rows["accounts"] == 1)
    #expect(desk.get("/reception/language/\(keys.person)").body == "none")
    #expect(desk.get("/reception/language/\(try portal.person(of: desk))").body == "en")
    #expect(!String(decoding: try portal.storedBytes(), as: UTF8.self).contains("Walk-In"))
  }

  @Test func `an account that has chosen no language has the clinic's`() throws {
    _ = try portal.userCommands().add("zoe", role: .patient, password: .given(TestVisitor.password))
    let zoe = portal.visitor(language: .russian)
    #expect(try zoe.signIn("zoe").status == 303)
    #expect(desk.get("/reception/language/\(try portal.person(of: zoe))").body == "en")
  }

  @Test func `entering a person is recorded in the person's log and in the audit`() throws {
    let keys = try entered()
    let changes = try portal.read { try AccessLog.entries(by: keys, on: $0) }
      .filter(\.isChange)
    #expect(changes.map(\.name) == ["Rosa Desk"] && changes.map(\.role) == ["receptionist"])
    #expect(changes.map(\.what.key) == ["access.entered"])
    let audit = try portal.administrator().get("/admin/audit")
    #expect(audit.hasRow("Person registered without an account") && audit.hasRow("Vera Walk-In"))
  }

  @Test(arguments: [("name", " "), ("birth_date", "2026-05-05")])
  func `an invalid field is refused with 422 and an error at the field`(
    field: String, value: String
  ) throws {
    var fields = vera
    fields[field] = value
    let page = try desk.submit("/reception/new", fields)
    #expect(page.refuses(field))
    #expect(try portal.rowCounts()["people"] == 1)
  }

  @Test func `administrators list active doctors by name, which the access log shows`() throws {
    let chief = try portal.administrator()
    let zoe = try portal.doctor(["name": "Zoe"])
    let adam = try portal.doctor(["name": "Adam"])
    let gone = try portal.doctor(["name": "Gone"])
    let id = try portal.person(of: gone)
    _ = try chief.submit("/admin/people/\(id)/suspend", [:])
    #expect(
      chief.get("/reception/doctors").body.split(separator: "\n")
        == [
          "\(try portal.person(of: adam)) Adam Petrova",
          "\(try portal.person(of: zoe)) Zoe Petrova",
        ])
    #expect(adam.get("/account/access-log").hasRow("managing accounts"))
    #expect(desk.get("/reception/doctors").status == 403)
  }
}
