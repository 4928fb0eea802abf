import CSQLite
import Glibc
import PolyclinicCore
import PolyclinicSystem

/// One thread's connection to the database. It is opened on first use, and again after a failure
/// that its session might not recover from.
///
/// Unchecked, because only its own thread uses it, until that thread ends or the database is no
/// longer in use.
final class SQLiteConnection: @unchecked Sendable {
  private let file: DatabaseFile
  private let siblings: OpenConnections
  private var opened: Opened?
  private var access: SQLiteSession.Access?
  /// True if the next read continues the transaction of the previous one.
  private var isSharingReads = false
  private var writersLock: FileLock?
  private var lastLook: Int?
  private let uptime: @Sendable () -> Int
  private let observer: (any WriteQueueObserver)?

  private lazy var reading = Connection(Runner(self, .reading))
  private lazy var writing = Connection(Runner(self, .writing(.patient)))

  private struct Opened {
    let session: SQLiteSession
    let log: FileIdentity
  }

  init(
    to file: DatabaseFile, among siblings: OpenConnections, uptime: @escaping @Sendable () -> Int,
    observer: (any WriteQueueObserver)?
  ) {
    self.observer = observer
    self.file = file
    self.siblings = siblings
    self.uptime = uptime
  }

  func belongs(to database: OpenConnections) -> Bool { siblings === database }

  /// True if its database was closed.
  var isAbandoned: Bool { siblings.isClosed }

  /// Ends the session, after ``OpenConnections`` has removed this connection.
  func endSession() { opened = nil }

  /// See ``Database/giveMemoryBack()``.
  func giveMemoryBack() { opened?.session.giveMemoryBack() }

