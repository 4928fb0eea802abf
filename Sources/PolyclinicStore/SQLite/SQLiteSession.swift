import CSQLite
import Glibc
import PolyclinicCore
import PolyclinicSystem

/// An open SQLite handle, with its compiled statements and its transaction.
package final class SQLiteSession {
  /// "Poly" in ASCII, in the file's header, to identify the portal's databases.
  private static let applicationID = 0x506F_6C79
  /// The settings of each connection:
  /// - `foreign_keys` are off in SQLite by default.
  /// - `synchronous = FULL` keeps a file that has no write-ahead log yet through a power failure.
  /// - `secure_delete` overwrites deleted health data.
  /// - `trusted_schema = OFF` keeps a damaged schema from running functions.
  /// - `cache_size` is 4 MiB, enough for the pages that the users of a busy worker read. Mapping
  ///   the file into memory instead would end the process with SIGBUS if the disk fails.
  /// - `journal_size_limit` shrinks a log that has grown beside a slow reader to 16 MB when it
  ///   restarts.
  private static let settings = [
    "PRAGMA foreign_keys = ON", "PRAGMA synchronous = FULL", "PRAGMA secure_delete = ON",
    "PRAGMA trusted_schema = OFF", "PRAGMA temp_store = MEMORY",
    "PRAGMA cache_size = -4096", "PRAGMA journal_size_limit = 16777216",
  ]

  /// The timeout in milliseconds for SQLite's locks outside of the queue of writers, such as those
  /// of a recovery or of a `sqlite3` shell.
  private static let busyTimeout: Int32 = 5_000

  private let handle: OpaquePointer
  private var statements = StatementCache<PreparedStatement>()
  private let beginRead: PreparedStatement
  private let beginWrite: PreparedStatement
  private let commitAny: PreparedStatement
  private let rollbackAny: PreparedStatement

  /// Opens the file. Throws ``DatabaseError``, of kind `missing` if it is not a database of this
  /// portal, and `readOnly` if its log cannot be made in a directory that nobody can write.
  init(opening path: String) throws {
    let handle = try Self.open(path)
    do {
      for setting in Self.settings { _ = try Self.answer(to: setting, on: handle) }
      let application = try Self.answer(to: "PRAGMA application_id", on: handle)
      guard application == String(Self.applicationID) else {
        throw DatabaseError(
          .missing, code: 0, detail: "\(path) is not a database of this portal (put that one back)")
      }
      try Self.keepLog(of: path, on: handle)
      beginRead = try PreparedStatement("BEGIN", .kept, on: handle)
      beginWrite = try PreparedStatement("BEGIN IMMEDIATE", .kept, on: handle)
      commitAny = try PreparedStatement("COMMIT", .kept, on: handle)
      rollbackAny = try PreparedStatement("ROLLBACK", .kept, on: handle)
      // The first read opens the write-ahead log. Its identity is compared from then on.
      _ = try Self.answer(to: "SELECT count(*) FROM sqlite_schema", on: handle)
    } catch {
      sqlite3_close_v2(handle)
      // SQLite says only that it cannot open a file, whether the log is missing or cannot be made.
      if let error = error as? DatabaseError, error.code & 0xFF == Int(SQLITE_CANTOPEN),
        access(FilePath.directory(of: path), W_OK) != 0
      {
        throw DatabaseError(system: errno, detail: "cannot write beside \(path)")
      }
      throw error
    }
    self.handle = handle
  }

  // With _v2, the handle lives until the last statement is released, just after this.
  deinit { sqlite3_close_v2(handle) }

  /// Turns an empty file into a database of the portal without tables.
  static func initialize(_ path: String) throws {
    let handle = try open(path)
    defer { sqlite3_close_v2(handle) }
    _ = try answer(to: "PRAGMA application_id = \(Self.applicationID)", on: handle)
    try keepLog(of: path, on: handle)
  }

  private static func open(_ path: String) throws -> OpaquePointer {
    guard withoutStatistics == SQLITE_OK else {
      throw DatabaseError(
        sqlite: withoutStatistics, detail: "SQLite was in use before it was set up")
    }
    var handle: OpaquePointer?
    // Never with CREATE, because an empty new file would pass for the old one. NOMUTEX, because a
    // handle stays in one thread.
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = sqlite3_open_v2(path, &handle, flags, nil)
    guard code == SQLITE_OK, let handle else {
      sqlite3_close_v2(handle)
      throw DatabaseError(
        sqlite: code, detail: "\(String(cString: sqlite3_errstr(code))), opening \(path)")
    }
    sqlite3_busy_timeout(handle, busyTimeout)
    return handle
  }

  private static let withoutStatistics = sqlite3_config_without_statistics()

  /// Switches to a write-ahead log. The file remembers this setting, but a copy made by VACUUM INTO
  /// does not.
  ///
  /// From then on, SQLite syncs for checkpoints, and ``LogSync`` for commits.
  private static func keepLog(of path: String, on handle: OpaquePointer) throws {
    guard try answer(to: "PRAGMA journal_mode = WAL", on: handle) == "wal" else {
      throw DatabaseError(.other, code: 0, detail: "\(path) does not take a write-ahead log")
    }
    _ = try answer(to: "PRAGMA synchronous = NORMAL", on: handle)
  }

  private static func answer(to text: String, on handle: OpaquePointer) throws -> String {
    var answer = ""
    _ = try PreparedStatement(text, .once, on: handle).run { answer = $0.string(0) }
    return answer
  }

  /// True if a transaction is open. SQLite closes it by itself after some errors.
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// The purpose of a transaction.
  package enum Access {
    case reading
    case writing(Manner)

    var isWriting: Bool {
      switch self {
      case .reading: false
      case .writing: true
      }
    }
  }

  /// The time to wait for other writers. A waiting write waits five seconds in all: four in the
  /// queue of writers, and one for writers that bypass it, such as a shell.
  package enum Manner {
    case waiting, immediate

    var timeout: FileLock.Timeout {
      switch self {
      case .waiting: .atMost(milliseconds: 4_000)
      case .immediate: .none
      }
    }

    fileprivate var busyTimeout: Int32 {
      switch self {
      case .waiting: 1_000
      case .immediate: 0
      }
    }
  }

  /// Begins a transaction. A read transaction sees a single snapshot of the data; a write
  /// transaction is the only one that changes it.
  func begin(_ access: Access) throws {
    switch access {
    case .reading: _ = try beginRead.run()
    case .writing(let manner):
      sqlite3_busy_timeout(handle, manner.busyTimeout)
      defer { sqlite3_busy_timeout(handle, Self.busyTimeout) }
      _ = try beginWrite.run()
    }
  }

  /// Commits the transaction. If it throws ``DatabaseError``, the transaction stays open.
  func commit() throws { _ = try commitAny.run() }

  /// Rolls back the transaction, unless SQLite has done so already.
  func rollBack() throws {
    if isInTransaction { _ = try rollbackAny.run() }
  }

  /// Runs the statement, calls `body` for each row, and returns the number of changed rows.
  package func run(_ sql: SQL, for access: Access, _ body: (Row) throws -> Void) throws -> Int {
    let statement = try statement(sql)
    guard access.isWriting || statement.isReadOnly else {
      throw DatabaseError(
        .readOnly, code: Int(SQLITE_READONLY), detail: "a read was to run \(statement.text)")
    }
    statement.isRunning = true
    defer { statement.isRunning = false }
    return try statement.run(sql.values, body)
  }

  /// Returns a compiled statement that is not running at the moment. Throws ``DatabaseError``.
  private func statement(_ sql: SQL) throws -> PreparedStatement {
    let known = statements.statement(sql)
    if let known, !known.isRunning { return known }
    let use: PreparedStatement.Use = known == nil ? .kept : .once
    let new = try PreparedStatement(sql.rendered(.sqlite).text, use, on: handle)
    // A displaced statement that is running lives until its run ends, because the run holds it.
    if known == nil { _ = statements.add(new, for: sql) }
    return new
  }

  /// The rowid of the last row inserted by a statement, not by a trigger.
  var lastIdentity: Int64 { sqlite3_last_insert_rowid(handle) }

  /// Moves the log's content into the database file and empties the log, because deleted data would
  /// stay readable in it. Throws ``DatabaseError`` of kind `busy` if a reader holds the log for too
  /// long.
  func emptyLog(timeout: SQLiteDatabase.Timeout) throws {
    sqlite3_busy_timeout(handle, timeout.readers)
    defer { sqlite3_busy_timeout(handle, Self.busyTimeout) }
    // The first of the three columns is 0 if the checkpoint could finish.
    guard try Self.answer(to: "PRAGMA wal_checkpoint(TRUNCATE)", on: handle) == "0" else {
      throw DatabaseError(.busy, code: Int(SQLITE_BUSY), detail: "a reader holds the log")
    }
  }

  /// Writes all pages anew, without the unused bytes of the present ones.
  ///
  /// The pages pass through a file without a name, because a database may be larger than the
  /// process may grow.
  func rewritePages() throws {
    _ = try Self.answer(to: "PRAGMA temp_store = FILE", on: handle)
    defer { sqlite3_exec(handle, "PRAGMA temp_store = MEMORY", nil, nil, nil) }
    _ = try Self.answer(to: "VACUUM", on: handle)
  }

  /// Frees the cached pages that no statement is using.
  func giveMemoryBack() { sqlite3_db_release_memory(handle) }

  /// The state of the schema's triggers. Statements run them while it is `on`.
  enum Triggers: Int32 {
    case off, on
  }

  func setTriggers(_ triggers: Triggers) { sqlite3_enable_triggers(handle, triggers.rawValue) }
}
