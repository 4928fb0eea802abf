import Foundation
import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicPortal
@testable import PolyclinicServer
@testable import PolyclinicSystem
@testable import PolyclinicVault
@testable import PolyclinicWeb

@Suite struct UserCommandTests {
  let portal: TestPortal
  let commands: UserCommands
  let log: ErasureLog

  init() throws {
    let portal = try TestPortal()
    commands = try portal.userCommands()
    log = ErasureLog(directory: portal.directory)
    self.portal = portal
  }

  @Test func `an account is added with a link that sets its password`() throws {
    let lines = try commands.add("vera", role: .administrator, password: .link)
    #expect(lines.first == "vera was added as administrator.")
    let link = try #require(lines.last).dropFirst("https://clinic.example".count)
    let vera = portal.visitor()
    let password = TestVisitor.password
    let answer = try vera.submit(
      String(link), ["password": password, "password_confirm": password])
    #expect(answer.status == 303)
    #expect(vera.get("/admin").status == 200)
    #expect(vera.get("/account").fact("Name") == "vera")
  }

  @Test func `an account is added with a password from the standard input`() throws {
    #expect(throws: Command.Failure.self) {
      try commands.add("vera", role: .doctor, password: .given("short"))
    }
    let lines = try commands.add("vera", role: .doctor, password: .given(TestVisitor.password))
    #expect(lines == ["vera was added as doctor."])
    #expect(try portal.visitor().signIn("vera").status == 303)
  }

  @Test(arguments: ["", "a b", "vera@example.org", "\u{1B}[2J", String(repeating: "a", count: 65)])
  func `an invalid login is refused`(login: String) throws {
    #expect(throws: Command.Failure.self) {
      try commands.add(login, role: .doctor, password: .link)
    }
  }

  @Test func `a login that differs only in letter case is refused`() throws {
    _ = try portal.register(login: "vera")
    #expect(throws: Command.Failure("Somebody has this login already. Choose another one.")) {
      try commands.add("VERA", role: .doctor, password: .link)
    }
  }

  @Test func `the list shows the roles, states and requested roles of people`() throws {
    #expect(try commands.list() == ["Nobody has an account yet."])
    _ = try portal.administrator()
    _ = try portal.register(login: "vera", ["role": "doctor"])
    let lines = try commands.list()
    #expect(lines.count == 3)
    #expect(lines[1].contains("Anna Petrova  patient administrator  active"))
    #expect(lines[2].hasPrefix("vera"))
    #expect(lines[2].hasSuffix("active, wants to be doctor"))
  }

  @Test func `approving, giving and taking roles work and are audited`() throws {
    _ = try portal.administrator()
    _ = try portal.register(login: "vera", ["role": "doctor"])
    _ = try commands.approve("vera")
    #expect(throws: Command.Failure.self) { try commands.approve("vera") }
    _ = try commands.give(.receptionist, to: "vera")
    _ = try commands.take(.doctor, from: "vera")
    #expect(try commands.list().contains { $0.contains("patient receptionist") })
    #expect(throws: Command.Failure.self) { try commands.give(.doctor, to: "nobody") }
    let actions = try portal.database.read { connection in
      try connection.rows("SELECT action, origin FROM audit ORDER BY id_audit") {
        "\($0.string(0)) \($0.string(1))"
      }
    }
    #expect(actions == ["approve command-line", "give command-line", "take command-line"])
  }

  @Test func `every role except patient can be given and taken`() {
    #expect(
      UserCommands.GrantedRole.allCases.map(\.role) == Role.allCases.filter { $0 != .patient })
    #expect(UserCommands.GrantedRole(rawValue: "patient") == nil)
  }

  @Test func `a new reset link invalidates the earlier one`() throws {
    _ = try portal.register(login: "vera")
    let links = try (0..<2).map { _ in
      String(try #require(commands.reset("vera").last).dropFirst("https://clinic.example".count))
    }
    #expect(portal.visitor().get(links[0]).status == 410)
    #expect(portal.visitor().get(links[1]).status == 200)
  }

  @Test func `the last administrator can neither lose the role nor be erased`() throws {
    let administrator = try portal.administrator()
    let login = administrator.login
    #expect(throws: Command.Failure.self) { try commands.take(.administrator, from: login) }
    #expect(throws: Command.Failure.self) { try erase(login) }
    #expect(administrator.get("/admin").status == 200)
    #expect(try loggedErasures() == [])
  }

  @Test func `erasing a person leaves no row that refers to them`() throws {
    let administrator = try portal.administrator()
    let tables = StoredTables(portal: portal)
    let before = try portal.rowCounts()
    let vera = try portal.register(login: "vera")
    let person = try portal.keys(of: vera).person
    let page = try portal.path(of: vera)
    _ = administrator.press("\(page)/give", on: page, ["role": "receptionist"])
    _ = administrator.press("\(page)/link", on: page)
    _ = try vera.signIn("vera")
    let loginHash = Account.loginHash("vera", commands.vault)
    #expect(try tables.names(referringTo: person).contains("audit"))
    #expect(try erase("vera") != [])
    #expect(try tables.names(referringTo: person) == [])
    #expect(try tables.names(holding: loginHash) == [])
    let after = try portal.rowCounts()
    let remaining = after.filter { before[$0.key] != $0.value }.keys.sorted()
    #expect(remaining == ["answered_forms", "audit", "erasures"])
    #expect(vera.get("/account").status == 303)
  }

  @Test func `an erasure stores its id in the database and beside the backups`() throws {
    _ = try portal.administrator()
    let vera = try portal.register(login: "vera")
    let person = try portal.keys(of: vera).person
    let id = try portal.database.read { connection in
      try connection.row("SELECT erasure_id FROM people WHERE id_person = \(person)") {
        $0.bytes(0)
      }
    }
    var checkpoints = 0
    _ = try commands.erase("vera", by: portal.erasure { checkpoints += 1 })
    #expect(checkpoints == 1)
    let kept = try portal.database.read { connection in
      try connection.rows("SELECT erasure_id FROM erasures") { $0.bytes(0) }
    }
    #expect(kept == [try #require(id)])
    #expect(try loggedErasures() == kept.map(\.hexadecimalText))
  }

  @Test func `an erasure fails if the erasure log cannot be written`() throws {
    _ = try portal.administrator()
    _ = try portal.register(login: "vera")
    let missing = portal.directory + "/missing/backups"
    #expect(throws: Command.Failure.self) {
      try commands.erase("vera", by: portal.erasure(backups: missing))
    }
    #expect(try portal.visitor().signIn("vera").status == 303)
  }

  @Test func `repeating an interrupted erasure completes its checkpoint and log`() throws {
    _ = try portal.administrator()
    _ = try portal.register(login: "vera")
    #expect(throws: Command.Failure.self) {
      try commands.erase(
        "vera", by: portal.erasure { throw DatabaseError(.busy, code: 5, detail: "checkpoint") })
    }
    #expect(unlink(portal.directory + "/" + ErasureLog.name) == 0)
    var checkpoints = 0
    #expect(throws: Command.Failure.self) {
      try commands.erase("vera", by: portal.erasure { checkpoints += 1 })
    }
    #expect(checkpoints == 1)
    #expect(try loggedErasures().count == 1)
  }

  @Test func `a truncated line in the erasure log does not damage the next one`() throws {
    try Data("0123".utf8).write(to: URL(filePath: portal.directory + "/" + ErasureLog.name))
    try log.append([[0xAB, 0xCD]])
    try log.append([[0xAB, 0xCD], [0xEF]])
    #expect(try loggedErasures() == ["0123", "abcd", "ef"])
  }

  @Test func `a printed table contains no terminal control characters`() {
    #expect(
      TextTable([["a\u{1B}[2J", "b"], ["long", "\u{202E}c"]]).lines == ["a[2J  b", "long  c"])
  }
}

extension UserCommandTests {
  private func erase(_ login: String) throws -> [String] {
    try commands.erase(
      login, by: portal.erasure { try portal.database.removeDeletedBytes(for: .command) })
  }

  private func loggedErasures() throws -> [String] {
    let path = portal.directory + "/" + ErasureLog.name
    guard let data = FileManager.default.contents(atPath: path) else { return [] }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
