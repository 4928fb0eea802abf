import Foundation
import PolyclinicCore
import Synchronization
import Testing

@testable import PolyclinicStore

@Suite struct LogSyncTests {
  /// Syncs that wait for the test's permission, and fail if the test says so.
  private final class Disk: Sendable {
    let begun = DispatchSemaphore(value: 0)
    let permission = DispatchSemaphore(value: 0)
    let count = Atomic(0)
    let error = Atomic<Int32>(0)

    func sync(_ descriptor: Int32) -> Int32 {
      count.add(1, ordering: .relaxed)
      begun.signal()
      permission.wait()
      let error = error.load(ordering: .relaxed)
      return error == 0 ? LogSync.dataSync(descriptor) : error
    }
  }

  private let fixture: Fixture
  private let disk = Disk()
  private let database: SQLiteDatabase

  init() throws {
    fixture = try Fixture()
    try fixture.database().close()
    let disk = disk
    database = SQLiteDatabase(
      try DatabaseFile(existing: fixture.path), SQLiteDatabase.uptime, nil, sync: disk.sync)
  }

  /// Begins writes on threads of their own and returns a group that ends with them.
  private func write(
    _ names: [String], acknowledged: @escaping @Sendable (DatabaseError.Kind?) -> Void
  ) -> DispatchGroup {
    let group = DispatchGroup()
    for name in names {
      group.enter()
      Thread { [database] in
        acknowledged(kind { try database.add(name) })
        group.leave()
      }.start()
    }
    return group
  }

  private func waitUntil(_ count: Int) {
    while database.logSync.waitingCount < count { sched_yield() }
  }

  @Test func `writers that commit during a sync are acknowledged together by the next one`() throws
  {
    let acknowledged = Mutex(0)
    let first = write(["a"]) { _ in acknowledged.withLock { $0 += 1 } }
    disk.begun.wait()
    let others = write(["b", "c", "d"]) { _ in acknowledged.withLock { $0 += 1 } }
    waitUntil(3)
    #expect(try database.names() == ["a", "b", "c", "d"])
    #expect(acknowledged.withLock { $0 } == 0)

    disk.permission.signal()
    first.wait()
    disk.begun.wait()
    #expect(acknowledged.withLock { $0 } == 1)

    disk.permission.signal()
    others.wait()
    #expect(acknowledged.withLock { $0 } == 4)
    #expect(disk.count.load(ordering: .relaxed) == 2)
  }

  @Test func `a transaction that changes nothing waits for a sync as well`() throws {
    disk.permission.signal()
    try database.write { _ in }
    #expect(disk.count.load(ordering: .relaxed) == 1)
  }

  @Test func `after a failed sync the process refuses every write, and still reads`() throws {
    disk.permission.signal()
    try database.add("a")
    disk.begun.wait()

    disk.error.store(EIO, ordering: .relaxed)
    let kinds = Mutex<[DatabaseError.Kind?]>([])
    let first = write(["b"]) { kind in kinds.withLock { $0.append(kind) } }
    disk.begun.wait()
    let second = write(["c"]) { kind in kinds.withLock { $0.append(kind) } }
    waitUntil(1)
    disk.permission.signal()
    first.wait()
    second.wait()
    #expect(kinds.withLock { $0 } == [.readOnly, .readOnly])

    disk.error.store(0, ordering: .relaxed)
    #expect(kind { try database.add("d") } == .readOnly)
    #expect(kind { _ = try database.writeIfFree { _ in } } == .readOnly)
    #expect(disk.count.load(ordering: .relaxed) == 2)
    #expect(try database.names().contains("a"))
  }

  @Test func `another thread's write is seen by the next read of each thread`() throws {
    for _ in 0..<3 { disk.permission.signal() }
    #expect(try database.names() == [])
    let database = database
    for name in ["a", "b", "c"] {
      try onThreads(1) { _ in try database.add(name) }
      #expect(try database.names().last == name)
    }
  }
}
