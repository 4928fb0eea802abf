import Glibc
import PolyclinicCore
import Synchronization
import Testing

@testable import PolyclinicStore

@Suite struct QueueTests {
  let fixture: Fixture
  let database: SQLiteDatabase

  init() throws {
    fixture = try Fixture()
    database = try fixture.database()
  }

  @Test func `waiting for the lock longer than the timeout fails as busy`() throws {
    let lock = try FileLock(fixture.path + ".lock", beside: DatabaseFile(existing: fixture.path))
    try holdingTheLock { () throws in
      for _ in 0..<2 {
        #expect(kind { try lock.hold(.atMost(milliseconds: 20)) {} } == .busy)
      }
    }
    #expect(kind { try lock.hold(.atMost(milliseconds: 20)) {} } == nil)
  }

  @Test func `each waiting thread gets the lock, and only one holds it at a time`() throws {
    let path = fixture.path
    let inside = Atomic(0)
    let turns = Atomic(0)
    let meetings = Atomic(0)
    try onThreads(8) { _ in
      let lock = try FileLock(path + ".lock", beside: DatabaseFile(existing: path))
      for _ in 0..<200 {
        try lock.hold(.atMost(milliseconds: 60_000)) {
          if inside.add(1, ordering: .relaxed).oldValue > 0 { meetings.add(1, ordering: .relaxed) }
          // Lets the other threads run: without the lock, some of them would be inside.
          sched_yield()
          inside.subtract(1, ordering: .relaxed)
          turns.add(1, ordering: .relaxed)
        }
      }
    }
    #expect(meetings.load(ordering: .relaxed) == 0)
    #expect(turns.load(ordering: .relaxed) == 8 * 200)
  }

  @Test func `writeIfFree returns nil without waiting while another writer is active`() throws {
    let database = database
    try holdingTheLock { () throws in
      #expect(try database.writeIfFree { try $0.run("INSERT INTO names VALUES ('a')") } == nil)
    }
    try database.write { _ in
      try onThreads(1) { _ in
        let done: Void? = try database.writeIfFree { _ in }
        #expect(done == nil)
      }
    }
    #expect(try database.names() == [])
    let added = try database.writeIfFree { try $0.runCounting("INSERT INTO names VALUES ('a')") }
    #expect(added == 1)
    #expect(try database.names() == ["a"])
  }

  @Test func `memory is freed beside a writer without waiting for it or disturbing it`() throws {
    let database = database
    try database.write { connection in
      try connection.run("INSERT INTO names VALUES ('a')")
      try onThreads(1) { _ in
        _ = try database.names()
        database.giveMemoryBack()
      }
      try connection.run("INSERT INTO names VALUES ('b')")
    }
    #expect(try database.names() == ["a", "b"])
  }

  @Test func `a lock path that is a symbolic link is refused and not followed`() throws {
    let path = fixture.path + ".other.lock"
    symlink(fixture.path + ".elsewhere", path)
    #expect(throws: DatabaseError.self) {
      _ = try FileLock(path, beside: DatabaseFile(existing: fixture.path))
    }
    #expect(access(fixture.path + ".elsewhere", F_OK) != 0)
  }

  @Test(.enabled(if: geteuid() == 0, "only root gives files away"))
  func `a lock file with a second hard link is refused`() throws {
    let path = fixture.path + ".other.lock"
    try DatabaseFile.create(path)
    link(path, path + ".second")
    #expect(throws: DatabaseError.self) {
      _ = try FileLock(path, beside: DatabaseFile(existing: fixture.path))
    }
  }

  @Test func `reading and opening a database do not wait for the lock`() throws {
    let path = fixture.path
    try holdingTheLock { () throws in
      #expect(try database.names() == [])
      #expect(try SQLiteDatabase.open(path).names() == [])
    }
  }

  /// Runs `body` while a separate descriptor holds the lock, as another process would.
  private func holdingTheLock(_ body: () throws -> Void) throws {
    let descriptor = open(fixture.path + ".lock", O_RDWR | O_CLOEXEC)
    defer { close(descriptor) }
    try #require(flock(descriptor, LOCK_EX) == 0)
    try body()
  }
}
