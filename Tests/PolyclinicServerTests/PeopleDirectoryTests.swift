import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import PolyclinicServer

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

  /// The keys of a person whom the desk has entered.
  private func entered() throws -> Keys {
    let answer = try desk.submit("/reception/new", vera)
    let id = try #require(ID<Person>(String(answer.location.split(separator: "/").last ?? "")))
    let vault = try portal.vault
    return try #require(try portal.database.read { try KeyCabinet(vault).keys(of: id, on: $0) })
  }

  @Test func `a receptionist finds somebody by the whole login or e-mail`() throws {
    let anna = try portal.register(login: "anna")
    let id = try portal.person(of: anna).description
    for typed in ["anna", "ANNA", "anna@example.org"] {
      #expect(desk.get("/reception/find?q=\(typed)").body == id)
    }
    for typed in ["ann", "anna@", "example.org", "%25", ""] {
      #expect(desk.get("/reception/find?q=\(typed)").body == "nobody")
    }
  }

  @Test func `an e-mail that serves several finds nobody`() throws {
    _ = try portal.register(login: "anna", ["email": "family@example.org"])
    _ = try portal.register(login: "boris", ["email": "family@example.org"])
    #expect(desk.get("/reception/find?q=family@example.org").body == "nobody")
  }

  @Test func `only who works at the desk finds and enters people`() throws {
    for visitor in [try portal.register(), try portal.doctor(), try portal.administrator()] {
      #expect(visitor.get("/reception/find?q=\(visitor.login)").status == 403)
      #expect(try visitor.submit("/reception/new", vera).status == 403)
    }
    #expect(try portal.visitor().submit("/reception/new", vera).status == 401)
  }

  @Test func `by somebody's keys one learns where that person lives`() throws {
    let keys = try portal.keys(of: try portal.register())
    let vault = try portal.vault
    let people = AccountDirectory(
      vault: vault, cabinet: KeyCabinet(vault), clock: { TestPortal.start }, zone: .utc)
    let address = try portal.database.read { try people.address(by: keys, on: $0) }
    #expect(address?.city == "Minsk")
    #expect(address?.country == "BY")
  }

  @Test func `somebody entered at the desk has a sealed profile and no account`() throws {
    let keys = try entered()
    let profile = try portal.database.read { try Profile.find(by: keys, on: $0) }
    #expect(profile?.displayName == "Vera Walk-In")
    #expect(profile?.phone == "+44 20 7946 0000")
    #expect(profile?.birthDate == CalendarDate(year: 1950, month: 2, day: 3))
    let rows = try portal.rowCounts()
    #expect(rows["people"] == 2 && rows["accounts"] == 1)
    #expect(desk.get("/reception/language/\(keys.person)").body == "none")
    #expect(desk.get("/reception/language/\(try portal.person(of: desk))").body == "en")
    #expect(!String(decoding: try portal.storedBytes(), as: UTF8.self).contains("Walk-In"))
  }

  @Test func `who entered somebody stands in that person's log and in the audit`() throws {
    let keys = try entered()
    let changes = try portal.database.read { try ChangeLog.entries(by: keys, on: $0) }
    #expect(changes.map(\.author) == ["Rosa Desk"])
    #expect(
      changes.map(\.role) == ["receptionist"] && changes.map(\.change.key) == ["access.entered"])
    let audit = try portal.administrator().get("/admin/audit")
    #expect(audit.contains("Person entered without an account") && audit.contains("Vera Walk-In"))
  }

  @Test(arguments: [("name", " "), ("birth_date", "2026-05-05")])
  func `what cannot be is told at its field`(field: String, value: String) throws {
    var fields = vera
    fields[field] = value
    let page = try desk.submit("/reception/new", fields)
    #expect(page.status == 422 && page.contains("id=\"\(field)-error\""))
    #expect(try portal.rowCounts()["people"] == 1)
  }

  @Test func `administrators choose among the active doctors by name, who read of it`() throws {
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
    #expect(adam.get("/account/access-log").contains("looking after accounts"))
    #expect(desk.get("/reception/doctors").status == 403)
  }
}
