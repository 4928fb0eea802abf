import PolyclinicCore
import PolyclinicTestDatabases
import Synchronization
import Testing

@testable import PolyclinicStore

@Suite struct PostgreSQLCatalogueTests {
  let fixture: ServerFixture
  var database: PostgreSQLDatabase { fixture.database }

  init() throws { fixture = try ServerFixture() }

  @Test func `both engines describe the same tables alike`() throws {
    let sqlite = try Fixture()
    let other = try sqlite.database()
    let more: [SQL] = [
      """
      CREATE TABLE visits (
        place TEXT NOT NULL, day \(.integer) NOT NULL, weight \(.real), sealed \(.bytes),
        note \(.integer) REFERENCES notes(id_note) ON DELETE CASCADE,
        PRIMARY KEY (day, place)) \(.strictByKey)
      """,
      """
      CREATE TABLE parts (
        day \(.integer), place TEXT, FOREIGN KEY (day, place) REFERENCES visits(day, place)
      ) \(.strict)
      """,
    ]
    for database in [other, database] as [any StoredDatabase] {
      _ = try database.write { connection in
        for statement in more { try connection.run(statement) }
      }
    }
    let tables = try database.read { try database.tables(on: $0) }
    #expect(tables.map(\.name) == ["names", "notes", "parts", "people", "visits"])
    #expect(tables.last?.key == ["day", "place"])
    #expect(tables[1].identity == "id_note")
    let expected = try other.read { try other.tables(on: $0) }
    #expect(tables.map(\.columns) == expected.map(\.columns))
    #expect(tables.map(\.key) == expected.map(\.key))
    #expect(tables.map(\.identity) == expected.map(\.identity))
    for (table, other) in zip(tables, expected) {
      #expect(Set(table.references.map(\.column)) == Set(other.references.map(\.column)))
      for reference in table.references { #expect(other.references.contains(reference)) }
    }
  }

  @Test func `a database without the portal's mark is refused, and one with tables not created`()
    throws
  {
    let address = try PostgreSQLTestServer.shared.get().newDatabase()
    #expect(kind { _ = try PostgreSQLDatabase.open(address) } == .missing)
    let new = try PostgreSQLDatabase.create(address)
    #expect(try new.read { try new.tables(on: $0) }.isEmpty)
    #expect(throws: DatabaseError.self) { try PostgreSQLDatabase.create(address) }
    new.close()
    #expect(throws: DatabaseError.self) { try new.names() }
    #expect(throws: Never.self) { try PostgreSQLDatabase.open(address) }
  }

  @Test func `of two processes one migrates at a time`() throws {
    let (database, address) = (database, fixture.address)
    try database.migrating(.untilItEnds) {
      try onThreads(1) { _ in
        let other = try PostgreSQLDatabase.open(address)
        #expect(kind { try other.migrating(.notAtAll) {} } == .busy)
      }
    }
    #expect(throws: Never.self) { try database.migrating(.notAtAll) {} }
    let inside = Atomic(0)
    try onThreads(4) { _ in
      let other = try PostgreSQLDatabase.open(address)
      try other.migrating(.untilItEnds) {
        #expect(inside.add(1, ordering: .relaxed).oldValue == 0)
        try other.write { _ = try $0.run("CREATE TABLE IF NOT EXISTS made (id \(.integer))") }
        inside.subtract(1, ordering: .relaxed)
      }
    }
  }

  @Test func `each migration runs once, and a broken one leaves nothing`() throws {
    let now = Instant(1_700_000_000)
    let first = Migration("0001-begin", "CREATE TABLE pets (id_pet \(.identity)) \(.strict)")
    let second = Migration("0002-add", "ALTER TABLE pets ADD COLUMN name TEXT")
    let migrator = Migrator(database, [("pets", [first, second])])
    try onThreads(4) { _ in _ = try migrator.migrate(at: now) }
    #expect(try migrator.pending() == [])
    let broken = Migration(
      "0003-broken", "CREATE TABLE half (x TEXT)", "CREATE TABLE pets (x TEXT)")
    #expect(throws: MigrationError.self) {
      try Migrator(database, [("pets", [first, second, broken])]).migrate(at: now)
    }
    #expect(throws: DatabaseError.self) { try database.read { try $0.run("SELECT x FROM half") } }
  }

  @Test func `a snapshot reads many rows in parts and is not limited in time`() throws {
    _ = try database.write {
      try $0.run("INSERT INTO names SELECT CAST(n AS TEXT) FROM generate_series(1, 120) AS n")
    }
    let database = database
    try database.snapshot { connection in
      var read = 0
      try connection.forEach("SELECT name FROM names WHERE name < \("b") ORDER BY name") { _ in
        read += 1
        if read == 1 { try onThreads(1) { _ in try database.add("a") } }
        if read.isMultiple(of: 40) {
          let all = try connection.rows("SELECT name FROM names") { $0.string(0) }
          #expect(all.count == 120)
        }
      }
      #expect(read == 120)
      #expect(kind { try connection.run("DELETE FROM names") } == .readOnly)
    }
    #expect(try database.names().count == 121)
  }

  @Test func `numbers of another database's rows are not assigned again`() throws {
    let database = database
    #expect(try database.read { try database.lastIdentities(on: $0) } == [:])
    try database.filling { connection in
      try connection.run("INSERT INTO people VALUES (7)")
      try database.raiseIdentities(["people": 9], on: connection)
      try database.raiseIdentities(["people": 3], on: connection)
    }
    #expect(try database.read { try database.lastIdentities(on: $0) } == ["people": 9])
    let next: ID<Note> = try database.write {
      try $0.insert("INSERT INTO people DEFAULT VALUES")
    }
    #expect(next == ID(10))
  }

  @Test func `no trigger runs while a database is filled`() throws {
    try database.write { connection in
      try connection.run(
        """
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'no'; END $$
        """)
      try connection.run(
        "CREATE TRIGGER refused BEFORE INSERT ON names FOR EACH ROW EXECUTE FUNCTION refuse()")
    }
    try database.filling { _ = try $0.run("INSERT INTO names VALUES ('a')") }
    #expect(throws: DatabaseError.self) { try database.add("b") }
    #expect(try database.names() == ["a"])
  }

  @Test func `a constraint that was not checked is a problem`() throws {
    #expect(try database.integrityProblems() == [])
    _ = try database.write {
      try $0.run("ALTER TABLE names ADD CONSTRAINT short CHECK (length(name) < 9) NOT VALID")
    }
    #expect(try database.integrityProblems() == ["the constraint short of names was not checked"])
  }

  @Test func `the condition names what a commit waits for and how texts are sorted`() throws {
    let condition = try database.condition()
    #expect(condition.comparesBytes)
    #expect(!condition.waitsForStandby)
    #expect(condition.time.seconds > 1_700_000_000)
  }

  @Test func `deleted rows are removed outside of transactions alone`() throws {
    try database.add("a")
    _ = try database.write { try $0.run("DELETE FROM names") }
    #expect(throws: Never.self) { try database.removeDeletedBytes() }
    try database.read { _ throws -> Void in
      #expect(throws: DatabaseError.self) { try database.removeDeletedBytes() }
    }
  }
}
