import PolyclinicCore
import PolyclinicStore
import Testing

@Suite struct IdentityTests {
  private let fixture: Fixture
  private let database: SQLiteDatabase

  init() throws {
    fixture = try Fixture()
    database = try fixture.database()
  }

  private func reserve(_ count: Int) throws -> [ID<Note>] {
    try database.write { try $0.reserve(count, in: "people") }
  }

  private func insert() throws -> ID<Note> {
    try database.write { try $0.insert("INSERT INTO people DEFAULT VALUES") }
  }

  @Test func `reserved numbers are given to no other row, before the first and between others`()
    throws
  {
    let reserved = try reserve(3)
    #expect(reserved == [1, 2, 3].map { ID($0) })
    #expect(try insert() == ID(4))
    #expect(try reserve(2) == [5, 6].map { ID($0) })
    #expect(try insert() == ID(7))
    try database.write { connection in
      for id in reserved {
        let given: ID<Note> = try connection.insert(
          "INSERT INTO people (id_person) VALUES (\(id))")
        #expect(given == id)
      }
    }
    #expect(try insert() == ID(8))
  }

  @Test func `the numbers of deleted rows are not reserved again`() throws {
    _ = try insert()
    try database.write { try $0.run("DELETE FROM people") }
    #expect(try reserve(1) == [ID(2)])
    #expect(try reserve(0) == [])
  }

  @Test func `numbers are reserved in a write transaction only`() throws {
    #expect(throws: DatabaseError.self) {
      try database.read { connection in
        let _: [ID<Note>] = try connection.reserve(1, in: "people")
      }
    }
    #expect(try insert() == ID(1))
  }
}
