import CSQLite
import Glibc
import PolyclinicCore

/// An open handle of SQLite with its compiled statements, and the transaction that it is in.
final class SQLiteSession {
  private enum Pragma {
    /// "Poly" in ASCII, in the file's header: tells our databases from other ones.
    static let applicationID = 0x506F_6C79
    /// Foreign keys are off in SQLite unless asked for; FULL keeps what was acknowledged when the
    /// power goes; deleted health data is overwritten; a damaged schema runs no functions. Four MiB
    /// of pages keep what the people of a busy worker look at; mapping the file instead would end the
    /// process where the disk fails (SIGBUS). A log that has grown beside a slow reader shrinks to 16 MB
    /// when it is begun anew.
    static let settings = [
      "PRAGMA foreign_keys = ON", "PRAGMA synchronous = FULL", "PRAGMA secure_delete = ON",
      "PRAGMA trusted_schema = OFF", "PRAGMA temp_store = MEMORY",
      "PRAGMA cache_size = -4096", "PRAGMA journal_size_limit = 16777216",
    ]
  }

  /// How long SQLite waits for locks that the queue of writers does not cover, such as those of a
  /// recovery or of somebody's `sqlite3` shell. Milliseconds.
  private static let busyTimeout: Int32 = 5_000

  private let handle: OpaquePointer
  private var statements: StatementCache
  private let beginRead: PreparedStatement
  private let beginWrite: PreparedStatement
  private let commitAny: PreparedStatement
  private let rollbackAny: PreparedStatement

  /// Opens the file. Throws ``DatabaseError``, of kind `missing` when the file is not one of ours.
  init(opening path: String) throws {
    let handle = try Self.open(path)
    do {
      for setting in Pragma.settings { _ = try Self.answer(to: setting, on: handle) }
      let application = try Self.answer(to: "PRAGMA application_id", on: handle)
      guard application == String(Pragma.applicationID) else {
        throw DatabaseError(
          .missing, code: 0, detail: "\(path) is not a database of this portal (put that one back)")
      }
      try Self.keepLog(of: path, on: handle)
      beginRead = try PreparedStatement("BEGIN", .kept, on: handle)
      beginWrite = try PreparedStatement("BEGIN IMMEDIATE", .kept, on: handle)
      commitAny = try PreparedStatement("COMMIT", .kept, on: handle)
      rollbackAny = try PreparedStatement("ROLLBACK", .kept, on: handle)
      // The first read opens the write-ahead log, whose file is compared from then on.
      _ = try Self.answer(to: "SELECT count(*) FROM sqlite_schema", on: handle)
    } catch {
      sqlite3_close_v2(handle)
      throw error
    }
    statements = StatementCache(handle)
    self.handle = handle
  }

  // With _v2 the handle lives until the last statement, which is released just after this.
  deinit { sqlite3_close_v2(handle) }

  /// Turns an empty file into a database of ours without tables.
  static func initialize(_ path: String) throws {
    let handle = try open(path)
    defer { sqlite3_close_v2(handle) }
    _ = try answer(to: "PRAGMA application_id = \(Pragma.applicationID)", on: handle)
    try keepLog(of: path, on: handle)
  }

