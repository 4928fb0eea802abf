import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import PolyclinicVault
@testable import PolyclinicWeb

/// Migration from the release without sealed accounts, while its workers still run.
@Suite struct AccountSealingTests {
  private let portal: TestPortal
  private let anna: TestVisitor
  private let person: ID<Person>

  init() throws {
    portal = try TestPortal()
    anna = try portal.register(login: "anna")
    person = try portal.person(of: anna)
    let vault = try portal.vault
    let wrapped = try portal.ring.wrap(
      vault.lookupKey, binding: Vault.lookupBinding(vault.installation))
    try portal.database.write { connection in
      try connection.run(
        "UPDATE installation SET value = \(wrapped) WHERE name = 'lookup-key'")
      try connection.run("UPDATE accounts SET seal = NULL")
    }
  }

  private func change(_ statement: SQL) throws {
    _ = try portal.database.write { try $0.run(statement) }
  }

  private func signIn() throws -> Int { try portal.visitor().signIn("anna").status }

  private func seal() throws -> Instant {
    let vault = try portal.vault
    return try AccountSealing(database: portal.database, vault: vault).run(at: portal.now)
  }

  @Test func `during the migration, unsealed accounts sign in and keep their sessions`() throws {
    #expect(anna.get("/account").status == 200)
    #expect(try signIn() == 303)
    #expect(try portal.problems() == [])
  }

  @Test func `a sealed account changed by a worker of the old release still signs in`() throws {
    _ = anna.press("/language", on: "/", ["language": "ru"])
    try portal.grant(.doctor, to: "anna")
    try change("UPDATE accounts SET roles = 'doctor,patient,receptionist'")
    #expect(try signIn() == 303)
    #expect(anna.get("/account").status == 200)
  }

  @Test func `accounts are sealed a day after the migration, then seals are required`() throws {
    let due = try seal()
    #expect(due == TestPortal.start + Migration.transition)
    #expect(try portal.vault.acceptsUnsealed(on: portal))
    portal.now = due
    _ = try seal()
    #expect(try !portal.vault.acceptsUnsealed(on: portal))
    #expect(try signIn() == 303)
    #expect(try portal.problems() == [])
    try change("UPDATE accounts SET seal = NULL")
    #expect(try signIn() == 422)
  }

  @Test func `the record that all accounts are sealed cannot be forged or deleted`() throws {
    portal.now = try seal()
    _ = try seal()
    let marked = try portal.database.read {
      try $0.row("SELECT value FROM installation WHERE name = 'lookup-key'") { $0.bytes(0) }
    }
    var forged = try #require(marked)
    forged[5] ^= 1
    try change("UPDATE installation SET value = \(forged) WHERE name = 'lookup-key'")
    try change("UPDATE accounts SET seal = NULL")
    #expect(try signIn() == 422)
    try change("DELETE FROM installation WHERE name = 'lookup-key'")
    #expect(try signIn() == 422)
    try change("UPDATE installation SET value = \(forged) WHERE name = 'lookup-key'")
    #expect(throws: (any Error).self) { try portal.vault }
  }

  @Test func `a new installation requires seals from the first account`() throws {
    let portal = try TestPortal()
    #expect(try !portal.vault.acceptsUnsealed(on: portal))
  }
}

extension Vault {
  fileprivate func acceptsUnsealed(on portal: TestPortal) throws -> Bool {
    try portal.database.read { try acceptsUnsealed(on: $0) }
  }
}
