import PolyclinicCore
import PolyclinicSystem
import Synchronization

/// All sessions of one database in this process, on any thread.
///
/// They share one write-ahead log. A second log means that the first was removed, and that later
/// commits would be lost.
final class OpenSessions: Sendable {
  private struct State {
    var isClosed = false
    var log: FileIdentity?
    var sessions: [ObjectIdentifier: KeptSession] = [:]
  }

  private let state = Mutex(State())

  /// Throws ``DatabaseError`` if the file at the path is not the log that open sessions use.
  func verifyLog(at path: String) throws {
    try state.withLock { state in
      if state.sessions.isEmpty || FileIdentity(path: path) == state.log { return }
      throw Self.lostLog
    }
  }

  /// Adds a session. Throws ``DatabaseError`` after ``close()``, and if its log is not that of
  /// the others.
  func add(_ session: KeptSession, log: FileIdentity) throws {
    try state.withLock { state in
      if state.isClosed { throw DatabaseError.misuse("the database was closed") }
      if state.sessions.isEmpty { state.log = log }
      guard state.log == log else { throw Self.lostLog }
      state.sessions[ObjectIdentifier(session)] = session
    }
  }

  /// Removes a session, and returns true if it was there. Only the caller that removed it may end
  /// it, because a thread may end while ``close()`` runs.
  func remove(_ session: KeptSession) -> Bool {
    state.withLock { $0.sessions.removeValue(forKey: ObjectIdentifier(session)) != nil }
  }

  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Ends all sessions, and prevents new ones. No thread may be in a transaction.
  func close() {
    let sessions = state.withLock { state in
      state.isClosed = true
      defer { state.sessions = [:] }
      return Array(state.sessions.values)
    }
    for session in sessions { session.end() }
  }

  /// The error that stops all writing: the log of the open sessions is no longer the database's.
  static let lostLog = DatabaseError(
    .missing, code: 0,
    detail: "the write-ahead log (-wal) was removed or replaced (restart the portal)")
}
