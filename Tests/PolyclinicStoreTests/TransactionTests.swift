import PolyclinicCore
import PolyclinicStore
import Testing

@Suite struct TransactionTests {
  struct Stop: Error {}

  @Test(arguments: Engine.allCases)
  func `a write that throws is rolled back`(_ engine: Engine) throws {
    try engine.withDatabase { database in
      #expect(throws: Stop.self) {
        try database.write { connection in
          try connection.run("INSERT INTO names VALUES (\("a"))")
          throw Stop()
        }
      }
      #expect(try database.names() == [])
      try database.add("a")
      #expect(try database.names() == ["a"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `a statement that changes data fails in a read as read-only`(_ engine: Engine) throws {
    try engine.withDatabase { database in
      for statement: SQL in ["INSERT INTO names VALUES ('a')", "DROP TABLE names"] {
        #expect(kind { try database.read { _ = try $0.run(statement) } } == .readOnly)
      }
      try database.write { _ in
        let nested = kind { try database.read { _ = try $0.run("DELETE FROM names") } }
        #expect(nested == .readOnly)
      }
      #expect(try database.names() == [])
    }
  }

  @Test(arguments: Engine.allCases)
  func `reads and writes work after memory is freed, even in a transaction`(_ engine: Engine)
    throws
  {
    try engine.withDatabase { database in
      try database.add("a")
      database.giveMemoryBack()
      #expect(try database.names() == ["a"])
      try database.write { connection in
        try connection.run("INSERT INTO names VALUES ('b')")
        database.giveMemoryBack()
        #expect(try database.names() == ["a", "b"])
        try connection.run("INSERT INTO names VALUES ('c')")
      }
      database.giveMemoryBack()
      #expect(try database.names() == ["a", "b", "c"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `a read inside a write sees the rows written so far`(_ engine: Engine) throws {
    try engine.withDatabase { database in
      try database.write { connection in
        try connection.run("INSERT INTO names VALUES (\("a"))")
        #expect(try database.names() == ["a"])
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `a read sees one snapshot while other threads write`(_ engine: Engine) throws {
    try engine.withDatabase { database in
      try database.read { connection in
        #expect(try connection.integer("SELECT count(*) FROM names") == 0)
        try onThreads(1) { _ in try database.add("a") }
        #expect(try connection.integer("SELECT count(*) FROM names") == 0)
        #expect(try database.names() == [])
      }
      #expect(try database.names() == ["a"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `shared reads see one snapshot until their own thread writes`(_ engine: Engine) throws {
    try engine.withDatabase { database in
      let seen = try database.sharingReads { _ throws -> [[String]] in
        let first = try database.names()
        try onThreads(1) { _ in try database.add("a") }
        let second = try database.names()
        try database.add("b")
        return [first, second, try database.names()]
      }
      #expect(seen == [[], [], ["a", "b"]])
      try onThreads(1) { _ in try database.add("c") }
      #expect(try database.names() == ["a", "b", "c"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `the connection of shared reads sees their snapshot, and none after them`(_ engine: Engine)
    throws
  {
    try engine.withDatabase { database in
      let kept = try database.sharingReads { snapshot -> Connection in
        let count = { try snapshot.integer("SELECT count(*) FROM names") }
        #expect(try count() == 0)
        try onThreads(1) { _ in try database.add("a") }
        #expect(try count() == 0)
        database.endSharedReads()
        #expect(try count() == 1)
        try database.add("b")
        #expect(try count() == 2)
        #expect(throws: DatabaseError.self) { try snapshot.run("DELETE FROM names") }
        return snapshot
      }
      #expect(throws: DatabaseError.self) { try kept.integer("SELECT count(*) FROM names") }
    }
  }

  @Test func `shared reads leave no transaction open, even after an error`() throws {
    let fixture = try Fixture()
    let database = try fixture.database()
    let seen = try database.sharingReads { _ in
      let names = try database.sharingReads { _ in try database.names() }
      #expect(throws: Stop.self) { try database.read { _ in throw Stop() } }
      return try names + database.names()
    }
    #expect(seen == [])
    #expect(throws: Stop.self) {
      try database.sharingReads { _ throws -> Void in
        _ = try database.names()
        throw Stop()
      }
    }
    try onThreads(1) { _ in try database.add("a") }
    try onThreads(1) { _ in try database.checkpointTruncate(timeout: .short) }
    #expect(try database.names() == ["a"])
  }

  @Test(arguments: Engine.allCases)
  func `a nested write is refused and does not affect the outer transaction`(_ engine: Engine)
    throws
  {
    try engine.withDatabase { database in
      try database.write { connection in
        #expect(throws: DatabaseError.self) { try database.add("inner") }
        try connection.run("INSERT INTO names VALUES (\("outer"))")
      }
      #expect(throws: DatabaseError.self) { try database.read { _ in try database.add("nested") } }
      #expect(try database.names() == ["outer"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `a connection used after its transaction is refused`(_ engine: Engine) throws {
    try engine.withDatabase { database in
      var kept: Connection?
      try database.write { kept = $0 }
      let escaped = try #require(kept)
      #expect(throws: DatabaseError.self) { try escaped.run("DELETE FROM names") }
      _ = try database.read { _ in
        #expect(throws: DatabaseError.self) { try escaped.run("DELETE FROM names") }
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `a write that rolls its own transaction back fails and stores nothing`(_ engine: Engine)
    throws
  {
    try engine.withDatabase { (database) throws in
      #expect(throws: DatabaseError.self) {
        try database.write { connection in
          try connection.run("ROLLBACK")
          try connection.run("INSERT INTO names VALUES (\("a"))")
        }
      }
      #expect(try database.names() == [])
    }
  }

  @Test(arguments: Engine.allCases)
  func `concurrent writes on two threads are all stored`(_ engine: Engine) throws {
    try engine.withDatabase { database in
      try onThreads(2) { thread in
        for number in 0..<200 { try database.add("\(thread)-\(number)") }
      }
      #expect(try database.names().count == 400)
    }
  }

  @Test(arguments: Engine.allCases)
  func `of concurrent inserts of one unique name, one succeeds`(_ engine: Engine) throws {
    try engine.withDatabase { database in
      try onThreads(8) { _ in
        let refused = kind { try database.add("the one") }
        #expect(refused == nil || refused == .unique)
      }
      #expect(try database.names() == ["the one"])
    }
  }
}
