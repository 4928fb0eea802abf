import Foundation
import PolyclinicCore
import PolyclinicStore
import Synchronization
import Testing

@Suite struct FileTests {
  let fixture: Fixture

  init() throws { fixture = try Fixture() }

  @Test func `the files of a new database are accessible only to their owner`() throws {
    let database = try fixture.database()
    try database.add("a")
    for suffix in ["", "-wal", "-shm", ".lock"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: fixture.path + suffix)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test func `files that root creates beside the database belong to its owner`() throws {
    try fixture.database().close()
    let nobody: uid_t = geteuid() == 0 ? 65_534 : geteuid()
    #expect(chown(fixture.path, nobody, gid_t.max) == 0)
    for suffix in [".lock", ".migration.lock"] {
      unlink(fixture.path + suffix)
    }
    let database = try SQLiteDatabase.open(fixture.path)
    try Migrator(database, []).migrate(at: Instant(0))
    for suffix in ["-wal", "-shm", ".lock", ".migration.lock"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: fixture.path + suffix)
      #expect((attributes[.ownerAccountID] as? NSNumber)?.uint32Value == nobody)
    }
  }

  @Test func `creating over an existing file and opening a missing one are refused`() throws {
    #expect(kind { _ = try SQLiteDatabase.open(fixture.path) } == .missing)
    #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.directory) == [])
    try Data("mine".utf8).write(to: URL(fileURLWithPath: fixture.path))
    #expect(throws: DatabaseError.self) { try SQLiteDatabase.create(fixture.path) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: fixture.path)) == Data("mine".utf8))
  }

