import PolyclinicCore
import PolyclinicStore
import Synchronization
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

  @Test(arguments: Engine.allCases)
  func `a row is inserted with the number to which its content is bound`(_ engine: Engine) throws {
    try engine.withDatabase { database in
      let ids = try database.write { connection in
        try (1...3).map { _ in
          let bound = try connection.insert(numberedIn: "people") { (id: ID<Note>) in
            "INSERT INTO people (id_person) VALUES (\(id))"
          }
          let next: ID<Note> = try connection.insert("INSERT INTO people DEFAULT VALUES")
          return [bound, next]
        }.joined()
      }
      #expect(Array(ids) == (1...6).map { ID($0) })
      let stored = try database.read {
        try $0.rows("SELECT id_person FROM people ORDER BY id_person") { $0.int(0) }
      }
      #expect(stored == Array(1...6))
    }
  }

  @Test func `an insertion that inserts no row fails`() throws {
    let failure = kind {
      try database.write { connection in
        _ = try connection.insert(numberedIn: "people") { (id: ID<Note>) in
          "INSERT INTO people (id_person) SELECT \(id) FROM names"
        }
      }
    }
    #expect(failure == .other)
  }

  @Test(arguments: Engine.allCases)
  func `an insertion outside of a write fails`(_ engine: Engine) throws {
    try engine.withDatabase { database in
      let outside = kind {
        try database.read { connection in
          _ = try connection.insert(numberedIn: "people") { (id: ID<Note>) in
            "INSERT INTO people (id_person) VALUES (\(id))"
          }
        }
      }
      #expect(outside != nil)
    }
  }

  @Test(arguments: Engine.allCases)
  func `numbers of a scattered identity come in a block for each session`(_ engine: Engine) throws {
    try engine.withDatabase { database in
      try database.write { try $0.run("CREATE TABLE cards (id \(.scatteredIdentity)) \(.strict)") }
      let numbers = Mutex<[Int64]>([])
      for _ in 1...2 {
        try onThreads(1) { _ in
          for _ in 1...2 {
            let id: ID<Note> = try database.write {
              try $0.insert("INSERT INTO cards DEFAULT VALUES")
            }
            numbers.withLock { $0.append(id.rawValue) }
          }
        }
      }
      #expect(numbers.withLock { $0 } == (engine == .sqlite ? [1, 2, 3, 4] : [1, 2, 201, 202]))
    }
  }
}
