import CSQLite
import Glibc
import PolyclinicCore

/// One thread's connection to the database: a session of its own for reads, and the one of the
/// process for writes. A session is opened on first use, and again after a failure that it might
/// not recover from.
final class SQLiteConnection: ThreadConnection {
  private let file: DatabaseFile
  private let siblings: OpenSessions
  private let reader: KeptSession
  private let writer: KeptSession
  private let logSync: LogSync
  /// The open transaction's purpose and session.
  private var transaction: (access: SQLiteSession.Access, session: SQLiteSession)?
  /// True if the next read continues the transaction of the previous one.
  private var isSharingReads = false
  private var writersLock: FileLock?
  private var lastLook: Int?
  private let uptime: @Sendable () -> Int
  private let observer: (any DatabaseObserver)?

  private lazy var reading = Connection(Runner(self, .reading))
  private lazy var writing = Connection(Runner(self, .writing(.waiting)))

  init(
    to file: DatabaseFile, among siblings: OpenSessions, _ writer: KeptSession, _ logSync: LogSync,
    uptime: @escaping @Sendable () -> Int, observer: (any DatabaseObserver)?
  ) {
    self.file = file
    self.siblings = siblings
    self.reader = KeptSession(of: file, among: siblings)
    self.writer = writer
    self.logSync = logSync
    self.uptime = uptime
    self.observer = observer
  }

  var isAbandoned: Bool { siblings.isClosed }

  func discard() { reader.discard() }

  /// See ``Database/giveMemoryBack()``.
  func giveMemoryBack() {
    reader.opened?.session.giveMemoryBack()
    do {
      try holdingWritersLock(.immediate) { writer.opened?.session.giveMemoryBack() }
    } catch {
      // Somebody writes, or this thread is in a transaction: the caches stay until the next call.
      // Without its lock file, the next write fails and says so.
    }
  }

