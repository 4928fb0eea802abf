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

  /// How this engine spells ``SQL/Word``.
  public var dialect: Dialect { .sqlite }

  private init(_ file: DatabaseFile, _ uptime: @escaping @Sendable () -> Int) {
    self.file = file
    self.uptime = uptime
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
    _ path: String, uptime: @escaping @Sendable () -> Int = SQLiteDatabase.uptime
  ) throws -> SQLiteDatabase {
    let database = SQLiteDatabase(try DatabaseFile(existing: path), uptime)
    try database.read { _ in }
    return database
  }

  public func read<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    try connection.read(body)
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

  /// Empties the write-ahead log into the file, so that erased data is in neither.
  ///
  /// Throws ``DatabaseError`` of kind `busy` when a reader holds the log for longer than the busy
  /// timeout; not to be called within a transaction.
  public func checkpointTruncate() throws {
    try connection.outsideTransactions { try $0.emptyLog() }
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
      SQLiteConnection(to: file, among: connections, uptime: uptime)
    }
  }
}
