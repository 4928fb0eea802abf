import PolyclinicCore
import PolyclinicStore
import Synchronization

/// A portal's database in which each write meets other writers.
///
/// - The closure of each write runs twice, as after a conflict between machines: the first run is
///   rolled back, and the second is committed. An effect of the closure outside its connection is
///   thus seen twice, and fails the test that looks at it. An error of the first run is thrown at
///   once. Only on SQLite: on a server a run that is rolled back uses up numbers.
/// - A test may change something just before the next transaction, as another process could while
///   a password is hashed.
final class InterruptedDatabase: StoredDatabase {
  typealias Change = @Sendable (Connection) throws -> Void

  private let database: any StoredDatabase
  private let change = Mutex<Change?>(nil)
  private let repeatsWrites: Mutex<Bool>

  /// Rolls back the first run of a closure.
  private struct Conflict: Error {}

  init(_ database: any StoredDatabase) {
    self.database = database
    repeatsWrites = Mutex(database.dialect == .sqlite)
  }

  /// Runs `body`, during which the closure of each write runs only once.
  func withoutRepeating<Value>(_ body: () throws -> Value) rethrows -> Value {
    let before = repeatsWrites.withLock { repeats in
      defer { repeats = false }
      return repeats
    }
    defer { repeatsWrites.withLock { $0 = before } }
    return try body()
  }

  /// Runs the change once, in a transaction of its own, before the next call of ``write(_:)``.
  func beforeNextWrite(_ change: @escaping Change) { self.change.withLock { $0 = change } }

  func read<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    try database.read(body)
  }

  func sharingReads<Value>(_ body: (Connection) throws -> Value) rethrows -> Value {
    try database.sharingReads(body)
  }

  func endSharedReads() { database.endSharedReads() }

  func write<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    let change = change.withLock { waiting in
      defer { waiting = nil }
      return waiting
    }
    if let change { try database.write(change) }
    if repeatsWrites.withLock(\.self) {
      do { try database.write { try Self.conflict(after: body, on: $0) } } catch is Conflict {}
    }
    return try database.write(body)
  }

  func writeIfFree<Value>(_ body: (Connection) throws -> Value) throws -> Value? {
    if repeatsWrites.withLock(\.self) {
      do {
        try database.writeIfFree { try Self.conflict(after: body, on: $0) }
        return nil
      } catch is Conflict {}
    }
    return try database.writeIfFree(body)
  }

  /// Runs `body`, and throws ``Conflict`` once it has returned.
  private static func conflict<Value>(
    after body: (Connection) throws -> Value, on connection: Connection
  ) throws {
    _ = try body(connection)
    throw Conflict()
  }

  func giveMemoryBack() { database.giveMemoryBack() }

  func removeDeletedBytes() throws { try database.removeDeletedBytes() }

  func removeDeletedBytes(for caller: DatabaseCaller) throws {
    try database.removeDeletedBytes(for: caller)
  }

  var dialect: SQL.Dialect { database.dialect }

  func migrating<Value>(_ wait: MigrationWait, _ body: () throws -> Value) throws -> Value {
    try database.migrating(wait, body)
  }

  func snapshot<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    try database.snapshot(body)
  }

  func filling<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    try database.filling(body)
  }

  func lastIdentities(on connection: Connection) throws -> [String: Int64] {
    try database.lastIdentities(on: connection)
  }

  func raiseIdentities(_ least: [String: Int64], on connection: Connection) throws {
    try database.raiseIdentities(least, on: connection)
  }

  func tables(on connection: Connection) throws -> [StoredTable] {
    try database.tables(on: connection)
  }

  func integrityProblems() throws -> [String] { try database.integrityProblems() }

  func close() { database.close() }
}
