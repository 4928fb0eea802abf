import PolyclinicCore
import Synchronization

/// All connections of one database in this process, whichever thread they belong to.
///
/// They share one write-ahead log; a second log beside the first means that somebody removed it,
/// and what is committed from then on would be lost.
final class OpenConnections: Sendable {
  private struct State {
    var isClosed = false
    var log: FileIdentity?
    var connections: [ObjectIdentifier: SQLiteConnection] = [:]
  }

  private let state = Mutex(State())

  /// Throws ``DatabaseError`` when the file at the path is not the log that open connections use.
  func verifyLog(at path: String) throws {
    try state.withLock { state in
      if state.connections.isEmpty || FileIdentity(path: path) == state.log { return }
      throw Self.lostLog
    }
  }

  /// Throws ``DatabaseError`` after ``close()``, and when the log is not the one that the others use.
  func add(_ connection: SQLiteConnection, log: FileIdentity) throws {
    try state.withLock { state in
      if state.isClosed { throw DatabaseError.misuse("the database was closed") }
      if state.connections.isEmpty { state.log = log }
      guard state.log == log else { throw Self.lostLog }
      state.connections[ObjectIdentifier(connection)] = connection
    }
  }

  /// Whether it was there: only who takes a connection out may end its session, since a thread may
  /// end while ``close()`` runs.
  func remove(_ connection: SQLiteConnection) -> Bool {
    state.withLock { $0.connections.removeValue(forKey: ObjectIdentifier(connection)) != nil }
  }

  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Closes all connections, and lets no new one open. No thread may be in a transaction.
  func close() {
    let connections = state.withLock { state in
      state.isClosed = true
      defer { state.connections = [:] }
      return Array(state.connections.values)
    }
    for connection in connections { connection.endSession() }
  }

  /// Writing cannot go on: the log that the connections write to is no longer the database's.
  static let lostLog = DatabaseError(
    .missing, code: 0,
    detail: "the write-ahead log (-wal) was removed or replaced (restart the portal)")
}
