import Glibc
import PolyclinicCore

/// A database in one SQLite file, with a write-ahead log. Each thread reads through a session of
/// its own, and all threads of a process write through one, in turn.
///
/// Writers of all threads and processes queue at a lock file beside it. The sessions of readers are
/// closed when their threads end. If the file is moved away, all calls throw ``DatabaseError`` of
/// kind `missing` until the same file is back. Only a new process opens another file in its place.
public final class SQLiteDatabase: StoredDatabase {
  private let file: DatabaseFile
  private let sessions = OpenSessions()
  package let writer: KeptSession
  let logSync: LogSync
  private let uptime: @Sendable () -> Int
  private let observer: (any DatabaseObserver)?

  public var dialect: SQL.Dialect { .sqlite }

  init(
    _ file: DatabaseFile, _ uptime: @escaping @Sendable () -> Int,
    _ observer: (any DatabaseObserver)?,
    sync: @escaping @Sendable (Int32) -> Int32 = LogSync.dataSync
  ) {
    self.file = file
    writer = KeptSession(of: file, among: sessions)
    logSync = LogSync(of: file.logPath, sync)
    self.uptime = uptime
    self.observer = observer
  }

  deinit { sessions.close() }

  /// Creates a new database that only the user of this process can read. Meant for the explicit
  /// first run.
  ///
  /// Throws ``DatabaseError`` if the file exists, regardless of its content.
  public static func create(
    _ path: String, uptime: @escaping @Sendable () -> Int = SQLiteDatabase.uptime
  ) throws -> SQLiteDatabase {
    try DatabaseFile.create(path)
    do {
      return try create(inEmptyFile: path, uptime: uptime)
    } catch {
      // The file is new and incomplete. Remove it, so that the next attempt starts anew.
      unlink(path)
      throw error
    }
  }

  /// Turns an empty file, such as a draft that its maker has locked, into a new database. Throws
  /// ``DatabaseError``.
  public static func create(
    inEmptyFile path: String, uptime: @escaping @Sendable () -> Int = SQLiteDatabase.uptime
  ) throws -> SQLiteDatabase {
    try SQLiteSession.initialize(path)
    return try open(path, uptime: uptime)
  }

  /// Opens an existing database, and never creates one.
  ///
  /// Throws ``DatabaseError`` with the remedy: `missing` if the file does not exist, is empty or
  /// belongs to another program, and `corrupt` if it is no database.
  public static func open(
    _ path: String, uptime: @escaping @Sendable () -> Int = SQLiteDatabase.uptime,
    observer: (any DatabaseObserver)? = nil
  ) throws -> SQLiteDatabase {
    let database = SQLiteDatabase(try DatabaseFile(existing: path), uptime, observer)
    try database.read { _ in }
    return database
  }

