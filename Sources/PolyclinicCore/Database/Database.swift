/// The database of the portal. All calls are synchronous and belong to the calling thread.
public protocol Database: Sendable {
  /// Runs `body` in a read-only transaction on one consistent snapshot of the data.
  ///
  /// Inside a `read` or `write` of the same thread, `body` runs in that transaction.
  func read<Value>(_ body: (Connection) throws -> Value) throws -> Value

  /// Runs `body` with a connection whose reads share one snapshot, which begins with the first of
  /// them. A write of the same thread ends the snapshot, and reads after it see a later one.
  ///
  /// Meant for work that takes as long as a page. The connection must not outlive `body`.
  func sharingReads<Value>(_ body: (Connection) throws -> Value) rethrows -> Value

  /// Ends the snapshot of ``sharingReads(_:)`` of the calling thread; its next read begins a later
  /// one. Called before work that takes long and reads nothing, because a snapshot keeps others
  /// from emptying the log.
  func endSharedReads()

  /// Runs `body` in a transaction: commits it if `body` returns, and rolls it back if `body`
  /// throws.
  ///
  /// - Writers queue. Throws ``DatabaseError`` of kind `busy` if the caller has waited for some
  ///   seconds.
  /// - Calls must not be nested.
  ///
  /// `body` may run several times, because an engine repeats a transaction after a conflict with
  /// another writer. Only the changes of the last run stay, and only its value is returned. An error
  /// of `body` itself is thrown at once. Therefore `body`:
  ///
  /// - changes rows by the connection that it gets alone, and keeps it no longer than it runs.
  /// - decides by what it reads from that connection. A row that was read earlier may have changed.
  /// - changes nothing else: no file, log, cache, counter or rate limit, and no value of its caller.
  ///   It returns what the caller needs, such as the lines to log after the commit. If it must assign
  ///   a variable of its caller, it does so in each run.
  /// - does not send anything, or start a program. It stores a notice or an e-mail, which is sent
  ///   after the commit.
  /// - does not read the clock, but gets the time from its caller, so that all runs have the same. It
  ///   may draw random values, such as tokens: those of the last run are stored and returned.
  /// - lets each ``DatabaseError`` pass, or throws another error in its place, because some engines
  ///   end the transaction at a statement that fails. To go on after a row that is there already, it
  ///   uses `ON CONFLICT`.
  @discardableResult
  func write<Value>(_ body: (Connection) throws -> Value) throws -> Value

  /// Runs `body` like ``write(_:)``, but each of its statements sees what others have committed until
  /// then. Such a transaction never conflicts with those that change other rows.
  ///
  /// Meant for rows on which no other data depends and that each request writes, such as the counts
  /// of a rate limit. `body`:
  ///
  /// - changes a row by one statement that computes the new values of the old ones, such as
  ///   `INSERT … ON CONFLICT … DO UPDATE`. `RETURNING`, or the number of changed rows, tells what it
  ///   has done. Until the end of the transaction nobody else changes such a row.
  /// - decides by nothing that another statement has read before. A row that was only read may have
  ///   changed, and a row that was missing may be there.
  /// - names several rows in the same order always. Two transactions that wait for one another's rows
  ///   run again.
  ///
  /// Everything else needs ``write(_:)``.
  @discardableResult
  func writeIndependently<Value>(_ body: (Connection) throws -> Value) throws -> Value

  /// Runs `body` like ``write(_:)`` if there is no other writer. Otherwise returns nil at once, and
  /// no change of `body` stays.
  ///
  /// Meant for writes that may be left out, such as the time at which a session was last seen.
  @discardableResult
  func writeIfFree<Value>(_ body: (Connection) throws -> Value) throws -> Value?

  /// Frees caches, such as pages of a file: those of the calling thread, and those that threads
  /// share if none is using them. The next calls are slower, so this is meant for a thread that has
  /// been idle for a while.
  func giveMemoryBack()

  /// Removes what deleted rows have left in the engine's files. Throws ``DatabaseError`` if another
  /// transaction needs the files for some seconds, or if there is no room to write them anew.
  func removeDeletedBytes() throws

  /// Returns the properties of the database's server that an administrator should change. Throws
  /// ``DatabaseError``.
  func warnings() throws -> [DatabaseWarning]
}

extension Database {
  /// Default: the same as ``write(_:)``.
  @discardableResult
  public func writeIndependently<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    try write(body)
  }

  /// Default: there are no caches to free.
  public func giveMemoryBack() {}

  /// Default: the engine leaves nothing.
  public func removeDeletedBytes() throws {}

  /// Default: there is no server.
  public func warnings() throws -> [DatabaseWarning] { [] }
}

/// A property of the database's server that an administrator should change.
public enum DatabaseWarning: String, CaseIterable, Sendable {
  /// A commit waits for no standby, so that the loss of the server loses the latest ones.
  case standby
  /// Texts are sorted by the rules of a language and not by their bytes.
  case collation
  /// The server's clock differs from this machine's by more than five seconds.
  case clock
}

/// An error of a database engine.
public struct DatabaseError: Error, Sendable {
  /// The kinds of errors that callers can tell apart.
  public enum Kind: Sendable, Equatable {
    /// A UNIQUE index or primary key already holds the value.
    case unique
    /// A foreign key refers to nothing, or is still referred to.
    case foreignKey
    /// Another constraint of the schema (NOT NULL, CHECK, type).
    case constraint
    /// Other writers kept the database locked for too long.
    case busy
    /// The disk is full.
    case full
    /// The file can be read but not written.
    case readOnly
    /// The file is missing, or another file has taken its place.
    case missing
    /// The file is damaged.
    case corrupt
    /// Nobody can tell whether the transaction was committed: the connection to the server was lost
    /// at its end.
    case unknown
    /// An error that callers cannot act upon.
    case other
  }

  /// The kind of the error, for callers to act upon.
  public let kind: Kind
  /// The engine's own extended error code.
  public let code: Int
  /// The operation that failed, without any value of a row, so that it is safe to log.
  public let detail: String

  /// Creates an error. `detail` must not quote a value of a row, because it is logged.
  public init(_ kind: Kind, code: Int, detail: String) {
    self.kind = kind
    self.code = code
    self.detail = detail
  }
}