  /// See ``Database/read(_:)``.
  func read<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    if transaction != nil { return try body(reading) }
    try lookForFile()
    if isSharingReads { return try sharedRead { _ in try body(reading) } }
    return try inTransaction(of: reader, for: .reading) { try body(reading) }
  }

  /// See ``Database/sharingReads(_:)``. No transaction begins before the first read.
  func sharingReads<Value>(_ body: (Connection) throws -> Value) rethrows -> Value {
    if isSharingReads || transaction != nil { return try body(reading) }
    isSharingReads = true
    defer {
      isSharingReads = false
      endSharedReads()
    }
    return try body(reading)
  }

  /// Runs `body` in the snapshot of ``sharingReads(_:)``, which begins if it has not.
  private func sharedRead<Value>(_ body: (SQLiteSession) throws -> Value) throws -> Value {
    let session = try reader.open().session
    do {
      if !session.isInTransaction { try session.begin(.reading) }
      transaction = (.reading, session)
      defer { transaction = nil }
      return try body(session)
    } catch {
      reader.endTransaction(after: error)
      throw error
    }
  }

  /// See ``Database/endSharedReads()``.
  func endSharedReads() {
    guard transaction == nil, let session = reader.opened?.session, session.isInTransaction else {
      return
    }
    do { try session.commit() } catch { reader.endTransaction(after: error) }
  }

  /// See ``Database/write(_:)``.
  func write<Value>(
    _ manner: SQLiteSession.Manner, _ body: (Connection) throws -> Value
  ) throws -> Value {
    let (value, log) = try holdingWritersLock(manner) {
      let log = try writer.open().log
      try writer.verify(log)
      try logSync.prepare(for: log)
      let value = try inTransaction(of: writer, for: .writing(manner)) { try body(writing) }
      return (value, log)
    }
    // A transaction that changed nothing may have read a commit that is not synced yet.
    try logSync.acknowledge()
    // The commit may be lost if the files were moved in the meantime, so it is not acknowledged
    // then.
    try writer.verify(log)
    return value
  }

  /// Runs `body` on the thread's own session while there is no writer. Throws ``DatabaseError``
  /// within a transaction.
  func outsideTransactions<Value>(_ body: (SQLiteSession) throws -> Value) throws -> Value {
    try holdingWritersLock(.waiting) {
      let opened = try reader.open()
      try reader.verify(opened.log)
      return try body(opened.session)
    }
  }

  private func holdingWritersLock<Value>(
    _ manner: SQLiteSession.Manner, _ body: () throws -> Value
  ) throws -> Value {
    guard transaction == nil else {
      throw DatabaseError.misuse("a write inside a transaction of the same thread")
    }
    endSharedReads()
    return try lock().hold(manner.timeout, body)
  }

  private func lock() throws -> FileLock {
    if let writersLock { return writersLock }
    let lock = try file.writersLock(observer)
    writersLock = lock
    return lock
  }

  /// Checks the file at most once a second, because the check takes as long as a small query. Data
  /// read from a file that was moved away is still correct.
  private func lookForFile() throws {
    let now = uptime()
    if now == lastLook { return }
    try file.verify()
    lastLook = now
  }

  private func inTransaction<Value>(
    of kept: KeptSession, for access: SQLiteSession.Access, _ body: () throws -> Value
  ) throws -> Value {
    let session = try kept.open().session
    do {
      try session.begin(access)
      transaction = (access, session)
      defer { transaction = nil }
      let value = try body()
      try session.commit()
      return value
    } catch {
      kept.endTransaction(after: error)
      throw error
    }
  }

  /// Runs the statements of a ``Connection`` of this thread.
  private final class Runner: Connection.StatementRunner {
    private unowned let connection: SQLiteConnection
    private let access: SQLiteSession.Access

    init(_ connection: SQLiteConnection, _ access: SQLiteSession.Access) {
      self.connection = connection
      self.access = access
    }

    func run(_ statement: SQL, _ body: (Row) throws -> Void) throws -> Int {
      connection.observer?.statementRuns(statement)
      if !access.isWriting, connection.transaction == nil, connection.isSharingReads {
        try connection.lookForFile()
        return try connection.sharedRead { try $0.run(statement, for: access, body) }
      }
      return try session.run(statement, for: access, body)
    }

    // Takes the id from the session and not from RETURNING, for which SQLite creates a table and a
    // journal of its own.
    func insert(_ statement: SQL) throws -> Int64 {
      connection.observer?.statementRuns(statement)
      let session = try session
      guard try session.run(statement, for: access, { _ in }) == 1 else {
        throw DatabaseError(.other, code: 0, detail: "an INSERT inserted no row, or several")
      }
      return session.lastIdentity
    }

    // The INSERT itself stores the number as the last one.
    func number(in table: SQL) throws -> Int64 { try lastNumber(in: table) + 1 }

    // The next INSERT takes the number after `seq`, or after the highest in the table
    // (sqlite.org/autoinc.html). That is never higher, because no statement changes a number.
    private func lastNumber(in table: SQL) throws -> Int64 {
      guard access.isWriting else {
        throw DatabaseError.misuse("numbers reserved outside of a write transaction")
      }
      let name = table.rendered(.sqlite).text
      var last: Int64 = 0
      _ = try run("SELECT seq FROM sqlite_sequence WHERE name = \(name)") { row in
        last = Int64(row.int(0))
      }
      return last
    }

    func reserve(_ count: Int, in table: SQL) throws -> [Int64] {
      let last = try lastNumber(in: table)
      let name = table.rendered(.sqlite).text
      let next = last + Int64(count)
      // The table has no row for a name before the first INSERT.
      if try run("UPDATE sqlite_sequence SET seq = \(next) WHERE name = \(name)", { _ in }) == 0 {
        _ = try run("INSERT INTO sqlite_sequence (name, seq) VALUES (\(name), \(next))") { _ in }
      }
      return Array(last + 1...next)
    }

    /// The open session. Throws ``DatabaseError`` after the end of the transaction.
    private var session: SQLiteSession {
      get throws {
        guard let (current, session) = connection.transaction,
          !access.isWriting || current.isWriting
        else { throw DatabaseError.misuse("a connection used after its transaction") }
        // On a full disk, SQLite rolls back the whole transaction. A caller that caught that error
        // must not commit later statements one by one.
        guard session.isInTransaction else {
          throw DatabaseError.misuse("the transaction was undone after an earlier error")
        }
        return session
      }
    }
  }
}
