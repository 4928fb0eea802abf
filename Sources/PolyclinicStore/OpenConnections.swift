import PolyclinicCore
import PolyclinicSystem
import Synchronization

/// All connections of one database in this process, on any thread.
///
/// They share one write-ahead log. A second log means that the first was removed, and that later
/// commits would be lost.
final class OpenConnections: Sendable {
  private struct State {
    var isClosed = false
    var log: FileIdentity?
    var connections: [ObjectIdentifier: SQLiteConnection] = [:]
  }

  private let state = Mutex(State())

  /// Throws ``DatabaseError`` if the file at the path is not the log that open connections use.
  func verifyLog(at path: String) throws {
    try state.withLock { state in
      if state.connections.isEmpty || FileIdentity(path: path) == state.log { return }
      throw Self.lostLog
    }
  }

  /// Adds a connection. Throws ``DatabaseError`` after ``close()``, and if its log is not that of
  /// the others.
  func add(_ connection: SQLiteConnection, log: FileIdentity) throws {
    try state.withLock { state in
      if state.isClosed { throw DatabaseError.misuse("the database was closed") }
      if state.connections.isEmpty { state.log = log }
      guard state.log == log else { throw Self.lostLog }
      state.connections[ObjectIdentifier(connection)] = connection
    }
  }

  /// Removes a connection, and returns true if it was there. Only the caller that removed it may
  /// end its session, because a thread may end while ``close()`` runs.
  func remove(_ connection: SQLiteConnection) -> Bool {
    state.withLock { $0.connections.removeValue(forKey: ObjectIdentifier(connection)) != nil }
  }

  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Closes all connections, and prevents new ones. No thread may be in a transaction.
  func close() {
    let connections = state.withLock { state in
      state.isClosed = true
      defer { state.connections = [:] }
      return Array(state.connections.values)
    }
    for connection in connections { connection.endSession() }
  }

  /// The error that stops all writing: the log of the open connections is no longer the database's.
  static let lostLog = DatabaseError(
    .missing, code: 0,
    detail: "the write-ahead log (-wal) was removed or replaced (restart the portal)")
}