  public func read<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    try connection.read(body)
  }

  public func sharingReads<Value>(_ body: (Connection) throws -> Value) rethrows -> Value {
    try connection.sharingReads(body)
  }

  public func endSharedReads() { connection.endSharedReads() }

  @discardableResult
  public func write<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    try connection.write(.waiting, body)
  }

  @discardableResult
  public func writeIfFree<Value>(_ body: (Connection) throws -> Value) throws -> Value? {
    do {
      return try connection.write(.immediate, body)
    } catch let error as DatabaseError where error.kind == .busy {
      return nil
    }
  }

  public func giveMemoryBack() { connection.giveMemoryBack() }

  /// Moves the write-ahead log into the file and empties it.
  ///
  /// Throws ``DatabaseError`` of kind `busy` if a backup or a reader holds the log for longer than
  /// `timeout` allows. Must not be called within a transaction.
  public func checkpointTruncate(timeout: Timeout = .long) throws {
    try file.backupLock().hold(.atMost(milliseconds: timeout.backup)) {
      try connection.outsideTransactions { try $0.emptyLog(timeout: timeout) }
    }
  }

  /// Removes what deleted rows have left in the file and in its write-ahead log.
  ///
  /// `secure_delete` overwrites a deleted row in its place only. When SQLite divides or balances
  /// pages, copies of moved rows stay in the unused part of a page, so all pages are written anew.
  /// Writers wait meanwhile, some seconds for each gigabyte. Throws as
  /// ``checkpointTruncate(timeout:)``, and ``DatabaseError`` if the disk lacks room for a copy.
  public func removeDeletedBytes(for caller: DatabaseCaller) throws {
    let timeout = caller == .request ? Timeout.request : .long
    try file.backupLock().hold(.atMost(milliseconds: timeout.backup)) {
      try connection.outsideTransactions {
        try $0.rewritePages()
        try $0.emptyLog(timeout: timeout)
      }
    }
  }

  public func removeDeletedBytes() throws { try removeDeletedBytes(for: .request) }

  /// The time for which others may keep the log from being emptied, in milliseconds.
  public struct Timeout: Sendable {
    let backup: Int
    let readers: Int32

    /// For a log that should have no other readers, or for a call that is tried again.
    public static let short = Timeout(backup: 60_000, readers: 100)
    /// For a visitor's request, which must end long before its worker counts as hanging.
    public static let request = Timeout(backup: 5_000, readers: 5_000)
    /// For a command: readers get the timeout of SQLite's other locks, a backup gets a minute.
    public static let long = Timeout(backup: 60_000, readers: 5_000)
  }

  /// The lock keeps ``removeDeletedBytes(for:)`` waiting, which a long read transaction would make
  /// fail.
  public func snapshot<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    try file.backupLock().hold(.endless) {
      // A read looks for the file once a second only, and a moved one is no database to back up.
      try file.verify()
      return try connection.read(body)
    }
  }

  public func filling<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    try connection.write(.waiting) { connection in
      // Also rows of one table may refer to one another, in any order.
      try connection.run("PRAGMA defer_foreign_keys = ON")
      let session = try writer.open().session
      session.setTriggers(.off)
      defer { session.setTriggers(.on) }
      return try body(connection)
    }
  }

  /// Reads the whole file.
  public func integrityProblems() throws -> [String] {
    try read { connection in
      let pages = try connection.rows("PRAGMA integrity_check") { $0.string(0) }
      let references = try connection.rows("PRAGMA foreign_key_check") {
        "row \($0.int(1)) of \($0.string(0)) refers to nothing in \($0.string(2))"
      }
      return (pages == ["ok"] ? [] : pages) + references
    }
  }

  /// The suffixes of the files beside an open database. A crash may leave them behind.
  public static let companions = [
    "-journal", "-wal", "-shm", ".lock", ".migration.lock", ".backup.lock",
  ]

  public func close() { sessions.close() }

  /// Moves the write-ahead log into the file, closes the database and removes the files beside it,
  /// so that the file alone can be renamed. Meant for a database that no other process has open.
  ///
  /// Throws as ``checkpointTruncate(timeout:)``, and then leaves the database open.
  public func closeAsOneFile() throws {
    try checkpointTruncate()
    close()
    Self.removeCompanions(of: file.path)
  }

  /// Removes the files beside a closed database. SQLite removes its own when the last connection
  /// closes, but not after a crash.
  public static func removeCompanions(of path: String) {
    for suffix in companions { unlink(path + suffix) }
  }

  public func migrating<Value>(_ wait: MigrationWait, _ body: () throws -> Value) throws -> Value {
    try file.migrationLock().hold(wait == .untilItEnds ? .endless : .none, body)
  }

  /// Returns whole seconds of a monotonic clock. A read verifies the file's place only once in each
  /// second. A write always does so, before and after.
  public static func uptime() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    return time.tv_sec
  }

  private var connection: SQLiteConnection {
    ThreadConnections.current.connection(of: sessions) {
      SQLiteConnection(
        to: file, among: sessions, writer, logSync, uptime: uptime, observer: observer)
    }
  }
}
