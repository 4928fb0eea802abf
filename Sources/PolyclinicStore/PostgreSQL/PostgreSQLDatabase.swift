import PolyclinicCore
import PolyclinicSystem

/// A database of a PostgreSQL server (15 or newer), which other machines may use as well. Each
/// thread has one connection, for its reads and writes.
///
/// Writes run at SERIALIZABLE and side by side, independent ones at READ COMMITTED. After a conflict, ``write(_:)`` runs its body again.
/// A server that was restarted, and a standby that was promoted, is found at the beginning of the
/// next transaction.
public final class PostgreSQLDatabase: StoredDatabase {
  private let server: PostgreSQLServer

  public var dialect: SQL.Dialect { .postgresql }

  private init(_ server: PostgreSQLServer) { self.server = server }

  deinit { server.close() }

  /// The time in milliseconds for which a call may wait for the server, if nobody says otherwise.
  @Sendable public static func standardLimit() -> Int { 10_000 }

  /// Prepares an empty database of a server for the portal. Meant for the explicit first run.
  ///
  /// Throws ``DatabaseError`` if it contains tables, and if it sorts texts by the rules of a
  /// language or encodes them otherwise than in UTF-8. `timeLeft` returns the milliseconds that the
  /// calling thread may still take.
  public static func create(
    _ address: PostgreSQLAddress, timeLeft: @escaping @Sendable () -> Int = standardLimit
  ) throws -> PostgreSQLDatabase {
    let database = PostgreSQLDatabase(PostgreSQLServer(address, timeLeft, nil))
    let condition = try database.condition()
    guard condition.comparesBytes else {
      throw DatabaseError.misuse(
        "\(address) sorts by the rules of \(condition.collation): create it with TEMPLATE template0 "
          + "ENCODING 'UTF8' LOCALE 'C'")
    }
    try database.connection.outsideTransactions { session, left in
      let tables: SQL = """
        SELECT CAST(count(*) AS TEXT) FROM pg_class WHERE relnamespace = CAST('public' AS regnamespace)
        """
      guard try session.result(of: tables, within: left).first == "0" else {
        throw DatabaseError.misuse(
          "\(address) contains tables of another program: create an empty database for the portal")
      }
      // Without rows: writers lock it, see WriteAttempts.
      _ = try session.result(of: "CREATE TABLE write_turn ()", within: left)
    }
    return database
  }

  /// Opens an existing database.
  ///
  /// Throws ``DatabaseError`` of kind `missing` if no server answers or if the database is not one
  /// of the portal.
  public static func open(
    _ address: PostgreSQLAddress, timeLeft: @escaping @Sendable () -> Int = standardLimit,
    observer: (any DatabaseObserver)? = nil
  ) throws -> PostgreSQLDatabase {
    guard let database = try find(address, timeLeft: timeLeft, observer: observer) else {
      throw DatabaseError(.missing, code: 0, detail: "\(address) is not a database of this portal")
    }
    return database
  }

  /// Opens a database that ``create(_:timeLeft:)`` has prepared; nil for any other. Throws
  /// ``DatabaseError`` of kind `missing` if no server answers.
  public static func find(
    _ address: PostgreSQLAddress, timeLeft: @escaping @Sendable () -> Int = standardLimit,
    observer: (any DatabaseObserver)? = nil
  ) throws -> PostgreSQLDatabase? {
    let database = PostgreSQLDatabase(PostgreSQLServer(address, timeLeft, observer))
    let marker: SQL = "SELECT CAST(to_regclass('write_turn') AS TEXT)"
    let found = try database.connection.outsideTransactions {
      try $0.result(of: marker, within: $1).first
    }
    return found == nil ? nil : database
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
    try connection.write(.together, body)
  }

