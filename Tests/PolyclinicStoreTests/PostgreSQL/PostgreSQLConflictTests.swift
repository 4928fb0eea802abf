import Foundation
import PolyclinicCore
import Synchronization
import Testing

@testable import PolyclinicStore

@Suite struct PostgreSQLConflictTests {
  struct Stop: Error {}

  let fixture: ServerFixture
  var database: PostgreSQLDatabase { fixture.database }

  init() throws {
    fixture = try ServerFixture()
    try database.write { connection in
      try connection.run("CREATE TABLE counters (id \(.integer) PRIMARY KEY, n \(.integer))")
      try connection.run("INSERT INTO counters VALUES (1, 0), (2, 0)")
    }
  }

  private func count(_ id: Int) throws -> Int? {
    try database.read { try $0.integer("SELECT n FROM counters WHERE id = \(id)") }
  }

  @Test func `a transaction that conflicts runs again`() throws {
    let database = database
    var runs = 0
    try database.write { connection in
      runs += 1
      let n = try connection.integer("SELECT n FROM counters WHERE id = 1") ?? 0
      if runs == 1 {
        try onThreads(1) { _ in
          try database.write { _ = try $0.run("UPDATE counters SET n = 10 WHERE id = 1") }
        }
      }
      try connection.run("UPDATE counters SET n = \(n + 1) WHERE id = 1")
    }
    #expect(runs == 2)
    #expect(try count(1) == 11)
  }

  @Test func `a conflict that a body hides runs again all the same`() throws {
    let database = database
    var runs = 0
    try database.write { connection in
      runs += 1
      _ = try connection.integer("SELECT n FROM counters WHERE id = 1")
      if runs == 1 {
        try onThreads(1) { _ in
          try database.write { _ = try $0.run("UPDATE counters SET n = 10 WHERE id = 1") }
        }
      }
      do { _ = try connection.runCounting("UPDATE counters SET n = n + 1 WHERE id = 1") } catch {
        if runs == 3 { throw Stop() }
      }
    }
    #expect(runs == 2)
    #expect(try count(1) == 11)
  }

  @Test func `two transactions that read what the other writes do not both see the old`() throws {
    let database = database
    try onThreads(2) { index in
      try database.write { connection in
        let sum = try connection.integer("SELECT sum(n) FROM counters") ?? 0
        try connection.run("UPDATE counters SET n = \(sum + 1) WHERE id = \(index + 1)")
      }
    }
    #expect(try [count(1), count(2)].compactMap { $0 }.sorted() == [1, 2])
  }

  @Test func `many writers of one row all get their turn`() throws {
    let database = database
    try onThreads(8) { _ in
      for _ in 0..<10 {
        try database.write { connection in
          let n = try connection.integer("SELECT n FROM counters WHERE id = 1") ?? 0
          try connection.run("UPDATE counters SET n = \(n + 1) WHERE id = 1")
        }
      }
    }
    #expect(try count(1) == 80)
  }

  @Test func `a transaction that conflicts again and again runs alone`() throws {
    let other = try PostgreSQLDatabase.open(fixture.address)
    var runs = 0
    var wasAlone = false
    try database.write { connection in
      runs += 1
      let n = try connection.integer("SELECT n FROM counters WHERE id = 1") ?? 0
      wasAlone =
        try connection.integer(
          """
          SELECT count(*) FROM pg_locks
          WHERE relation = CAST('write_turn' AS regclass) AND mode = 'ExclusiveLock' AND granted
          """) == 1
      if !wasAlone {
        try onThreads(1) { _ in
          try other.write { _ = try $0.run("UPDATE counters SET n = n + 1 WHERE id = 1") }
        }
      }
      try connection.run("UPDATE counters SET n = \(n + 1) WHERE id = 1")
    }
    #expect(wasAlone)
    #expect(runs > 1 && runs <= 10)
    #expect(try count(1) == runs)
  }

  @Test func `a key that exists is reported after a second run`() throws {
    try database.add("a")
    var runs = 0
    let refused = kind {
      try database.write { connection in
        runs += 1
        try connection.run("INSERT INTO names VALUES ('a')")
      }
    }
    #expect(refused == .unique)
    #expect(runs == 2)
  }

  @Test func `a number that a row already has is not assigned again and again`() throws {
    let database = database
    try database.write { try $0.run("CREATE TABLE cards (id \(.scatteredIdentity))") }
    func insert() throws -> Int64 {
      let id: ID<Note> = try database.write { try $0.insert("INSERT INTO cards DEFAULT VALUES") }
      return id.rawValue
    }
    #expect(try insert() == 1)
    // As a restored record, which has its former number.
    try database.write { try $0.run("INSERT INTO cards VALUES (2), (3)") }
    #expect(try insert() == 201)
  }

