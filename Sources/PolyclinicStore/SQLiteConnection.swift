import CSQLite
import Glibc
import PolyclinicCore

/// One thread's way to the database: opened when it is first needed, and again after a failure that
/// its session might not get over.
///
/// Unchecked: only the thread that it belongs to uses it, until that thread ends or nobody uses the
/// database any more.
final class SQLiteConnection: @unchecked Sendable {
  private let file: DatabaseFile
  private let siblings: OpenConnections
  private var opened: Opened?
  private var access: SQLiteSession.Access?
  /// Whether the next read goes on with the transaction of the one before.
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

  /// Whether its database was closed.
  var isAbandoned: Bool { siblings.isClosed }

  /// Ends the session that ``OpenConnections`` has let go of.
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

  /// See ``Database/sharingReads(_:)``. Nothing is begun before the first read.
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
      // Whoever moved the files meanwhile may have taken the commit along: it is not acknowledged.
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

  /// Begins to read while the log is empty and nobody writes.
  ///
  /// Whoever begins so reads from the file alone, and holds the lock WAL_READ_LOCK(0), without which
  /// nobody moves anything from the log to the file (sqlite.org/walformat.html): until the end
  /// of that transaction the file does not change, however much is written.
  private func beginReadingFile(attempts: Int) throws -> SQLiteSession {
    var failed = 0
    while true {
      // Most of the log is moved while others write; they wait for the little that is left.
      try open().session.moveLog()
      do {
        return try outsideTransactions { session in
          try session.emptyLog(patience: .short)
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

  /// Runs `body` while nobody else writes. Throws ``DatabaseError`` within a transaction.
  func outsideTransactions<Value>(
    _ manner: SQLiteSession.Manner = .patient, _ body: (SQLiteSession) throws -> Value
  ) throws -> Value {
    guard access == nil else {
      throw DatabaseError.misuse("a write inside a transaction of the same thread")
    }
    endSharedReads()
    return try lock().hold(manner.patience) {
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

  /// Ends the session; the next use opens another.
  func discard() {
    // Taken out first: the last session to end removes the log, and the next one makes another.
    if siblings.remove(self) { endSession() }
  }

  /// Looks once a second at most: it takes as long as a small query, and what is read from a file
  /// that was moved away is still true.
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

  /// Leaves no transaction open: where it cannot be rolled back, closing the session does it.
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

  /// What a ``Connection`` of this thread runs its statements by.
  private final class Runner: StatementRunner {
    private unowned let connection: SQLiteConnection
    private let access: SQLiteSession.Access

    init(_ connection: SQLiteConnection, _ access: SQLiteSession.Access) {
      self.connection = connection
      self.access = access
    }

    func run(_ statement: SQL, _ body: (Row) throws -> Void) throws -> Int {
      try session.run(statement, for: access, body)
    }

    // Of the session, not by RETURNING, for which SQLite makes a table and a journal of its own.
    func insert(_ statement: SQL) throws -> Int64 {
      let session = try session
      guard try session.run(statement, for: access, { _ in }) == 1 else {
        throw DatabaseError(.other, code: 0, detail: "an INSERT inserted no row, or several")
      }
      return session.lastIdentity
    }

    /// The open one.
    private var session: SQLiteSession {
      get throws {
        guard let current = connection.access, !access.isWriting || current.isWriting,
          let session = connection.opened?.session
        else { throw DatabaseError.misuse("a connection used after its transaction") }
        // SQLite undoes the whole transaction when a disk is full: whoever caught that error must not
        // have the rest kept statement by statement.
        guard session.isInTransaction else {
          throw DatabaseError.misuse("the transaction was undone after an earlier error")
        }
        return session
      }
    }
  }
}