  @discardableResult
  public func writeIndependently<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    try connection.write(.independent, body)
  }

  @discardableResult
  public func writeIfFree<Value>(_ body: (Connection) throws -> Value) throws -> Value? {
    do {
      return try connection.write(.ifFree, body)
    } catch let error as DatabaseError where error.kind == .busy {
      return nil
    }
  }

  /// Runs `body` in a read-only transaction that may take hours, such as a backup. Rows are read
  /// in parts, so that a table need not fit into memory.
  ///
  /// Others keep reading, writing and making snapshots.
  public func snapshot<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    try connection.snapshot(body)
  }

  /// Runs `body` in one transaction that fills an empty database with the rows of another one. No
  /// trigger runs, because those rows hold its effects already.
  public func filling<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    try connection.unlimited {
      try write { connection in
        let tables = try connection.rows(
          """
          SELECT DISTINCT c.relname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
          WHERE NOT t.tgisinternal AND c.relnamespace = CAST('public' AS regnamespace)
          """
        ) { $0.string(0) }
        for table in tables {
          try connection.run("ALTER TABLE \(schemaName: table) DISABLE TRIGGER USER")
        }
        let value = try body(connection)
        for table in tables {
          try connection.run("ALTER TABLE \(schemaName: table) ENABLE TRIGGER USER")
        }
        return value
      }
    }
  }

  /// Ends the calling thread's session, whose process at the server holds memory.
  public func giveMemoryBack() { connection.giveMemoryBack() }

  /// Lets the server use the space of deleted rows again (`VACUUM`).
  ///
  /// Their bytes stay in the files until others take their place, and in the server's log, its
  /// archive and its standbys for as long as these are kept. They say nothing without their person's
  /// key.
  /// Throws ``DatabaseError`` of kind `busy` if it takes longer than a request may.
  public func removeDeletedBytes(for caller: DatabaseCaller) throws {
    try connection.removeDeletedBytes(for: caller)
  }

  public func removeDeletedBytes() throws { try removeDeletedBytes(for: .request) }

  public func migrating<Value>(_ wait: MigrationWait, _ body: () throws -> Value) throws -> Value {
    try connection.migrating(wait, body)
  }

  /// Finds what the server has marked as unfinished. Its files are checked by `pg_amcheck`, which
  /// needs rights that the portal has not.
  public func integrityProblems() throws -> [String] {
    try read { connection in
      let indexes = try connection.rows(
        """
        SELECT CAST(indexrelid AS regclass)::text, CAST(indrelid AS regclass)::text
        FROM pg_index WHERE NOT indisvalid ORDER BY 1
        """
      ) { "the index \($0.string(0)) of \($0.string(1)) is incomplete" }
      let constraints = try connection.rows(
        """
        SELECT conname, CAST(conrelid AS regclass)::text
        FROM pg_constraint WHERE NOT convalidated ORDER BY 1
        """
      ) { "the constraint \($0.string(0)) of \($0.string(1)) was not checked" }
      return indexes + constraints
    }
  }

  /// Returns what the portal's status says about the server. Throws ``DatabaseError``.
  public func condition() throws -> PostgreSQLCondition {
    let condition: PostgreSQLCondition? = try read { connection in
      try connection.row(
        """
        SELECT CASE datlocprovider WHEN 'i' THEN 'ICU' ELSE datcollate END,
          pg_encoding_to_char(encoding),
          current_setting('synchronous_standby_names') <> ''
            AND current_setting('synchronous_commit') NOT IN ('off', 'local'),
          CAST(floor(extract(epoch FROM clock_timestamp())) AS BIGINT)
        FROM pg_database WHERE datname = current_database()
        """
      ) { row in
        PostgreSQLCondition(
          collation: row.string(0), encoding: row.string(1), waitsForStandby: row.bool(2),
          time: row.instant(3))
      }
    }
    guard let condition else { throw DatabaseError.lost("the database was removed") }
    return condition
  }

  public func warnings() throws -> [DatabaseWarning] {
    let start = Instant.current
    return try condition().warnings(readBetween: start, and: .current)
  }

  public func close() { server.close() }

  var connection: PostgreSQLConnection {
    ThreadConnections.current.connection(of: server) { PostgreSQLConnection(to: server) }
  }
}

/// The state of a server, for the portal's status.
public struct PostgreSQLCondition: Sendable {
  /// The rules by which texts are sorted.
  public let collation: String
  /// The encoding of texts.
  public let encoding: String
  /// True if a commit waits until a standby has it. Otherwise the server's loss may lose commits.
  public let waitsForStandby: Bool
  /// The server's clock.
  public let time: Instant

  /// True if texts are sorted and compared by their bytes, as in SQLite.
  public var comparesBytes: Bool {
    encoding == "UTF8" && ["C", "POSIX", "C.UTF-8", "C.utf8"].contains(collation)
  }

  /// Returns what an administrator should change, for a condition that was read between two times of
  /// this machine's clock.
  func warnings(readBetween start: Instant, and end: Instant) -> [DatabaseWarning] {
    // Times are whole seconds, rounded down.
    let isRight = time >= start - .seconds(5) && time <= end + .seconds(5)
    let found: [(DatabaseWarning, Bool)] = [
      (.standby, !waitsForStandby), (.collation, !comparesBytes), (.clock, !isRight),
    ]
    return found.filter(\.1).map(\.0)
  }
}