  @Test func `repeated writes are observed`() throws {
    let observer = Repeats()
    let observed = try PostgreSQLDatabase.open(fixture.address, observer: observer)
    let database = database
    var runs = 0
    try observed.write { connection in
      runs += 1
      let n = try connection.integer("SELECT n FROM counters WHERE id = 1") ?? 0
      if runs < 3 {
        try onThreads(1) { _ in
          try database.write { _ = try $0.run("UPDATE counters SET n = n + 1 WHERE id = 1") }
        }
      }
      try connection.run("UPDATE counters SET n = \(n + 1) WHERE id = 1")
    }
    #expect(observer.runs.withLock { $0 } == [2, 3])
  }

  private final class Repeats: DatabaseObserver {
    let runs = Mutex<[Int]>([])

    func writerWaited(nanoseconds: UInt64) {}
    func writeRepeats(run: Int) { runs.withLock { $0.append(run) } }
  }

  @Test func `independent writes of one row wait for one another and run once each`() throws {
    let database = database
    let runs = Atomic(0)
    try onThreads(8) { _ in
      for _ in 0..<10 {
        try database.writeIndependently { connection in
          runs.add(1, ordering: .relaxed)
          try connection.run("UPDATE counters SET n = n + 1 WHERE id = 1")
        }
      }
    }
    #expect(runs.load(ordering: .relaxed) == 80)
    #expect(try count(1) == 80)
  }

  @Test func `an independent write sees what others commit between its statements`() throws {
    let database = database
    var runs = 0
    try database.writeIndependently { connection in
      runs += 1
      let before = try connection.integer("SELECT n FROM counters WHERE id = 1")
      try onThreads(1) { _ in
        try database.write { _ = try $0.run("UPDATE counters SET n = 10 WHERE id = 1") }
      }
      let after = try connection.integer("SELECT n FROM counters WHERE id = 1")
      #expect(before == 0 && after == 10)
      try connection.run("UPDATE counters SET n = n + 1 WHERE id = 1")
    }
    #expect(runs == 1)
    #expect(try count(1) == 11)
  }

  @Test func `new rows with rows that refer to them do not conflict with those of others`() throws {
    let database = database
    try database.write { connection in
      try connection.run("CREATE TABLE cards (id \(.scatteredIdentity)) \(.strict)")
      try connection.run(
        "CREATE TABLE parts (card \(.integer) PRIMARY KEY REFERENCES cards (id)) \(.strict)")
    }
    let insert = { @Sendable (connection: Connection) in
      let id = try connection.insert(numberedIn: "cards") { (id: ID<Note>) in
        "INSERT INTO cards (id) VALUES (\(id))"
      }
      try connection.run("INSERT INTO parts (card) VALUES (\(id))")
    }
    try database.write(insert)
    // More than a page of the index holds.
    try onThreads(1) { _ in
      try database.write { connection in for _ in 0..<500 { try insert(connection) } }
    }
    // Each inserts into the page that the one before has read, and the last commits first.
    let runs = Atomic(0)
    try database.write { connection in
      runs.add(1, ordering: .relaxed)
      try insert(connection)
      try onThreads(1) { _ in
        try database.write { connection in
          runs.add(1, ordering: .relaxed)
          try insert(connection)
          try onThreads(1) { _ in try database.write(insert) }
        }
      }
    }
    #expect(runs.load(ordering: .relaxed) == 2)
  }

  @Test func `a deadlock is resolved`() throws {
    let database = database
    let meeting = Atomic(0)
    try onThreads(2) { index in
      var isFirst = true
      try database.write { connection in
        try connection.run("UPDATE counters SET n = n + 1 WHERE id = \(index + 1)")
        if isFirst {
          isFirst = false
          meeting.add(1, ordering: .relaxed)
          while meeting.load(ordering: .relaxed) < 2 { sched_yield() }
        }
        try connection.run("UPDATE counters SET n = n + 1 WHERE id = \(2 - index)")
      }
    }
    #expect(try [count(1), count(2)] == [2, 2])
  }

  @Test func `writeIfFree returns nil instead of waiting for another writer`() throws {
    let database = database
    try database.write { connection in
      try connection.run("UPDATE counters SET n = 1 WHERE id = 1")
      try onThreads(1) { _ in
        let other = try database.writeIfFree {
          try $0.runCounting("UPDATE counters SET n = 2 WHERE id = 1")
        }
        #expect(other == nil)
        let free = try database.writeIfFree {
          try $0.runCounting("UPDATE counters SET n = 2 WHERE id = 2")
        }
        #expect(free == 1)
      }
    }
    #expect(try [count(1), count(2)] == [1, 2])
  }