  private static func open(_ path: String) throws -> OpaquePointer {
    guard withoutStatistics == SQLITE_OK else {
      throw DatabaseError(
        sqlite: withoutStatistics, detail: "SQLite was in use before it was set up")
    }
    var handle: OpaquePointer?
    // Never with CREATE: an empty new file would pass for the old one. A handle stays in one thread.
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

  /// Has a write-ahead log kept, which the file remembers; a copy made by VACUUM INTO does not.
  private static func keepLog(of path: String, on handle: OpaquePointer) throws {
    guard try answer(to: "PRAGMA journal_mode = WAL", on: handle) == "wal" else {
      throw DatabaseError(.other, code: 0, detail: "\(path) does not take a write-ahead log")
    }
  }

  private static func answer(to text: String, on handle: OpaquePointer) throws -> String {
    var answer = ""
    _ = try PreparedStatement(text, .once, on: handle).run { answer = $0.string(0) }
    return answer
  }

  /// Whether a transaction is open. SQLite closes one by itself after some errors.
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// What a transaction is for.
  enum Access {
    case reading
    case writing(Manner)

    var isWriting: Bool {
      switch self {
      case .reading: false
      case .writing: true
      }
    }
  }

  /// Whether to wait while somebody else writes: five seconds in all, four in the queue of writers
  /// and one for those who write past it, such as a shell.
  enum Manner {
    case patient, impatient

    var patience: FileLock.Patience {
      switch self {
      case .patient: .atMost(milliseconds: 4_000)
      case .impatient: .none
      }
    }

    fileprivate var busyTimeout: Int32 {
      switch self {
      case .patient: 1_000
      case .impatient: 0
      }
    }
  }

  /// Starts a transaction: one that sees a single state of the data, or the only one to change it.
  func begin(_ access: Access) throws {
    switch access {
    case .reading: _ = try beginRead.run()
    case .writing(let manner):
      sqlite3_busy_timeout(handle, manner.busyTimeout)
      defer { sqlite3_busy_timeout(handle, Self.busyTimeout) }
      _ = try beginWrite.run()
    }
  }

  /// Keeps what the transaction did. Throws ``DatabaseError``, and leaves the transaction open.
  func commit() throws { _ = try commitAny.run() }

  /// Undoes the transaction, unless SQLite has done so already.
  func rollBack() throws {
    if isInTransaction { _ = try rollbackAny.run() }
  }

  /// Runs the statement, calls `body` for each row, and returns how many rows were changed.
  func run(_ sql: SQL, for access: Access, _ body: (Row) throws -> Void) throws -> Int {
    let statement = try statements.statement(sql)
    guard access.isWriting || statement.isReadOnly else {
      throw DatabaseError(
        .readOnly, code: Int(SQLITE_READONLY), detail: "a read was to run \(statement.text)")
    }
    statement.isRunning = true
    defer { statement.isRunning = false }
    return try statement.run(sql.values, body)
  }

  /// The rowid of the row that was inserted last, by a statement and not by a trigger.
  var lastIdentity: Int64 { sqlite3_last_insert_rowid(handle) }

  /// Moves the log's content into the database file and empties the log, where deleted data would
  /// stay readable. Throws ``DatabaseError`` of kind `busy` when somebody reads for too long.
  func emptyLog(patience: SQLiteDatabase.Patience) throws {
    sqlite3_busy_timeout(handle, patience.rawValue)
    defer { sqlite3_busy_timeout(handle, Self.busyTimeout) }
    // The first of its three columns says whether it was kept from finishing.
    guard try Self.answer(to: "PRAGMA wal_checkpoint(TRUNCATE)", on: handle) == "0" else {
      throw DatabaseError(.busy, code: Int(SQLITE_BUSY), detail: "a reader holds the log")
    }
  }

  /// Lets go of the pages of the file that no statement stands on.
  func giveMemoryBack() { sqlite3_db_release_memory(handle) }

  /// Moves what nobody needs any more in the log into the database file, without making anybody wait.
  func moveLog() throws { _ = try Self.answer(to: "PRAGMA wal_checkpoint(PASSIVE)", on: handle) }

  /// Whether the transaction that has just begun sees what stands in the file alone. It is only with
  /// the first read that it sees anything.
  func isReading(withEmptyLog path: String) throws -> Bool {
    _ = try Self.answer(to: "SELECT count(*) FROM sqlite_schema", on: handle)
    var status = stat()
    guard stat(path, &status) == 0 else { throw OpenConnections.lostLog }
    return status.st_size == 0
  }

  /// The file as the transaction sees it, which began while the log was empty.
  func fileSnapshot() throws -> FileSnapshot {
    let pages = Int(try Self.answer(to: "PRAGMA page_count", on: handle)) ?? 0
    let size = Int(try Self.answer(to: "PRAGMA page_size", on: handle)) ?? 0
    return try FileSnapshot(of: handle, byteCount: pages * size)
  }
}
