import PolyclinicCore
import PolyclinicStore
import Synchronization

/// A portal's database in which a test changes something just before the next transaction, as
/// another process could while a password is hashed.
final class InterruptedDatabase: StoredDatabase {
  typealias Change = @Sendable (Connection) throws -> Void

  private let database: SQLiteDatabase
  private let change = Mutex<Change?>(nil)

  init(_ database: SQLiteDatabase) { self.database = database }

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
    return try database.write(body)
  }

  func writeIfFree<Value>(_ body: (Connection) throws -> Value) throws -> Value? {
    try database.writeIfFree(body)
  }

  func giveMemoryBack() { database.giveMemoryBack() }

  func removeDeletedBytes() throws { try database.removeDeletedBytes() }

  var dialect: SQL.Dialect { database.dialect }

  func migrating<Value>(_ wait: MigrationWait, _ body: () throws -> Value) throws -> Value {
    try database.migrating(wait, body)
  }

  func tables(on connection: Connection) throws -> [StoredTable] {
    try database.tables(on: connection)
  }

  func integrityProblems() throws -> [String] { try database.integrityProblems() }

  func close() { database.close() }
}