  @Test func `after a failed statement a write runs no other and stores nothing`() throws {
    let error = #expect(throws: DatabaseError.self) {
      try database.write { connection in
        try connection.run("INSERT INTO names VALUES ('a')")
        let first = kind {
          _ = try connection.runCounting("INSERT INTO notes (person, body) VALUES (7, '')")
        }
        #expect(first == .foreignKey)
        let second = kind { try connection.run("INSERT INTO names VALUES ('b')") }
        #expect(second == .foreignKey)
      }
    }
    #expect(error?.kind == .foreignKey)
    #expect(try database.names() == [])
  }

  @Test func `a failed statement in shared reads does not fail the later ones`() throws {
    let names = try database.sharingReads { snapshot throws in
      #expect(throws: DatabaseError.self) { try snapshot.run("SELECT * FROM nothing") }
      #expect(throws: DatabaseError.self) {
        try database.read { try $0.run("SELECT CAST(\("x") AS INTEGER)") }
      }
      return try database.names()
    }
    #expect(names == [])
  }

  @Test func `a lost connection at COMMIT is settled by the server's record`() throws {
    let fixture = fixture
    // A trigger that runs at COMMIT ends the session there, in the first run alone.
    try database.write { connection in
      try connection.run(
        """
        CREATE FUNCTION end_session() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$
        """)
      try connection.run(
        """
        CREATE CONSTRAINT TRIGGER ends AFTER INSERT ON names DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW WHEN (new.name = 'first') EXECUTE FUNCTION end_session()
        """)
    }
    var runs = 0
    try fixture.database.write { connection in
      runs += 1
      let name = runs == 1 ? "first" : "second"
      try connection.run("INSERT INTO names VALUES (\(name))")
    }
    #expect(runs == 2)
    #expect(try database.names() == ["second"])
  }

  @Test func `the end of a transaction is found by its number`() throws {
    let database = database
    let number = { (connection: Connection) in
      try connection.row("SELECT CAST(pg_current_xact_id() AS TEXT)") { $0.string(0) } ?? ""
    }
    let server = PostgreSQLServer(fixture.address, { 10_000 }, nil)
    let session = try server.connect(within: 10_000)
    func outcome(_ id: String, in history: String? = nil) throws -> Bool? {
      let number = TransactionNumber(number: id, history: history ?? session.history)
      return try session.outcome(of: number, within: 10_000)
    }
    let committed = try database.write { connection in
      let id = try number(connection)
      #expect(try outcome(id) == nil)
      return id
    }
    #expect(try outcome(committed) == true)
    var undone = ""
    #expect(throws: Stop.self) {
      try database.write { connection in
        undone = try number(connection)
        throw Stop()
      }
    }
    _ = try database.names()
    #expect(try outcome(undone) == false)
    // As after a crash or a failover, when another transaction may have the number.
    let other = "\(session.history) before"
    #expect(kind { _ = try outcome(committed, in: other) } == .unknown)
    #expect(try outcome(undone, in: other) == false)
    #expect(try outcome("\(Int64.max)", in: other) == false)
  }

  @Test func `a commit that stops waiting for its standby is unknown`() throws {
    let unconfirmed = try commitWaitingForStandby(
      until: """
        SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event = 'SyncRep'
        """)
    #expect(unconfirmed == .unknown)
    #expect(try database.names() == ["a"])
  }

  @Test func `a commit that was stored before the connection was lost is not repeated`() throws {
    let failure = try commitWaitingForStandby(
      until: """
        SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event = 'SyncRep'
        """)
    #expect(failure == nil)
    #expect(try database.names() == ["a"])
  }

  /// Runs a write whose COMMIT waits until a statement of another session finds it waiting.
  private func commitWaitingForStandby(until end: SQL) throws -> DatabaseError.Kind? {
    let (database, address) = (database, fixture.address)
    let result = Mutex<DatabaseError.Kind?>(nil)
    try onThreads(2) { index in
      guard index == 1 else {
        let failure = kind {
          try database.write { connection in
            try connection.run("INSERT INTO names VALUES ('a')")
            try connection.run("SET LOCAL synchronous_commit = on")
          }
        }
        result.withLock { $0 = failure }
        return
      }
      let other = try PostgreSQLDatabase.open(address)
      while try other.read({ try $0.integer(end) }) == 0 { sched_yield() }
    }
    return result.withLock { $0 }
  }

  @Test func `numbers come from the identity, of the table`() throws {
    let ids = try database.write { connection in
      let first: ID<Note> = try connection.insert("INSERT INTO people DEFAULT VALUES")
      let next: ID<Note> = try connection.insert("INSERT INTO people DEFAULT VALUES")
      return [first, next]
    }
    #expect(ids.map(\.rawValue) == [1, 2])
    let withoutIdentity = kind {
      let _: ID<Note> = try database.write { try $0.insert("INSERT INTO names VALUES ('a')") }
    }
    #expect(withoutIdentity == .other)
  }
}
