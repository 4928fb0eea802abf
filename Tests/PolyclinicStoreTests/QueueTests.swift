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

  @Test func `whoever waits for its turn for too long is told that others are busy`() throws {
    let lock = try FileLock(fixture.path + ".lock", beside: DatabaseFile(existing: fixture.path))
    try holdingTheLock { () throws in
      for _ in 0..<2 {
        #expect(kind { try lock.hold(.atMost(milliseconds: 20)) {} } == .busy)
      }
    }
    #expect(kind { try lock.hold(.atMost(milliseconds: 20)) {} } == nil)
  }

  @Test func `whoever waits gets its turn when the other lets go, and goes alone`() throws {
    let path = fixture.path
    let inside = Atomic(0)
    let turns = Atomic(0)
    let meetings = Atomic(0)
    try onThreads(8) { _ in
      let lock = try FileLock(path + ".lock", beside: DatabaseFile(existing: path))
      for _ in 0..<200 {
        try lock.hold(.atMost(milliseconds: 60_000)) {
          if inside.add(1, ordering: .relaxed).oldValue > 0 { meetings.add(1, ordering: .relaxed) }
          // The others come to run: without the lock some of them would be inside.
          sched_yield()
          inside.subtract(1, ordering: .relaxed)
          turns.add(1, ordering: .relaxed)
        }
      }
    }
    #expect(meetings.load(ordering: .relaxed) == 0)
    #expect(turns.load(ordering: .relaxed) == 8 * 200)
  }

  @Test func `a write that may be left out waits for nobody`() throws {
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
    #expect(try database.writeIfFree { try $0.run("INSERT INTO names VALUES ('a')") } == 1)
    #expect(try database.names() == ["a"])
  }

  @Test func `a link in the lock's place is not followed`() throws {
    let path = fixture.path + ".other.lock"
    symlink(fixture.path + ".elsewhere", path)
    #expect(throws: DatabaseError.self) {
      _ = try FileLock(path, beside: DatabaseFile(existing: fixture.path))
    }
    #expect(access(fixture.path + ".elsewhere", F_OK) != 0)
  }

  @Test(.enabled(if: geteuid() == 0, "only root gives files away"))
  func `a file with a second name is not given away as a lock`() throws {
    let path = fixture.path + ".other.lock"
    try DatabaseFile.create(path)
    link(path, path + ".second")
    #expect(throws: DatabaseError.self) {
      _ = try FileLock(path, beside: DatabaseFile(existing: fixture.path))
    }
  }

  @Test func `readers and those who open the database do not queue`() throws {
    let path = fixture.path
    try holdingTheLock { () throws in
      #expect(try database.names() == [])
      #expect(try SQLiteDatabase.open(path).names() == [])
    }
  }

  /// As another process would, through a descriptor of its own.
  private func holdingTheLock(_ body: () throws -> Void) throws {
    let descriptor = open(fixture.path + ".lock", O_RDWR | O_CLOEXEC)
    defer { close(descriptor) }
    try #require(flock(descriptor, LOCK_EX) == 0)
    try body()
  }
}