  /// See ``Database/read(_:)``.
  func read<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    if access != nil { return try body(reading) }
    try lookForFile()
    let session = try open().session
    if isSharingReads { return try sharedRead(on: session, body) }
    return try transaction(for: .reading, on: session) { try body(reading) }
  }

  /// See ``Database/sharingReads(_:)``. No transaction begins before the first read.
  func sharingReads<Value>(_ body: () throws -> Value) rethrows -> Value {
    if isSharingReads || access != nil { return try body() }
    isSharingReads = true
    defer {
      isSharingReads = false
      endSharedReads()
    }
    return try body()
  }

  private func sharedRead<Value>(
    on session: SQLiteSession, _ body: (Connection) throws -> Value
  ) throws -> Value {
    do {
      if !session.isInTransaction { try session.begin(.reading) }
      access = .reading
      defer { access = nil }
      return try body(reading)
    } catch {
      end(session, after: error)
      throw error
    }
  }

  private func endSharedReads() {
    guard access == nil, let session = opened?.session, session.isInTransaction else { return }
    do { try session.commit() } catch { end(session, after: error) }
  }

  /// See ``Database/write(_:)``.
  func write<Value>(
    _ manner: SQLiteSession.Manner, _ body: (Connection) throws -> Value
  ) throws -> Value {
    try outsideTransactions(manner) { session in
      let value = try transaction(for: .writing(manner), on: session) { try body(writing) }
      // The commit may be lost if the files were moved in the meantime, so it is not acknowledged
      // then.
      try verify(try open())
      return value
    }
  }

  /// See ``SQLiteDatabase/snapshot(_:)``.
  func snapshot<Value>(
    attempts: Int, _ body: (Connection, FileSnapshot) throws -> Value
  ) throws -> Value {
    guard access == nil else { throw DatabaseError.misuse("a snapshot inside a transaction") }
    let session = try beginReadingFile(attempts: attempts)
    do {
      access = .reading
      defer { access = nil }
      let value = try body(reading, try session.fileSnapshot())
      try session.commit()
      return value
    } catch {
      end(session, after: error)
      throw error
    }
  }

  /// Begins a read transaction while the log is empty and there is no writer.
  ///
  /// Such a transaction reads from the file alone and holds the lock WAL_READ_LOCK(0). Moving
  /// content from the log to the file needs that lock (sqlite.org/walformat.html). So the file does
  /// not change until the transaction ends, however much is written.
  private func beginReadingFile(attempts: Int) throws -> SQLiteSession {
    var failed = 0
    while true {
      // Moves most of the log while others write, so that they wait only for the rest.
      try open().session.moveLog()
      do {
        return try outsideTransactions { session in
          try session.emptyLog(timeout: .short)
          try session.begin(.reading)
          guard try session.isReading(withEmptyLog: file.logPath) else {
            try session.rollBack()
            throw DatabaseError(.busy, code: Int(SQLITE_BUSY), detail: "others fill the log")
          }
          return session
        }
      } catch let error as DatabaseError where error.kind == .busy {
        failed += 1
        if failed >= attempts { throw error }
        poll(nil, 0, 20)
      }
    }
  }

  /// Runs `body` while there is no other writer. Throws ``DatabaseError`` within a transaction.
  func outsideTransactions<Value>(
    _ manner: SQLiteSession.Manner = .patient, _ body: (SQLiteSession) throws -> Value
  ) throws -> Value {
    guard access == nil else {
      throw DatabaseError.misuse("a write inside a transaction of the same thread")
    }
    endSharedReads()
    return try lock().hold(manner.timeout) {
      let opened = try open()
      try verify(opened)
      return try body(opened.session)
    }
  }

  private func lock() throws -> FileLock {
    if let writersLock { return writersLock }
    let lock = try file.writersLock(observer)
    writersLock = lock
    return lock
  }

  private func open() throws -> Opened {
    if let opened { return opened }
    try file.verify()
    try siblings.verifyLog(at: file.logPath)
    let session = try SQLiteSession(opening: file.path)
    try file.verify()
    guard let log = FileIdentity(path: file.logPath) else { throw OpenConnections.lostLog }
    try siblings.add(self, log: log)
    let new = Opened(session: session, log: log)
    opened = new
    return new
  }

  /// Ends the session. The next use opens another one.
  func discard() {
    // Removed first, because the last session to end removes the log and the next one creates
    // another.
    if siblings.remove(self) { endSession() }
  }

  /// Checks the file at most once a second, because the check takes as long as a small query. Data
  /// read from a file that was moved away is still correct.
  private func lookForFile() throws {
    let now = uptime()
    if now == lastLook { return }
    try file.verify()
    lastLook = now
  }

  private func verify(_ opened: Opened) throws {
    try file.verify()
    guard FileIdentity(path: file.logPath) == opened.log else { throw OpenConnections.lostLog }
  }

  private func transaction<Value>(
    for access: SQLiteSession.Access, on session: SQLiteSession, _ body: () throws -> Value
  ) throws -> Value {
    do {
      try session.begin(access)
      self.access = access
      defer { self.access = nil }
      let value = try body()
      try session.commit()
      return value
    } catch {
      end(session, after: error)
      throw error
    }
  }

  /// Ends any open transaction: rolls it back, or closes the session if that fails.
  private func end(_ session: SQLiteSession, after error: any Error) {
    do {
      try session.rollBack()
    } catch {
      return discard()
    }
    switch (error as? DatabaseError)?.kind {
    case .corrupt, .missing, .other: discard()
    default: break
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
      try session.run(statement, for: access, body)
    }

    // Takes the id from the session and not from RETURNING, for which SQLite creates a table and a
    // journal of its own.
    func insert(_ statement: SQL) throws -> Int64 {
      let session = try session
      guard try session.run(statement, for: access, { _ in }) == 1 else {
        throw DatabaseError(.other, code: 0, detail: "an INSERT inserted no row, or several")
      }
      return session.lastIdentity
    }

    /// The open session. Throws ``DatabaseError`` after the end of the transaction.
    private var session: SQLiteSession {
      get throws {
        guard let current = connection.access, !access.isWriting || current.isWriting,
          let session = connection.opened?.session
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
