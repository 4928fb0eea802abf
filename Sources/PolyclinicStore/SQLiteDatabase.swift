import Glibc
import PolyclinicCore

/// A database in one SQLite file (write-ahead log, one connection a thread).
///
/// Writers of all threads and processes queue at a lock file beside it. Connections are closed when
/// their threads end. When the file is moved away, all calls throw ``DatabaseError`` of kind
/// `missing` until the same file is back; another file in its place is for a new process to open.
public final class SQLiteDatabase: Database {
  private let file: DatabaseFile
  private let connections = OpenConnections()
  private let uptime: @Sendable () -> Int
  private let observer: (any WriteQueueObserver)?

  /// How this engine spells ``SQL/Word``.
  public var dialect: Dialect { .sqlite }

  private init(
    _ file: DatabaseFile, _ uptime: @escaping @Sendable () -> Int,
    _ observer: (any WriteQueueObserver)?
  ) {
    self.file = file
    self.uptime = uptime
    self.observer = observer
  }

  deinit { connections.close() }

  /// Makes a new database, which only the user of this process can read: for the explicit first run.
  ///
  /// Throws ``DatabaseError`` when the file exists, whatever it holds.
  public static func create(
    _ path: String, uptime: @escaping @Sendable () -> Int = SQLiteDatabase.uptime
  ) throws -> SQLiteDatabase {
    try DatabaseFile.create(path)
    do {
      try SQLiteSession.initialize(path)
    } catch {
      // It is ours and half made; the next attempt begins anew.
      unlink(path)
      throw error
    }
    return try open(path, uptime: uptime)
  }

  /// Opens the database that is there; never makes one.
  ///
  /// Throws ``DatabaseError`` with the remedy: `missing` when there is no file, an empty one or
  /// another program's, `corrupt` when it is no database.
  public static func open(
    _ path: String, uptime: @escaping @Sendable () -> Int = SQLiteDatabase.uptime,
    observer: (any WriteQueueObserver)? = nil
  ) throws -> SQLiteDatabase {
    let database = SQLiteDatabase(try DatabaseFile(existing: path), uptime, observer)
    try database.read { _ in }
    return database
  }

  public func read<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    try connection.read(body)
  }

  public func sharingReads<Value>(_ body: () throws -> Value) rethrows -> Value {
    try connection.sharingReads(body)
  }

  @discardableResult
  public func write<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    try connection.write(.patient, body)
  }

  @discardableResult
  public func writeIfFree<Value>(_ body: (Connection) throws -> Value) throws -> Value? {
    do {
      return try connection.write(.impatient, body)
    } catch let error as DatabaseError where error.kind == .busy {
      return nil
    }
  }

  public func giveMemoryBack() { connection.giveMemoryBack() }

  /// Empties the write-ahead log into the file, so that erased data is in neither.
  ///
  /// Waits for the end of a backup, a minute at most. Throws ``DatabaseError`` of kind `busy` when
  /// that is not enough, or when a reader holds the log for longer than that; not to be called within
  /// a transaction.
  public func checkpointTruncate(patience: Patience = .long) throws {
    try file.backupLock().hold(.atMost(milliseconds: 60_000)) {
      try connection.outsideTransactions { try $0.emptyLog(patience: patience) }
    }
  }

  /// How long others who read may keep the log from being emptied, in milliseconds.
  public enum Patience: Int32, Sendable {
    /// For what nobody else should be reading, or is tried again.
    case short = 100
    /// As long as SQLite's other locks are waited for.
    case long = 5_000
  }

  /// Runs `body` on one consistent state of the data that stands whole in the database's file, while
  /// others go on reading and writing; of two at once the second waits.
  ///
  /// Writers wait for some milliseconds at its beginning. Throws ``DatabaseError``, of kind `busy`
  /// when readers keep the log from being emptied at each of so many attempts, which take a tenth of a
  /// second each, and whatever `body` throws.
  public func snapshot<Value>(
    attempts: Int = 100, _ body: (Connection, FileSnapshot) throws -> Value
  ) throws -> Value {
    try file.backupLock().hold(.endless) { try connection.snapshot(attempts: attempts, body) }
  }

  /// What is damaged, in words that name tables and pages but no value; empty when nothing is found.
  ///
  /// Reads the whole file, while others go on reading and writing. Damage inside of values is not
  /// seen: only authenticated encryption tells. Throws ``DatabaseError`` of kind `corrupt` when the
  /// damage keeps SQLite from looking at all.
  public func integrityCheck() throws -> [String] {
    try read { connection in
      let pages = try connection.rows("PRAGMA integrity_check") { $0.string(0) }
      let references = try connection.rows("PRAGMA foreign_key_check") {
        "row \($0.int(1)) of \($0.string(0)) refers to nothing in \($0.string(2))"
      }
      return (pages == ["ok"] ? [] : pages) + references
    }
  }

  /// What is appended to a database's path for the files that stand beside it while it is open, and
  /// may be left by a crash.
  public static let companions = ["-wal", "-shm", ".lock", ".migration.lock", ".backup.lock"]

  /// Closes the connections of all threads, none of which may be in a call; later calls throw.
  public func close() { connections.close() }

  /// Runs `body` while no other process migrates: the lock of ``Migrator``.
  func migrating<Value>(_ body: () throws -> Value) throws -> Value {
    try file.migrationLock().hold(.endless, body)
  }

  /// Whole seconds on a clock that nobody sets: before a read, the file's place is looked at once in
  /// each of them (before and after each write always).
  public static func uptime() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    return time.tv_sec
  }

  private var connection: SQLiteConnection {
    ThreadConnections.current.connection(of: connections) {
      SQLiteConnection(to: file, among: connections, uptime: uptime, observer: observer)
    }
  }
}
