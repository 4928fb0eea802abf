import PolyclinicCore
import PolyclinicStore
import Testing

@Suite struct MigratorTests {
  let fixture: Fixture
  let database: SQLiteDatabase
  let now = Instant(1_700_000_000)

  let first = Migration(
    "0001-begin", "CREATE TABLE pets (id_pet \(.identity)) \(.strict)",
    "CREATE INDEX pets_by_id ON pets (id_pet)")
  let second = Migration("0002-add-name", "ALTER TABLE pets ADD COLUMN name TEXT")
  let third = Migration("0003-add-age", "ALTER TABLE pets ADD COLUMN age \(.integer)")

  init() throws {
    fixture = try Fixture()
    database = try fixture.database()
  }

  private func migrator(_ migrations: Migration...) -> Migrator {
    Migrator(database, [("pets", migrations)])
  }

  /// Returns the reason, module and name of the error that `body` throws, or nil.
  private func failure(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch let error as MigrationError {
      return "\(error.reason) \(error.module) \(error.name)"
    } catch {
      return "\(error)"
    }
  }

  @Test func `each migration runs once, in order, and is recorded`() throws {
    #expect(try migrator(first, second).pending().map(\.name) == ["0001-begin", "0002-add-name"])
    #expect(try migrator(first).migrate(at: now).map(\.name) == ["0001-begin"])
    #expect(try migrator(first, second).migrate(at: now).map(\.name) == ["0002-add-name"])
    #expect(try migrator(first, second).migrate(at: now) == [])
    #expect(try migrator(first, second).pending() == [])
    let recorded = try database.read { connection in
      try connection.rows("SELECT module, name, digest, applied_at FROM migrations") { row in
        #expect(row.bytes(2).count == 32)
        #expect(row.instant(3) == now)
        return row.string(0) + " " + row.string(1)
      }
    }
    #expect(recorded.sorted() == ["pets 0001-begin", "pets 0002-add-name"])
  }

  @Test func `the schema of another database is made by the migrations that it has`() throws {
    let other = try Fixture()
    defer { withExtendedLifetime(other) {} }
    let earlier = try other.database()
    try Migrator(earlier, [("pets", [first, second])]).migrate(at: now)
    let applied = try earlier.read { try Migrator.applied(on: $0) }
    let migrator = migrator(first, second, third)
    #expect(try migrator.pending(after: applied).map(\.name) == ["0003-add-age"])
    try migrator.migrate(as: applied, at: now)
    #expect(try database.read { try Migrator.applied(on: $0) } == applied)
    #expect(try migrator.migrate(at: now).map(\.name) == ["0003-add-age"])
    let changed = Migration("0001-begin", "CREATE TABLE pets (name TEXT) \(.strict)")
    #expect(
      failure { try self.migrator(changed).migrate(as: applied, at: now) }
        == "changed pets 0001-begin")
  }

  @Test func `modules migrate in the order of the list`() throws {
    let owner = Migration(
      "0001-begin", "CREATE TABLE vets (pet \(.integer) REFERENCES pets(id_pet)) \(.strict)")
    let ran = try Migrator(database, [("pets", [first, second]), ("vets", [owner])])
      .migrate(at: now)
    #expect(ran.map(\.description) == ["pets 0001-begin", "pets 0002-add-name", "vets 0001-begin"])
  }

  @Test func `a changed migration is refused with its name and the remedy`() throws {
    try migrator(first).migrate(at: now)
    let changed = Migration("0001-begin", "CREATE TABLE pets (id_pet \(.integer)) \(.strict)")
    #expect(failure { _ = try migrator(changed, second).pending() } == "changed pets 0001-begin")
    let error = #expect(throws: MigrationError.self) {
      try migrator(changed, second).migrate(at: now)
    }
    #expect(error?.sentence(isAppendOnly: true).contains("new migration") == true)
    #expect(error?.sentence(isAppendOnly: false).contains("schema of an earlier program") == true)
  }

  @Test func `a database without the first migration is refused as that of an earlier program`()
    throws
  {
    let former = Migration("0000-former", "CREATE TABLE old_pets (id_pet \(.identity)) \(.strict)")
    try migrator(former).migrate(at: now)
    for call in [{ try $0.pending() }, { try $0.migrate(at: now) }] as [(Migrator) throws -> Any] {
      let error = #expect(throws: MigrationError.self) { _ = try call(migrator(first, second)) }
      #expect(
        error?.description == """
          the database has the schema of an earlier program (migration 0000-former of module pets), which \
          this release does not convert: let each person download their data with that program \
          (/account/export), or start anew with an empty data directory
          """)
    }
    #expect(throws: DatabaseError.self) { try database.read { try $0.run("SELECT * FROM pets") } }
  }

  @Test func `applied migrations of a newer release are accepted`() throws {
    try migrator(first, second, third).migrate(at: now)
    #expect(try migrator(first, second).migrate(at: now) == [])
    #expect(try Migrator(database, []).migrate(at: now) == [])
  }

  @Test func `removing an applied migration from between others is refused`() throws {
    try migrator(first, second, third).migrate(at: now)
    #expect(failure { _ = try migrator(first, third).pending() } == "removed pets 0002-add-name")
  }

  @Test func `duplicate and out-of-order migrations are refused`() throws {
    #expect(failure { _ = try migrator(first, first).pending() } == "duplicate pets 0001-begin")
    #expect(failure { _ = try migrator(second, first).pending() } == "outOfOrder pets 0001-begin")
    let twice = Migrator(database, [("pets", [first]), ("pets", [second])])
    #expect(failure { _ = try twice.pending() } == "duplicate pets ")
    try migrator(first, third).migrate(at: now)
    #expect(
      failure { try migrator(first, second, third).migrate(at: now) }
        == "outOfOrder pets 0002-add-name")
  }

  @Test func `a failing migration is rolled back, and earlier ones are kept`() throws {
    let broken = Migration(
      "0002-broken", "CREATE TABLE half (x TEXT)", "CREATE TABLE pets (x TEXT)")
    let error = #expect(throws: MigrationError.self) {
      try migrator(first, broken).migrate(at: now)
    }
    #expect(error?.name == "0002-broken")
    #expect(try migrator(first, second).migrate(at: now).map(\.name) == ["0002-add-name"])
    #expect(throws: DatabaseError.self) { try database.read { try $0.run("SELECT x FROM half") } }
  }

  @Test func `concurrent calls apply each migration once`() throws {
    let migrator = migrator(first, second, third)
    let now = now
    try onThreads(4) { _ in _ = try migrator.migrate(at: now) }
    #expect(try migrator.pending() == [])
  }
}
