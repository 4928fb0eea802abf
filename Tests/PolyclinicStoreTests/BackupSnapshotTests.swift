import Foundation
import PolyclinicCore
import PolyclinicStore
import Synchronization
import Testing

@Suite struct BackupSnapshotTests {
  let fixture: Fixture
  let database: SQLiteDatabase

  init() throws {
    fixture = try Fixture()
    database = try fixture.database()
  }

  @Test func `a snapshot contains earlier writes and none made while it is read`() throws {
    let database = database
    try database.add("before")
    try database.snapshot { connection in
      let before = try connection.integer("SELECT count(*) FROM names")
      try onThreads(2) { index in try database.add("meanwhile \(index)") }
      #expect(try before == 1 && connection.integer("SELECT count(*) FROM names") == 1)
    }
    #expect(try database.names().count == 3)
  }

  @Test func `truncating the write-ahead log waits for the end of a snapshot`() throws {
    let database = database
    let isRead = Atomic(false)
    let ending = DispatchGroup()
    try database.snapshot { connection in
      _ = try connection.integer("SELECT count(*) FROM names")
      try onThreads(1) { _ in try database.add("meanwhile") }
      ending.enter()
      Thread {
        do { try database.checkpointTruncate() } catch { Issue.record(error) }
        if !isRead.load(ordering: .acquiring) { Issue.record("emptied while it was read") }
        ending.leave()
      }.start()
      isRead.store(true, ordering: .releasing)
    }
    ending.wait()
    #expect(try database.names() == ["meanwhile"])
  }

  @Test func `rows are inserted as they were read, in batches, of every type`() throws {
    try database.write { connection in
      try connection.run(
        """
        CREATE TABLE kinds (
          id_kind \(.identity), number \(.integer), real \(.real), text TEXT, bytes \(.bytes)
        ) \(.strict)
        """)
    }
    let rows: [[SQL.Value]] = (1...100).map { number in
      [
        .integer(Int64(number)), number == 1 ? .null : .integer(.max), .real(1 / Double(number)),
        .text(number == 2 ? "" : "\u{5D0}"),
        .bytes([UInt8](repeating: 1, count: number == 50 ? 2 << 20 : number % 3)),
      ]
    }
    let columns = ["id_kind", "number", "real", "text", "bytes"]
    try database.filling { connection in
      var insertion = RowInsertion(into: "kinds", columns, on: connection)
      for row in rows { try insertion.add(row) }
      try insertion.finish()
    }
    try database.read { connection in
      let table = try #require(
        try database.tables(on: connection).first { $0.name == "kinds" })
      var read: [[SQL.Value]] = []
      try table.forEachRow(on: connection) { read.append(table.values(of: $0)) }
      #expect(read == rows)
    }
  }

  @Test func `no trigger runs while a database is filled, and foreign keys are checked at its end`()
    throws
  {
    try database.write { connection in
      try connection.run(
        "CREATE TABLE parts (id_part \(.identity), whole \(.integer) REFERENCES parts(id_part)) \(.strict)"
      )
      try connection.run(
        """
        CREATE TRIGGER parts_added AFTER INSERT ON parts BEGIN
          INSERT INTO names (name) VALUES ('by a trigger');
        END
        """)
    }
    try database.filling { connection in
      try connection.run("INSERT INTO parts (id_part, whole) VALUES (1, 2)")
      try connection.run("INSERT INTO parts (id_part, whole) VALUES (2, NULL)")
    }
    #expect(try database.names() == [])
    #expect(
      kind { _ = try database.filling { try $0.run("INSERT INTO parts (whole) VALUES (9)") } }
        == .foreignKey)
    try database.write { try $0.run("INSERT INTO parts (whole) VALUES (1)") }
    #expect(try database.names() == ["by a trigger"])
  }

  @Test func `the engine assigns no number at or below one that was raised`() throws {
    func last() throws -> Int64? {
      try database.read { try database.lastIdentities(on: $0)["pets"] }
    }
    try database.write { try $0.run("CREATE TABLE pets (id_pet \(.identity)) \(.strict)") }
    #expect(try last() == nil)
    try database.write { try database.raiseIdentities(["pets": 41], on: $0) }
    try database.write { try database.raiseIdentities(["pets": 7], on: $0) }
    try database.write { try $0.run("INSERT INTO pets DEFAULT VALUES") }
    #expect(try last() == 42)
  }

  @Test func `tables come after those that they refer to`() throws {
    try database.write { connection in
      try connection.run("CREATE TABLE a (b \(.integer) REFERENCES b(b)) \(.strict)")
      try connection.run("CREATE TABLE b (b \(.integer) PRIMARY KEY REFERENCES c(c)) \(.strict)")
      try connection.run("CREATE TABLE c (c \(.integer) PRIMARY KEY REFERENCES c(c)) \(.strict)")
    }
    let tables = try database.read { try database.tables(on: $0) }
    let order = StoredTable.inReferenceOrder(tables).map(\.name)
    #expect(order.filter { ["a", "b", "c"].contains($0) } == ["c", "b", "a"])
  }
}
