import PolyclinicCore

/// Observes a database: its statements, its waits for a server, and how long its writers wait for
/// one another. The calls come from the thread of the transaction and must return quickly.
public protocol DatabaseObserver: Sendable {
  /// Called when a writer gets its turn or gives up waiting.
  func writerWaited(nanoseconds: UInt64)
  /// Called before a write runs again after a conflict with another writer: for the second time, or
  /// for a later one.
  func writeRepeats(run: Int)
  /// Called before a statement of a transaction runs.
  func statementRuns(_ statement: SQL)
  /// Called before a session waits for an answer of the database's server.
  func waitsForServer()
}

extension DatabaseObserver {
  /// Default: repeated writes are not observed.
  public func writeRepeats(run: Int) {}
  /// Default: statements are not observed.
  public func statementRuns(_ statement: SQL) {}
  /// Default: waits are not observed.
  public func waitsForServer() {}
}
