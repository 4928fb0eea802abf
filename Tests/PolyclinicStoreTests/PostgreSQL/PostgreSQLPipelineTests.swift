import PolyclinicCore
import PolyclinicTestDatabases
import Synchronization
import Testing

@testable import PolyclinicStore

/// Changes that are sent without waiting for the server.
@Suite struct PostgreSQLPipelineTests {
  private let fixture: ServerFixture
  private let database: PostgreSQLDatabase
  private let waits = Waits()

  init() throws {
    fixture = try ServerFixture()
    database = try PostgreSQLDatabase.open(fixture.address, observer: waits)
    // Prepares the statements, which takes a round trip for each.
    try database.write { connection in
      try add("prepared", on: connection)
      _ = try connection.runCounting("DELETE FROM names WHERE name = \("prepared")")
      _ = try count(on: connection)
    }
  }

  /// Counts the waits for the server.
  private final class Waits: DatabaseObserver {
    private let number = Atomic(0)

    func writerWaited(nanoseconds: UInt64) {}
    func waitsForServer() { number.add(1, ordering: .relaxed) }

    func during(_ body: () throws -> Void) rethrows -> Int {
      let before = number.load(ordering: .relaxed)
      try body()
      return number.load(ordering: .relaxed) - before
    }
  }

  private struct Stop: Error {}

  private func add(_ name: String, on connection: Connection) throws {
    try connection.run("INSERT INTO names VALUES (\(name))")
  }

  private func count(on connection: Connection) throws -> Int? {
    try connection.integer("SELECT count(*) FROM names")
  }

  @Test func `changes are answered with the next question, and with COMMIT`() throws {
    let alone = try waits.during {
      try database.write { connection in
        for name in ["a", "b", "c"] { try add(name, on: connection) }
      }
    }
    // The first one with BEGIN, because nothing of a transaction is committed unless its number is
    // known.
    #expect(alone == 2)
    let asked = try waits.during {
      try database.write { connection in
        #expect(try count(on: connection) == 3)
        for name in ["d", "e"] { try add(name, on: connection) }
        #expect(try count(on: connection) == 5)
        try add("f", on: connection)
      }
    }
    #expect(asked == 3)
    #expect(try database.names() == ["a", "b", "c", "d", "e", "f"])
  }

  @Test func `a transaction runs more statements than a session keeps prepared`() throws {
    try database.write { connection in
      for number in 1...300 {
        let others = (1...number).map { "other \($0)" }
        try connection.run("DELETE FROM names WHERE name IN \(list: others)")
        try add("\(number)", on: connection)
      }
    }
    #expect(try database.names().count == 300)
  }

  @Test func `a thousand changes take a few round trips`() throws {
    let waited = try waits.during {
      try database.write { connection in
        for number in 1...1_000 { try add("\(number)", on: connection) }
      }
    }
    #expect(waited <= 12)
    #expect(try database.names().count == 1_000)
    let large = String(repeating: "x", count: 200_000)
    try database.write { connection in
      for number in 1...5 { try add(large + "\(number)", on: connection) }
    }
    #expect(try database.names().count == 1_005)
  }

  @Test(arguments: [true, false])
  func `an error of a sent change ends the transaction, with its own text`(_ isAskedLater: Bool)
    throws
  {
    var runs = 0
    let error = #expect(throws: DatabaseError.self) {
      try database.write { connection in
        runs += 1
        try add("first", on: connection)
        for name in ["twice", "twice", "last"] { try add(name, on: connection) }
        if isAskedLater {
          #expect(kind { _ = try count(on: connection) } == .unique)
          #expect(kind { try add("later", on: connection) } == .unique)
        }
      }
    }
    #expect(error?.kind == .unique)
    #expect(
      error?.detail
        == "SQLSTATE 23505 (names_name_key of names), in INSERT INTO names VALUES ($1)")
    // As for each unique key that the transaction may not have seen.
    #expect(runs == 2)
    #expect(try database.names() == [])
    try database.write { try add("after", on: $0) }
    #expect(try database.names() == ["after"])
  }

  @Test func `what a body makes of the error of an earlier change is not thrown`() throws {
    let error = #expect(throws: DatabaseError.self) {
      try database.write { connection in
        _ = try count(on: connection)
        try connection.run("INSERT INTO notes (person, body) VALUES (7, '')")
        do { _ = try connection.runCounting("DELETE FROM names WHERE name = \("a")") } catch let
          error as DatabaseError where error.kind == .foreignKey
        {
          throw Stop()
        }
      }
    }
    #expect(error?.kind == .foreignKey)
    #expect(error?.detail.contains("INSERT INTO notes") == true)
  }

  @Test func `a transaction that is given up leaves none of its sent changes`() throws {
    for failing in ["kept", "x"] {
      #expect(throws: Stop.self) {
        try database.write { connection in
          _ = try count(on: connection)
          for name in ["x", failing, "y"] { try add(name, on: connection) }
          throw Stop()
        }
      }
      // The session is in no transaction any more.
      try database.write { try add(failing + "!", on: $0) }
    }
    #expect(try database.names() == ["kept!", "x!"])
  }

  @Test func `a conflict of a sent change is repeated`() throws {
    let database = database
    try database.write { try add("a", on: $0) }
    var runs = 0
    try database.write { connection in
      runs += 1
      _ = try count(on: connection)
      if runs == 1 {
        try onThreads(1) { _ in
          try database.write { try $0.run("UPDATE names SET name = 'b'") }
        }
      }
      try connection.run("UPDATE names SET name = name || 'c'")
    }
    #expect(runs == 2)
    #expect(try database.names() == ["bc"])
  }

  @Test func `a session that is lost with sent changes repeats the transaction`() throws {
    let fixture = fixture
    var runs = 0
    try database.write { connection in
      runs += 1
      _ = try count(on: connection)
      try add("\(runs)", on: connection)
      if runs == 1 { try fixture.endSessions() }
    }
    #expect(runs == 2)
    #expect(try database.names() == ["2"])
  }

  @Test func `numbers of a scattered identity are drawn many at once`() throws {
    try database.write { try $0.run("CREATE TABLE cards (id \(.scatteredIdentity))") }
    func insert() throws -> ID<Note> {
      try database.write { connection in
        _ = try count(on: connection)
        return try connection.insert(numberedIn: "cards") { (id: ID<Note>) in
          "INSERT INTO cards (id) VALUES (\(id))"
        }
      }
    }
    #expect(try insert() == ID(1))
    let waited = try waits.during { _ = try insert() }
    #expect(waited == 2)
    try database.write { try database.raiseIdentities(["cards": 500], on: $0) }
    #expect(try insert() > ID(500))
  }
}
