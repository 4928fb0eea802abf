import PolyclinicCore
import PolyclinicStore
import Testing

@Suite struct ValueTests {
  let fixture: Fixture
  let database: SQLiteDatabase

  init() throws {
    fixture = try Fixture()
    database = try fixture.database()
  }

  @Test func `every type of value round-trips`() throws {
    let date = try #require(CalendarDate(year: 2024, month: 2, day: 29))
    let none: String? = nil
    try database.read { connection in
      let row: Void? = try connection.row(
        """
        SELECT \(Int64.max), \(Int.min), \(1.5), \(true), \("Żółć 🩺"), \([UInt8]([0, 255])),
          \(Sealed([7])), \(ID<Person>(42)), \(Instant(-1)), \(date), \(none)
        """
      ) { row in
        #expect(row.int(0) == .max)
        #expect(row.int(1) == .min)
        #expect(row.real(2) == 1.5)
        #expect(row.bool(3))
        #expect(row.string(4) == "Żółć 🩺")
        #expect(row.bytes(5) == [0, 255])
        #expect(row.sealed(6) == Sealed([7]))
        #expect(row.id(7) == ID<Person>(42))
        #expect(row.instant(8) == Instant(-1))
        #expect(row.date(9) == date)
        #expect(row.isNull(10))
        #expect(row.optional(10, Row.string) == nil)
      }
      #expect(row != nil)
    }
  }

  @Test func `text with NUL, empty text and empty bytes round-trip`() throws {
    let empty: [UInt8] = []
    let types = try database.read { connection in
      try connection.row(
        """
        SELECT \("a\u{0}b"), \(""), \(empty),
          typeof(CAST(\("") AS TEXT)), typeof(\(empty))
        """
      ) { row in
        #expect(row.string(0) == "a\u{0}b")
        #expect(row.string(1) == "")
        #expect(row.bytes(2) == [])
        #expect(!row.isNull(1) && !row.isNull(2))
        return [row.string(3), row.string(4)]
      }
    }
    #expect(types == ["text", "blob"])
  }

  @Test func `300,000 bytes round-trip`() throws {
    let bytes = [UInt8](repeating: 7, count: 300_000)
    let kept = try database.read { try $0.row("SELECT \(bytes)") { $0.bytes(0) } }
    #expect(kept == bytes)
  }

  @Test func `lists and nested SQL parts bind in order`() throws {
    for name in ["anna", "boris", "vera", "'; DROP TABLE names; --"] { try database.add(name) }
    let part: SQL = "name IN \(list: ["anna", "vera", "'; DROP TABLE names; --"])"
    let whole: SQL = "\(part) AND name < \("b")"
    let found = try database.read { connection in
      try connection.rows("SELECT name FROM names WHERE \(whole) ORDER BY name") { $0.string(0) }
    }
    #expect(found == ["'; DROP TABLE names; --", "anna"])
    let nobody = try database.read { connection in
      let none: [ID<Person>] = []
      return try connection.integer("SELECT count(*) FROM names WHERE rowid IN \(list: none)")
    }
    #expect(nobody == 0)
    #expect(try database.names().count == 4)
  }

  @Test(arguments: Engine.allCases)
  func `run returns the number of rows that its statement changed`(_ engine: Engine) throws {
    try engine.withDatabase { database in
      try database.write { connection throws in
        #expect(try connection.runCounting("INSERT INTO names VALUES (\("a")), (\("b"))") == 2)
        #expect(try connection.runCounting("CREATE TABLE other (id \(.integer)) \(.strict)") == 0)
        #expect(try connection.runCounting("SELECT 1") == 0)
        #expect(try connection.runCounting("DELETE FROM names WHERE name = \("none")") == 0)
        #expect(try connection.runCounting("UPDATE names SET name = name || \("!")") == 2)
      }
    }
  }
}
