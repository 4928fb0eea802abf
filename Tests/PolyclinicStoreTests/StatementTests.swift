import PolyclinicCore
import PolyclinicStore
import Testing

@Suite struct StatementTests {
  @Test(arguments: Engine.allCases)
  func `a statement can run again while its own rows are read`(_ engine: Engine) throws {
    try engine.withDatabase { database in
      for name in ["a", "b", "c"] { try database.add(name) }
      func all(_ connection: Connection, depth: Int) throws -> [String] {
        try connection.rows("SELECT name FROM names ORDER BY name") { row in
          let below = depth > 0 ? try all(connection, depth: depth - 1) : []
          #expect(depth == 0 || below.count == 3)
          return row.string(0)
        }
      }
      #expect(try database.read { try all($0, depth: 2) } == ["a", "b", "c"])
    }
  }

  @Test func `a statement keeps returning rows while others fill the cache`() throws {
    let fixture = try Fixture()
    let database = try fixture.database()
    for name in ["a", "b"] { try database.add(name) }
    let read = try database.write { connection in
      try connection.rows("SELECT name FROM names WHERE name < \("d") ORDER BY name") { row in
        for columns in 1...300 {
          var many: SQL = "SELECT 0"
          for column in 1...columns { many = "\(many), \(column)" }
          try #require(connection.integer(many) == 0)
        }
        return row.string(0)
      }
    }
    #expect(read == ["a", "b"])
  }

  @Test(arguments: Engine.allCases)
  func `an error in the row closure is rethrown, and the statement can run again`(_ engine: Engine)
    throws
  {
    try engine.withDatabase { database in
      struct Stop: Error {}
      try database.add("a")
      try database.read { connection in
        #expect(throws: Stop.self) {
          try connection.rows("SELECT name FROM names") { _ in throw Stop() }
        }
        let names = try connection.rows("SELECT name FROM names") { $0.string(0) }
        #expect(names == ["a"])
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `a statement prepared before a schema change returns the new columns`(_ engine: Engine)
    throws
  {
    try engine.withDatabase { database in
      try database.add("a")
      #expect(try database.read { try $0.rows("SELECT * FROM names") { $0.string(0) } } == ["a"])
      _ = try database.write { try $0.run("ALTER TABLE names ADD COLUMN more TEXT") }
      #expect(try database.read { try $0.rows("SELECT * FROM names") { $0.isNull(1) } } == [true])
    }
  }

  @Test func `empty SQL, several statements and unbound parameters are refused`() throws {
    let fixture = try Fixture()
    let database = try fixture.database()
    let refused: [SQL] = ["", "SELECT 1; SELECT 2", "SELECT ?", "SELECT $2", "SELECT :name"]
    for statement in refused {
      #expect(throws: DatabaseError.self) { try database.read { try $0.run(statement) } }
    }
    #expect(try database.read { try $0.integer("SELECT 1;\n") } == 1)
  }

  @Test(arguments: Engine.allCases)
  func `an error contains the statement but no bound value`(_ engine: Engine) throws {
    try engine.withDatabase { database in
      let error = #expect(throws: DatabaseError.self) {
        for _ in 0..<2 { try database.add("secret") }
      }
      #expect(error?.detail.contains("INSERT INTO names (name) VALUES ($1)") == true)
      let constraint = engine == .sqlite ? "names.name" : "names_name_key of names"
      #expect(error?.detail.contains(constraint) == true)
      #expect(error?.detail.contains("secret") == false)
    }
  }
}
