import PolyclinicCore
import PolyclinicServing
import PolyclinicStore

/// The database of the jobs of several machines: it writes only while this machine holds the lease.
/// Each transaction checks that for itself, because a paused process may wake up long after another
/// machine has taken over.
final class LeasedDatabase: StoredDatabase {
  private let database: any StoredDatabase
  private let lease: JobLease

  init(_ database: any StoredDatabase, _ lease: JobLease) {
    self.database = database
    self.lease = lease
  }

  /// Returns the database itself if there is no lease.
  static func wrapping(
    _ database: any StoredDatabase, _ lease: JobLease?
  ) -> any StoredDatabase {
    lease.map { LeasedDatabase(database, $0) } ?? database
  }

  func write<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    try database.write { connection in
      try lease.requireHeld(on: connection)
      return try body(connection)
    }
  }

  func writeIfFree<Value>(_ body: (Connection) throws -> Value) throws -> Value? {
    try database.writeIfFree { connection in
      try lease.requireHeld(on: connection)
      return try body(connection)
    }
  }

  func filling<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    try database.filling { connection in
      try lease.requireHeld(on: connection)
      return try body(connection)
    }
  }

  func read<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    try database.read(body)
  }

  func sharingReads<Value>(_ body: (Connection) throws -> Value) rethrows -> Value {
    try database.sharingReads(body)
  }

  func endSharedReads() { database.endSharedReads() }

  func snapshot<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    try database.snapshot(body)
  }

  func migrating<Value>(_ wait: MigrationWait, _ body: () throws -> Value) throws -> Value {
    try database.migrating(wait, body)
  }

  func giveMemoryBack() { database.giveMemoryBack() }

  func removeDeletedBytes() throws { try database.removeDeletedBytes() }

  func removeDeletedBytes(for caller: DatabaseCaller) throws {
    try database.removeDeletedBytes(for: caller)
  }

  var dialect: SQL.Dialect { database.dialect }

  func tables(on connection: Connection) throws -> [StoredTable] {
    try database.tables(on: connection)
  }

  func lastIdentities(on connection: Connection) throws -> [String: Int64] {
    try database.lastIdentities(on: connection)
  }

  func raiseIdentities(_ least: [String: Int64], on connection: Connection) throws {
    try database.raiseIdentities(least, on: connection)
  }

  func integrityProblems() throws -> [String] { try database.integrityProblems() }

  func close() { database.close() }
}
