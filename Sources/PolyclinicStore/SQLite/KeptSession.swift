import PolyclinicCore
import PolyclinicSystem

/// A session that is opened on first use, and again after a failure that it might not recover from.
///
/// Unchecked, because it is used either by one thread, or only by the holder of the writers' lock,
/// until that thread ends or the database is no longer in use.
package final class KeptSession: @unchecked Sendable {
  /// A session and the write-ahead log that it uses.
  package struct Opened {
    package let session: SQLiteSession
    let log: FileIdentity
  }

  private let file: DatabaseFile
  private let siblings: OpenSessions
  private(set) var opened: Opened?

  init(of file: DatabaseFile, among siblings: OpenSessions) {
    self.file = file
    self.siblings = siblings
  }

  /// Returns the open session, or opens one. Throws ``DatabaseError``.
  package func open() throws -> Opened {
    if let opened { return opened }
    try file.verify()
    try siblings.verifyLog(at: file.logPath)
    let session = try SQLiteSession(opening: file.path)
    try file.verify()
    guard let log = FileIdentity(path: file.logPath) else { throw OpenSessions.lostLog }
    try siblings.add(self, log: log)
    let new = Opened(session: session, log: log)
    opened = new
    return new
  }

  /// Throws ``DatabaseError`` of kind `missing` unless the file and this log are still in place.
  func verify(_ log: FileIdentity) throws {
    try file.verify()
    guard FileIdentity(path: file.logPath) == log else { throw OpenSessions.lostLog }
  }

  /// Ends the session. The next use opens another one.
  func discard() {
    // Removed first, because the last session to end removes the log and the next one creates
    // another.
    if siblings.remove(self) { end() }
  }

  /// Ends the session, after ``OpenSessions`` has removed it.
  func end() { opened = nil }

  /// Ends any open transaction: rolls it back, or closes the session if that fails.
  func endTransaction(after error: any Error) {
    guard let opened else { return }
    do {
      try opened.session.rollBack()
    } catch {
      return discard()
    }
    switch (error as? DatabaseError)?.kind {
    case .corrupt, .missing, .other: discard()
    default: break
    }
  }
}
