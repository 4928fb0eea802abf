import PolyclinicCore
import PolyclinicStore
import PolyclinicSystem
import PolyclinicTestDatabases
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicServer

@Suite struct DatabaseMoveTests {
  private func empty() throws -> any StoredDatabase {
    try PostgreSQLDatabase.create(PostgreSQLTestServer.shared.get().newDatabase())
  }

  private func move(
    _ portal: TestPortal, from source: (any StoredDatabase)? = nil, to target: any StoredDatabase
  ) throws -> DatabaseMove {
    let local = try ScratchInstallation(directory: portal.directory).localInstallation(
      KeeperModule())
    return DatabaseMove(
      source: source ?? portal.database, target: target,
      installation: try local.builder().installation(),
      exceptions: DatabaseMove.technicalTables)
  }

  private func people(_ database: any StoredDatabase) throws -> Int {
    try database.read { try $0.integer("SELECT count(*) FROM people") ?? 0 }
  }

  @Test func `a moved portal has all rows in the other database, and counts on from there`() throws
  {
    let portal = try TestPortal(KeeperModule())
    _ = try portal.register()
    _ = try portal.register()
    let server = try empty()
    defer { server.close() }
    let there = try move(portal, to: server).run(at: portal.now)
    #expect(there.rows > there.found)
    #expect(try people(server) == 2)

    let back = try SQLiteDatabase.create(FilePath.join(portal.directory, "back.sqlite"))
    defer { back.close() }
    let returned = try move(portal, from: server, to: back).run(at: portal.now)
    #expect(returned == there)
    let (first, second) = (portal.database, back)
    #expect(
      try first.read { try first.lastIdentities(on: $0) }
        == second.read { try second.lastIdentities(on: $0) })
  }

  @Test func `a moved database refuses changes, and the portal still shows its pages`() throws {
    let portal = try TestPortal(KeeperModule())
    let visitor = try portal.register()
    let server = try empty()
    defer { server.close() }
    _ = try move(portal, to: server).run(at: portal.now)
    #expect(try portal.database.refusesWrites())
    #expect(visitor.get("/account").status == 200)
    let refused = try portal.visitor().submit(
      "/register", TestVisitor.registration(login: "late"))
    #expect(refused.status == 503)
    #expect(try !server.refusesWrites())
  }

  @Test func `a move that was interrupted goes on with the tables that are left`() throws {
    let portal = try TestPortal(KeeperModule())
    _ = try portal.register()
    let server = try empty()
    defer { server.close() }
    _ = try move(portal, to: server).run(at: portal.now)
    // As it was before the last table: closed, and without its rows.
    _ = try server.write { try $0.run("DELETE FROM sessions") }
    try server.refuseWrites()
    let again = try move(portal, to: server).run(at: portal.now)
    #expect(again.found > 0 && again.found < again.rows)
    #expect(try people(server) == 1)
    #expect(try move(portal, to: server).run(at: portal.now).found == again.rows)
  }

  @Test func `rows of another portal are not replaced`() throws {
    let portal = try TestPortal(KeeperModule())
    let other = try TestPortal(KeeperModule())
    _ = try other.register()
    #expect(throws: MoveError.targetInUse) {
      try move(portal, to: other.database).run(at: portal.now)
    }
    #expect(try !portal.database.refusesWrites())
    #expect(try people(other.database) == 1)
  }

  @Test func `later changes in the other database are not replaced`() throws {
    let portal = try TestPortal(KeeperModule())
    _ = try portal.register()
    let server = try empty()
    defer { server.close() }
    _ = try move(portal, to: server).run(at: portal.now)
    _ = try server.write { try $0.run("DELETE FROM sessions") }
    #expect(throws: MoveError.targetInUse) { try move(portal, to: server).run(at: portal.now) }
  }

  @Test func `a move that fails lets the portal save again`() throws {
    let portal = try TestPortal(KeeperModule())
    _ = try portal.register()
    let server = try empty()
    defer { server.close() }
    _ = try server.write { try $0.run("CREATE TABLE people (id_person \(.identity)) \(.strict)") }
    #expect(throws: (any Error).self) { try move(portal, to: server).run(at: portal.now) }
    #expect(try !portal.database.refusesWrites())
  }
}