  @Test func `a database behind a symbolic link works until the link changes`() throws {
    try fixture.database().close()
    let link = fixture.directory + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: fixture.path)
    let database = try SQLiteDatabase.open(link)
    try database.add("a")
    try FileManager.default.removeItem(atPath: link)
    #expect(kind { try database.add("lost") } == .missing)
    let other = try Fixture()
    _ = try other.database()
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: other.path)
    #expect(kind { try database.add("lost") } == .missing)
  }

  @Test func `a reopened database contains the earlier writes`() throws {
    let database = try fixture.database()
    try database.add("a")
    database.close()
    #expect(throws: DatabaseError.self) { try database.names() }
    #expect(try SQLiteDatabase.open(fixture.path).names() == ["a"])
  }

  @Test func `reads and writes fail as missing after the file is deleted`() throws {
    let database = try fixture.database()
    try FileManager.default.removeItem(atPath: fixture.path)
    #expect(kind { try database.add("lost") } == .missing)
    #expect(kind { _ = try database.names() } == .missing)
    #expect(!FileManager.default.fileExists(atPath: fixture.path))
  }

  @Test func `reads check once a second that the file exists`() throws {
    try fixture.database().close()
    let seconds = Atomic(1)
    let database = try SQLiteDatabase.open(fixture.path) { seconds.load(ordering: .relaxed) }
    try fixture.move("test.sqlite", to: "away")
    #expect(try database.names() == [])
    seconds.store(2, ordering: .relaxed)
    for _ in 0..<2 { #expect(kind { _ = try database.names() } == .missing) }
    try fixture.move("away", to: "test.sqlite")
    #expect(try database.names() == [])
  }

  @Test func `a write fails if the file is moved away before the commit`() throws {
    let database = try fixture.database()
    let refused = kind {
      try database.write { connection in
        try connection.run("INSERT INTO names VALUES (\("lost"))")
        try fixture.move("test.sqlite", to: "away")
      }
    }
    #expect(refused == .missing)
  }

  @Test func `a database works again after its files are moved away and back`() throws {
    let database = try fixture.database()
    try database.add("before")
    for files in [["test.sqlite"], ["test.sqlite", "test.sqlite-wal", "test.sqlite-shm"]] {
      for file in files { try fixture.move(file, to: file + ".away") }
      #expect(kind { try database.add("between") } == .missing)
      try onThreads(1) { _ in #expect(kind { _ = try database.names() } == .missing) }
      for file in files { try fixture.move(file + ".away", to: file) }
      #expect(try database.names() == ["before"])
      try onThreads(1) { _ in
        let names = try database.names()
        #expect(names == ["before"])
      }
    }
    try database.add("after")
    #expect(try database.names() == ["after", "before"])
  }

  @Test func `an empty file or another database at the path is refused`() throws {
    let database = try fixture.database()
    try fixture.move("test.sqlite", to: "away")
    #expect(FileManager.default.createFile(atPath: fixture.path, contents: nil))
    #expect(kind { try database.add("lost") } == .missing)
    #expect(kind { _ = try database.names() } == .missing)
    #expect(kind { _ = try SQLiteDatabase.open(fixture.path) } == .missing)

    try FileManager.default.removeItem(atPath: fixture.path)
    let other = try Fixture()
    _ = try other.database()
    try FileManager.default.copyItem(atPath: other.path, toPath: fixture.path)
    try onThreads(2) { _ in #expect(kind { try database.add("lost") } == .missing) }
  }

  @Test func `writes fail and reads work after the write-ahead log is deleted`() throws {
    let database = try fixture.database()
    try database.add("a")
    try FileManager.default.removeItem(atPath: fixture.path + "-wal")
    #expect(kind { try database.add("lost") } == .missing)
    try onThreads(1) { _ in #expect(kind { try database.add("lost") } == .missing) }
    #expect(try database.names() == ["a"])
  }

  @Test func `short-lived threads can write one after another`() throws {
    let path = fixture.path
    try fixture.database().close()
    let database = try SQLiteDatabase.open(path)
    for number in 0..<20 { try onThreads(1) { _ in try database.add("\(number)") } }
    #expect(try database.names().count == 20)
  }

  @Test func `opening a file without a write-ahead log enables the log`() throws {
    try fixture.database().close()
    let file = try #require(FileHandle(forUpdatingAtPath: fixture.path))
    // Read and write version: 2 with a write-ahead log, 1 without (sqlite.org/fileformat2.html).
    try file.seek(toOffset: 18)
    try file.write(contentsOf: Data([1, 1]))
    try file.close()
    let database = try SQLiteDatabase.open(fixture.path)
    try database.add("a")
    #expect(FileManager.default.fileExists(atPath: fixture.path + "-wal"))
  }

  @Test func `a database with another application id is refused as missing`() throws {
    try fixture.database().close()
    let file = try #require(FileHandle(forUpdatingAtPath: fixture.path))
    // The application id (sqlite.org/fileformat2.html).
    try file.seek(toOffset: 68)
    try file.write(contentsOf: Data([0, 0, 0, 0]))
    try file.close()
    #expect(kind { _ = try SQLiteDatabase.open(fixture.path) } == .missing)
  }

  @Test func `a database with a damaged header is refused as corrupt`() throws {
    try fixture.database().close()
    let file = try #require(FileHandle(forUpdatingAtPath: fixture.path))
    try file.write(contentsOf: Data("not a database at all".utf8))
    try file.close()
    #expect(kind { _ = try SQLiteDatabase.open(fixture.path) } == .corrupt)
  }

  @Test func `the integrity check detects a damaged page`() throws {
    try fixture.database().close()
    let file = try #require(FileHandle(forUpdatingAtPath: fixture.path))
    try file.seek(toOffset: 4_096)
    try file.write(contentsOf: Data(repeating: 0xA5, count: 64))
    try file.close()
    let database = try SQLiteDatabase.open(fixture.path)
    var findings: [String] = []
    let refused = kind { findings = try database.integrityProblems() }
    #expect(refused == .corrupt || !findings.isEmpty)
  }

  @Test func `on a full disk writes fail and reads work, until there is room again`() throws {
    let database = try fixture.database()
    try database.add("a")
    func limit(_ pages: SQL) throws {
      try database.write { _ = try $0.run("PRAGMA max_page_count = \(pages)") }
    }
    let long = String(repeating: "x", count: 100_000)
    try limit("8")
    #expect(kind { try database.add(long) } == .full)
    let swallowed = kind {
      try database.write { connection in
        #expect(kind { try connection.run("INSERT INTO names VALUES (\(long))") } == .full)
        try connection.run("INSERT INTO names VALUES (\("b"))")
      }
    }
    #expect(swallowed == .other, "the transaction was undone with the first error")
    #expect(try database.names() == ["a"])
    try limit("1000000")
    try database.add(long)
    #expect(try database.names().contains(long))
  }

  @Test func `a write-ahead log that grew during a long read shrinks after it`() throws {
    let (database, path) = (try fixture.database(), fixture.path)
    func size() throws -> Int {
      try #require(FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int)
    }
    let long = String(repeating: "x", count: 1 << 20)
    try database.read { connection in
      _ = try connection.integer("SELECT count(*) FROM names")
      try onThreads(1) { _ in for number in 0..<20 { try database.add("\(number)" + long) } }
      #expect(try size() > 20 << 20)
    }
    for number in 0..<2 { try database.add("short \(number)") }
    #expect(try size() <= 16 << 20)
  }

  /// A linear congruential generator (Knuth's MMIX), so that each run moves the same rows.
  private struct Numbers {
    var state: UInt64

    mutating func next(below limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
  }

  @Test func `a deleted row leaves no bytes, not even those of an earlier place in its page`()
    throws
  {
    let database = try fixture.database()
    func bytes(_ id: Int, _ count: Int) -> [UInt8] {
      var numbers = Numbers(state: UInt64(id))
      return (0..<count).map { _ in UInt8(numbers.next(below: 256)) }
    }
    let keys = (0...340).map { Data(bytes($0, 65)) }
    func copies(_ id: Int) throws -> Int {
      let file = try Data(contentsOf: URL(fileURLWithPath: fixture.path))
      guard let first = file.range(of: keys[id]) else { return 0 }
      return file.range(of: keys[id], in: first.upperBound..<file.endIndex) == nil ? 1 : 2
    }
    try database.write { connection in
      try connection.run(
        """
        CREATE TABLE moved (
          id INTEGER PRIMARY KEY, key BLOB, mark BLOB UNIQUE, created INTEGER, size INTEGER, count INTEGER
        )
        """)
      for id in 1...340 {
        try connection.run(
          """
          INSERT INTO moved (id, key, mark, created)
          VALUES (\(id), \(Array(keys[id])), \(bytes(id + 1_000, 16)), 1795768200)
          """)
      }
    }
    // Rows that grow, shrink and disappear make SQLite divide and balance pages.
    var numbers = Numbers(state: 2)
    var live = Set(1...340)
    var doubled: Int?
    for _ in 0..<100 where doubled == nil {
      try database.write { connection in
        for _ in 0..<20 {
          let id = numbers.next(below: 340) + 1
          if numbers.next(below: 33) == 0 {
            try connection.run("DELETE FROM moved WHERE id = \(id)")
            live.remove(id)
            continue
          }
          let sizes: [Int?] = [nil, 0, 1, 100, 300, 40_000, 9_000_000]
          let (size, count) = (sizes[numbers.next(below: 7)], sizes[numbers.next(below: 7)])
          try connection.run("UPDATE moved SET size = \(size), count = \(count) WHERE id = \(id)")
        }
      }
      try database.checkpointTruncate()
      doubled = try live.first { try copies($0) > 1 }
    }
    let id = try #require(doubled)
    _ = try database.write { try $0.run("DELETE FROM moved WHERE id = \(id)") }
    try database.checkpointTruncate()
    #expect(try copies(id) > 0)
    try database.removeDeletedBytes()
    #expect(try copies(id) == 0)
  }

  @Test func `truncating the write-ahead log removes deleted data from both files`() throws {
    let database = try fixture.database()
    try database.add("erased")
    _ = try database.write { try $0.run("DELETE FROM names") }
    try database.checkpointTruncate()
    for suffix in ["", "-wal"] {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: fixture.path + suffix))
      #expect(bytes.range(of: Data("erased".utf8)) == nil)
      #expect(suffix == "" || bytes.isEmpty)
    }
    #expect(throws: DatabaseError.self) {
      try database.read { _ in try database.checkpointTruncate() }
    }
  }
}
