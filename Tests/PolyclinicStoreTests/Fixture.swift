import Foundation
import PolyclinicCore
import PolyclinicStore
import Synchronization
import Testing

/// A temporary directory for one test's database, removed with the last reference to it.
final class Fixture {
  let directory: String
  var path: String { directory + "/test.sqlite" }

  init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    directory = url.path
  }

  deinit {
    // A database that closes at this moment deletes files of its own.
    do {
      do { try remove() } catch CocoaError.fileNoSuchFile { try remove() }
    } catch {
      Issue.record(error)
    }
  }

  private func remove() throws { try FileManager.default.removeItem(atPath: directory) }

  /// Creates a database with people, notes about them, and a table of unique names.
  func database() throws -> SQLiteDatabase {
    let clock = Clock()
    let database = try SQLiteDatabase.create(path) { clock.next() }
    try database.addTables()
    return database
  }

  func move(_ name: String, to other: String) throws {
    try FileManager.default.moveItem(
      atPath: directory + "/" + name, toPath: directory + "/" + other)
  }
}

enum Note: Sendable {}

/// An engine, for the tests of what both have in common.
enum Engine: CaseIterable, Sendable {
  case sqlite, postgresql

  /// Calls `body` with a new database of the engine with the tables of ``Fixture``.
  func withDatabase(_ body: (any StoredDatabase) throws -> Void) throws {
    switch self {
    case .sqlite:
      let fixture = try Fixture()
      try body(fixture.database())
      withExtendedLifetime(fixture) {}
    case .postgresql: try body(ServerFixture().database)
    }
  }
}

extension StoredDatabase {
  func addTables() throws {
    _ = try write { connection in
      try connection.run("CREATE TABLE people (id_person \(.identity)) \(.strict)")
      try connection.run(
        """
        CREATE TABLE notes (
          id_note \(.identity), person \(.person), author \(.actor), body TEXT NOT NULL
        ) \(.strict)
        """)
      try connection.run("CREATE TABLE names (name TEXT NOT NULL UNIQUE) \(.strict)")
    }
  }

  func add(_ name: String) throws {
    _ = try write { try $0.run("INSERT INTO names (name) VALUES (\(name))") }
  }

  func names() throws -> [String] {
    try read { try $0.rows("SELECT name FROM names ORDER BY name") { $0.string(0) } }
  }
}

/// Returns the kind of the ``DatabaseError`` that `body` throws, or nil if it throws none.
func kind(_ body: () throws -> Void) -> DatabaseError.Kind? {
  do {
    try body()
    return nil
  } catch {
    return (error as? DatabaseError)?.kind
  }
}

/// Runs `body` on `count` threads, waits for all of them, and rethrows the first error.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
  let errors = Errors()
  let group = DispatchGroup()
  for index in 0..<count {
    group.enter()
    Thread {
      do { try body(index) } catch { errors.append(error) }
      group.leave()
    }.start()
  }
  group.wait()
  if let error = errors.first { throw error }
}

/// A clock that advances by one second with each reading.
private final class Clock: Sendable {
  private let seconds = Atomic(0)

  func next() -> Int { seconds.add(1, ordering: .relaxed).newValue }
}

private final class Errors: @unchecked Sendable {
  private let lock = NSLock()
  private var errors: [any Error] = []

  var first: (any Error)? { lock.withLock { errors.first } }

  func append(_ error: any Error) { lock.withLock { errors.append(error) } }
}
