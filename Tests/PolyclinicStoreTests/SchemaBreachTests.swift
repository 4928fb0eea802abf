import PolyclinicCore
import PolyclinicStore
import Testing

/// Schema changes that break a release written for the earlier schema.
@Suite struct SchemaBreachTests {
  /// Returns the breaches that `statements` cause in the schema of an earlier release.
  private func breaches(by statements: SQL...) throws -> [String] {
    let fixture = try Fixture()
    let database = try fixture.database()
    try database.write { connection in
      try connection.run(
        """
        CREATE TABLE visits (
          id_visit \(.identity), person \(.person), room TEXT NOT NULL DEFAULT 'A',
          note TEXT, UNIQUE (person, room), CHECK (room <> '(')
        ) \(.strict)
        """)
      try connection.run(
        "CREATE TRIGGER visits_named AFTER INSERT ON visits BEGIN DELETE FROM names; END")
      try connection.run("CREATE TABLE loose (word TEXT)")
    }
    let before = try database.read { try Schema(on: $0) }
    try database.write { for statement in statements { try $0.run(statement) } }
    return before.breaches(after: try database.read { try Schema(on: $0) })
  }

  @Test func `added columns, indexes and tables are not a breach`() throws {
    #expect(
      try breaches(
        by: "ALTER TABLE visits ADD COLUMN colour TEXT",
        "ALTER TABLE visits ADD COLUMN floor \(.integer) NOT NULL DEFAULT 0",
        "ALTER TABLE visits ADD COLUMN doctor \(.actor)",
        "CREATE INDEX visits_by_room ON visits (room)",
        "CREATE TABLE rooms (id_room \(.identity), visit \(.person)) \(.strict)",
        "CREATE UNIQUE INDEX rooms_once ON rooms (visit)",
        "CREATE TABLE corridors (id_corridor INTEGER REFERENCES rooms (id_room))") == [])
  }

  @Test func `a dropped or renamed table, column or trigger is a breach`() throws {
    #expect(try breaches(by: "DROP TABLE names") == ["table names is gone"])
    #expect(try breaches(by: "ALTER TABLE loose RENAME TO words") == ["table loose is gone"])
    #expect(
      try breaches(by: "ALTER TABLE visits DROP COLUMN note") == ["column visits.note is gone"])
    #expect(
      try breaches(by: "ALTER TABLE visits RENAME COLUMN note TO remark")
        == ["column visits.note is gone"])
    #expect(
      try breaches(by: "DROP TRIGGER visits_named")
        == ["trigger visits_named of table visits is gone or another"])
  }

  @Test func `a new constraint that can refuse accepted rows or deletions is a breach`() throws {
    #expect(
      try breaches(by: "CREATE UNIQUE INDEX visits_once ON visits (note)")
        == ["table visits has a new unique key (note)"])
    #expect(
      try breaches(by: "CREATE UNIQUE INDEX visits_once ON visits (note) WHERE room = 'B'")
        == ["table visits has a new unique key (note) WHERE room = 'B'"])
    #expect(
      try breaches(by: "ALTER TABLE visits ADD COLUMN age \(.integer) CHECK (age > (0))")
        == ["table visits has a new CHECK (age > (0))"])
    #expect(
      try breaches(
        by: "CREATE TRIGGER visits_kept BEFORE DELETE ON visits BEGIN SELECT RAISE(ABORT, ''); END")
        == ["table visits has a new trigger visits_kept"])
    #expect(
      try breaches(
        by: "CREATE TABLE bills (id_bill \(.identity), visit INTEGER REFERENCES visits (id_visit))")
        == [
          "table bills keeps rows from being deleted by its foreign key (visit) to visits, "
            + "ON DELETE NO ACTION"
        ])
    #expect(
      try breaches(
        by: "ALTER TABLE visits ADD COLUMN earlier INTEGER REFERENCES visits (id_visit)")
        == [
          "table visits keeps rows from being deleted by its foreign key (earlier) to visits, "
            + "ON DELETE NO ACTION"
        ])
  }

  /// The tables are dropped and created again, because ALTER TABLE cannot make these changes.
  @Test func `a recreated table with other columns, keys or types is a breach`() throws {
    func remade(_ table: SQL) throws -> [String] {
      try breaches(by: "DROP TABLE loose", table)
    }
    #expect(try remade("CREATE TABLE loose (word TEXT)") == [])
    #expect(
      try remade("CREATE TABLE loose (word TEXT) \(.strict)") == ["table loose has become STRICT"])
    #expect(
      try remade("CREATE TABLE loose (word \(.bytes))") == ["column loose.word has another type"])
    #expect(
      try remade("CREATE TABLE loose (word TEXT NOT NULL)")
        == ["column loose.word has become NOT NULL"])
    #expect(
      try remade("CREATE TABLE loose (word TEXT, other TEXT NOT NULL)")
        == ["column loose.other is new, NOT NULL, and has no default"])
    #expect(
      try remade("CREATE TABLE loose (word TEXT DEFAULT 'a')")
        == ["column loose.word has another default"])
    #expect(
      try remade("CREATE TABLE loose (word TEXT PRIMARY KEY)")
        == ["column loose.word has another place in the primary key"])
    #expect(
      try remade("CREATE TABLE loose (word TEXT REFERENCES names (name) ON DELETE CASCADE)")
        == ["table loose has a new foreign key (word) to names, ON DELETE CASCADE"])
    #expect(
      try breaches(by: "DROP TABLE names", "CREATE TABLE names (name TEXT NOT NULL) \(.strict)")
        == ["table names lacks the unique key (name)"])
    #expect(
      try breaches(
        by: "DROP TABLE notes",
        """
        CREATE TABLE notes (
          id_note \(.identity), person INTEGER NOT NULL, author \(.actor), body TEXT
        ) \(.strict)
        """)
        == [
          "column notes.body may be NULL now",
          "table notes lacks the foreign key (person) to people, ON DELETE CASCADE",
        ])
    #expect(
      try remade("CREATE TABLE loose (other TEXT, word TEXT GENERATED ALWAYS AS (other) STORED)")
        == ["column loose.word is computed otherwise"])
  }
}
