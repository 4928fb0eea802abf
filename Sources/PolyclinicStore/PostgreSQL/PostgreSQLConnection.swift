import Glibc
import PolyclinicCore
import PolyclinicSystem

/// One thread's connection to the server, for its reads and writes. A session is opened at the
/// beginning of a transaction if there is none.
///
/// Unchecked, because it is used by one thread, until that thread ends or the database is no longer
/// in use.
final class PostgreSQLConnection: ThreadConnection, @unchecked Sendable {
  private let server: PostgreSQLServer
  private var session: PostgreSQLSession?
  /// The transaction of the body that runs.
  private var transaction: ServerTransaction?
  /// The transaction that the next shared read continues.
  private var shared: ServerTransaction?
  private var isSharingReads = false
  /// True for work whose length nobody can tell: migrations, and copies of a whole database.
  private var isUnlimited = false

  private var identities = StatementCache<Insertion>()
  /// Numbers that the session has drawn and not used, by table.
  private var numbers: [String: ArraySlice<Int64>] = [:]

  private lazy var reading = Connection(Runner(self, nil))

  /// An `INSERT` that returns the number of its row.
  private final class Insertion: CachedStatement {
    /// The column of the number.
    let column: String
    var lastUse = 0

    init(_ column: String) { self.column = column }
  }

  init(to server: PostgreSQLServer) { self.server = server }

  var isAbandoned: Bool { server.isClosed }

  func discard() { if server.remove(self) { end() } }

  /// Ends the session, after ``PostgreSQLServer`` has removed it.
  func end() {
    session = nil
    numbers = [:]
  }

  /// Forgets the numbers that were drawn and not used, which may be lower than those of rows that
  /// were inserted with their numbers.
  func forgetNumbers() { numbers = [:] }

  /// See ``Database/giveMemoryBack()``.
  func giveMemoryBack() { if transaction == nil, shared == nil { discard() } }

  /// See ``Database/read(_:)``.
  func read<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    if transaction != nil { return try body(reading) }
    if isSharingReads { return try sharedRead { _ in try body(reading) } }
    return try reading(in: .reading(), body)
  }

  /// See ``PostgreSQLDatabase/snapshot(_:)``.
  func snapshot<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    guard transaction == nil else { throw DatabaseError.misuse("a snapshot inside a transaction") }
    endSharedReads()
    return try unlimited { try reading(in: .snapshot(), body) }
  }

  private func reading<Value>(
    in new: ServerTransaction, _ body: (Connection) throws -> Value
  ) throws -> Value {
    transaction = new
    defer {
      transaction = nil
      end(new)
    }
    return try body(reading)
  }

  /// Runs `body` without a limit of time for its transactions.
  func unlimited<Value>(_ body: () throws -> Value) rethrows -> Value {
    let was = isUnlimited
    isUnlimited = true
    defer { isUnlimited = was }
    return try body()
  }

  /// See ``Database/sharingReads(_:)``.
  func sharingReads<Value>(_ body: (Connection) throws -> Value) rethrows -> Value {
    if isSharingReads || transaction != nil { return try body(reading) }
    isSharingReads = true
    defer {
      isSharingReads = false
      endSharedReads()
    }
    return try body(reading)
  }

  /// Runs `body` in the snapshot of ``sharingReads(_:)``. An error ends the snapshot, because the
  /// server runs no further statement in it.
  private func sharedRead<Value>(_ body: (ServerTransaction) throws -> Value) throws -> Value {
    let current = shared ?? .reading()
    shared = current
    transaction = current
    defer {
      transaction = nil
      if current.failure != nil { endSharedReads() }
    }
    do { return try body(current) } catch {
      transaction = nil
      endSharedReads()
      throw error
    }
  }

  /// See ``Database/endSharedReads()``.
  func endSharedReads() {
    guard transaction == nil, let shared else { return }
    self.shared = nil
    end(shared)
  }

  /// See ``Database/write(_:)``.
  func write<Value>(
    _ manner: WriteAttempts.Manner, _ body: (Connection) throws -> Value
  ) throws -> Value {
    guard transaction == nil else {
      throw DatabaseError.misuse("a write inside a transaction of the same thread")
    }
    endSharedReads()
    let start = Uptime.nanoseconds
    var attempts = WriteAttempts(manner, at: Uptime.milliseconds, isUnlimited: isUnlimited)
    while true {
      let begun = Uptime.nanoseconds
      do {
        let value = try attempt(attempts.manner, body)
        server.observer?.writerWaited(nanoseconds: begun - start)
        return value
      } catch let error as DatabaseError {
        if error.sqlState == "25006" || error.isStalePlan { discard() }
        guard let pause = attempts.pause(after: error, at: Uptime.milliseconds), server.left > 0
        else {
          server.observer?.writerWaited(nanoseconds: begun - start)
          throw error
        }
        // Its cached numbers may be those of rows that were inserted with their numbers.
        if error.kind == .unique {
          forgetNumbers()
          session?.run(.forgetNumbers)
        }
        server.observer?.writeRepeats(run: attempts.count)
        poll(nil, 0, pause)
      }
    }
  }

  private func attempt<Value>(
    _ manner: WriteAttempts.Manner, _ body: (Connection) throws -> Value
  ) throws -> Value {
    let new = ServerTransaction.writing(manner, isUnlimited: isUnlimited)
    transaction = new
    defer { transaction = nil }
    do {
      let value = try body(Connection(Runner(self, new)))
      try commit(new)
      return value
    } catch {
      end(new)
      // A body's own error, such as "not found", may be wrong after a conflict, or after the error
      // of an earlier statement.
      if let failure = new.failure, failure.isConflict || new.hasFailedEarlier { throw failure }
      throw error
    }
  }

  private func commit(_ transaction: ServerTransaction) throws {
    guard transaction.hasBegun else { return }
    if let failure = transaction.failure { throw failure }
    let session = try session(of: transaction)
    let results: [ServerResult]
    do {
      // A statement's limit must not end the wait for a standby.
      results = try session.exchange(within: left, "COMMIT") {
        session.send(.runUnlimited)
        session.send(.commit)
      }
    } catch {
      guard session.isLost else { throw error }
      discard()
      return try settle(transaction)
    }
    transaction.hasBegun = false
    guard results.last?.command == "COMMIT" else {
      throw DatabaseError.misuse("the transaction was undone after an earlier error")
    }
    if session.isUnconfirmed {
      throw DatabaseError(.unknown, code: 0, detail: "no standby has confirmed the commit")
    }
  }

  /// Asks the server for the end of a transaction whose COMMIT it has not answered. Throws
  /// ``DatabaseError``: a conflict if it was rolled back, and `unknown` if that cannot be told.
  private func settle(_ transaction: ServerTransaction) throws {
    transaction.hasBegun = false
    let undone = DatabaseError(sqlState: "40001", detail: " (the connection was lost at COMMIT)")
    guard let number = transaction.number else { throw undone }
    // A caller whose time is over gets some more, because the answer decides between two pages.
    let end = Uptime.milliseconds + Int64(max(min(left, 10_000), 1_000))
    while case let left = Int(end - Uptime.milliseconds), left > 0 {
      do {
        switch try open(within: left).outcome(of: number, within: left) {
        case true?: return
        case false?: throw undone
        case nil: break
        }
      } catch let error as DatabaseError where error.kind == .missing || error.kind == .busy {
        if error.isConflict { throw error }
        discard()
      }
      poll(nil, 0, 20)
    }
    throw TransactionNumber.isUnknown
  }

  /// Ends a transaction without waiting for the server's answer.
  private func end(_ transaction: ServerTransaction) {
    guard transaction.hasBegun, let session else { return }
    transaction.hasBegun = false
    session.run(.rollback)
    if session.isLost { discard() }
  }

  private var left: Int { isUnlimited ? .max : server.left }

  private func open(within left: Int) throws -> PostgreSQLSession {
    if let session, !session.isLost { return session }
    let new = try server.connect(within: left)
    try server.add(self)
    session = new
    forgetNumbers()
    return new
  }

  /// Returns the session of a transaction, which is opened before its first statement alone.
  private func session(of transaction: ServerTransaction) throws -> PostgreSQLSession {
    guard transaction.hasBegun else { return try open(within: left) }
    guard let session else { throw DatabaseError.lost("the connection to the server was lost") }
    guard session.isInTransaction else {
      throw DatabaseError.misuse("the transaction was undone after an earlier error")
    }
    return session
  }

  /// Runs a statement. If the server is gone, or the statement has other columns by now, and
  /// nothing of the transaction has been seen yet, the transaction begins anew in a new session.
  private func run(
    _ sql: SQL, in transaction: ServerTransaction, _ access: Access
  ) throws -> ServerResult {
    if let failure = transaction.failure { throw failure }
    do { return try runOnce(sql, in: transaction, access) } catch let error as DatabaseError {
      guard transaction.failure != nil, !transaction.hasAnswered, !transaction.isRepeated,
        error.isStalePlan || error.kind == .missing
      else { throw error }
      discard()
      transaction.beginAnew()
      return try runOnce(sql, in: transaction, access)
    }
  }

  private func runOnce(
    _ sql: SQL, in transaction: ServerTransaction, _ access: Access
  ) throws -> ServerResult {
    let session = try session(of: transaction)
    let statement = try statement(sql, in: transaction, of: session, access)
    let values = try EncodedValues(sql.values, for: statement)
    // Before the first change, so that COMMIT can go out together with the last ones.
    let asksNumber = transaction.isWriting && transaction.number == nil
    var results = try recordingFailure(of: transaction) {
      try session.exchange(within: left, statement.text) {
        for command in transaction.begin() { session.send(command) }
        session.send(statement, values)
        if asksNumber { session.send(.number) }
      }
    }
    transaction.hasAnswered = true
    if asksNumber, let number = results.popLast()?.first {
      transaction.number = TransactionNumber(number: number, history: session.history)
    }
    guard let result = results.last else {
      throw DatabaseError.misuse("no result of \(statement.text)")
    }
    return result
  }

  /// Sends a change without waiting for its result, which is read with that of the next question, or
  /// of COMMIT. Returns false if it must be run: the first statement of a transaction, after which
  /// the transaction cannot begin anew unnoticed, and what changes more than rows.
  private func send(_ sql: SQL, in transaction: ServerTransaction) throws -> Bool {
    guard transaction.number != nil, transaction.failure == nil else { return false }
    let session = try session(of: transaction)
    let statement = try statement(sql, in: transaction, of: session, .writing)
    guard statement.changesRows, !session.isFull else { return false }
    session.send(statement, try EncodedValues(sql.values, for: statement))
    return true
  }

  /// Returns the statement, prepared at the server.
  private func statement(
    _ sql: SQL, in transaction: ServerTransaction, of session: PostgreSQLSession, _ access: Access
  ) throws -> ServerStatement {
    let statement = session.statement(sql)
    guard access == .writing || statement.isReadOnly else {
      throw DatabaseError(.readOnly, code: 0, detail: "a read was to run \(statement.text)")
    }
    if statement.parameters == nil {
      try recordingFailure(of: transaction) {
        try session.prepare(statement, sql, within: left, after: transaction.begin())
      }
    }
    return statement
  }

  private func recordingFailure<Value>(
    of transaction: ServerTransaction, _ body: () throws -> Value
  ) throws -> Value {
    do { return try body() } catch let error as DatabaseError {
      transaction.failure = error
      transaction.hasFailedEarlier = session?.hasFailedEarlier == true
      if session?.isLost == true { discard() }
      throw error
    }
  }

  /// Runs `body` on the session while it is in no transaction.
  func outsideTransactions<Value>(
    _ body: (PostgreSQLSession, _ left: Int) throws -> Value
  ) throws -> Value {
    guard transaction == nil else {
      throw DatabaseError.misuse("what needs no transaction inside one")
    }
    endSharedReads()
    return try body(open(within: left), left)
  }

  /// Runs `VACUUM` in a session of its own, without the limit of a statement.
  func removeDeletedBytes(for caller: DatabaseCaller) throws {
    guard transaction == nil else { throw DatabaseError.misuse("VACUUM inside a transaction") }
    endSharedReads()
    let session = try server.connect(within: left)
    _ = try session.result(of: "SET statement_timeout = 0", within: left)
    _ = try session.result(of: "VACUUM", within: caller == .command ? .max : left)
  }

  /// See ``StoredDatabase/migrating(_:_:)``.
  ///
  /// The lock is that of a session of its own, so that it outlives a lost one of the thread.
  func migrating<Value>(_ wait: MigrationWait, _ body: () throws -> Value) throws -> Value {
    let session = try server.connect(within: server.left)
    let lock: SQL = "SELECT CAST(pg_try_advisory_lock(\(Self.migrationLock)) AS TEXT)"
    while try session.result(of: lock, within: server.left).first != "true" {
      guard wait == .untilItEnds else {
        throw DatabaseError(sqlState: "55P03", detail: ": another process migrates")
      }
      poll(nil, 0, 50)
    }
    let value = try unlimited(body)
    // The end of the session would free it, too, but a moment later.
    _ = try session.result(
      of: "SELECT pg_advisory_unlock(\(Self.migrationLock))", within: server.left)
    return value
  }

  /// "Poly" in ASCII, as in the header of the files of SQLite.
  private static let migrationLock = 0x506F_6C79

  private enum Access { case reading, writing }

  /// Runs the statements of a ``Connection`` of this thread.
  private final class Runner: Connection.StatementRunner {
    private unowned let connection: PostgreSQLConnection
    /// The transaction whose changes it runs; nil if it reads in any.
    private let own: ServerTransaction?

    init(_ connection: PostgreSQLConnection, _ own: ServerTransaction?) {
      self.connection = connection
      self.own = own
    }

    func run(_ statement: SQL, _ body: (Row) throws -> Void) throws -> Int {
      connection.server.observer?.statementRuns(statement)
      if own == nil, connection.transaction == nil, connection.isSharingReads {
        return try connection.sharedRead { try run(statement, in: $0, body) }
      }
      return try run(statement, in: current, body)
    }

    func send(_ statement: SQL) throws -> Int? {
      if own != nil, try connection.send(statement, in: current) {
        connection.server.observer?.statementRuns(statement)
        return nil
      }
      return try run(statement) { _ in }
    }

    func insert(_ statement: SQL) throws -> Int64 {
      connection.server.observer?.statementRuns(statement)
      let column = try identity(of: statement)
      var identity: Int64?
      let count = try run("\(statement) RETURNING \(schemaName: column)", in: current) {
        identity = Int64($0.int(0))
      }
      guard count == 1, let identity else {
        throw DatabaseError.misuse("an INSERT inserted no row, or several")
      }
      return identity
    }

    /// Returns numbers that the table's identity column gives to no other row.
    func reserve(_ count: Int, in table: SQL) throws -> [Int64] {
      guard own != nil else {
        throw DatabaseError.misuse("numbers reserved outside of a write transaction")
      }
      let table = table.rendered(.postgresql).text
      let column = try identity(of: table).name
      var numbers: [Int64] = []
      let reservation: SQL = """
        SELECT nextval(pg_get_serial_sequence(\(table), \(column)))
        FROM generate_series(1, \(count))
        """
      _ = try run(reservation, in: current) { numbers.append(Int64($0.int(0))) }
      return numbers
    }

    /// Takes the number of a scattered identity from a part of the session's block, which the server
    /// has sent at once.
    func number(in table: SQL) throws -> Int64 {
      let name = table.rendered(.postgresql).text
      if own != nil, let number = connection.numbers[name]?.popFirst() { return number }
      let isScattered = try own != nil && identity(of: name).isScattered
      var drawn = try reserve(isScattered ? 20 : 1, in: table)[...]
      guard let number = drawn.popFirst() else {
        throw DatabaseError.misuse("no number of \(name)")
      }
      connection.numbers[name] = drawn
      return number
    }

    private func run(
      _ statement: SQL, in transaction: ServerTransaction, _ body: (Row) throws -> Void
    ) throws -> Int {
      if transaction.readsInParts, ServerStatement.isReadOnly(statement) {
        return try runInParts(statement, in: transaction, body)
      }
      let result = try connection.run(statement, in: transaction, own == nil ? .reading : .writing)
      try result.forEach(body)
      return result.changed
    }

    /// Reads a result by a cursor.
    private func runInParts(
      _ statement: SQL, in transaction: ServerTransaction, _ body: (Row) throws -> Void
    ) throws -> Int {
      let cursor = "cursor\(transaction.nextCursor())"
      _ = try connection.run(
        "DECLARE \(schemaName: cursor) NO SCROLL CURSOR FOR \(statement)", in: transaction, .reading
      )
      var count = 0
      repeat {
        let part = try connection.run(
          "FETCH 50 FROM \(schemaName: cursor)", in: transaction, .reading)
        count = part.count
        try part.forEach(body)
      } while count > 0
      _ = try connection.run("CLOSE \(schemaName: cursor)", in: transaction, .reading)
      return 0
    }

    /// The open transaction. Throws ``DatabaseError`` after its end.
    private var current: ServerTransaction {
      get throws {
        guard let current = connection.transaction, own == nil || own === current else {
          throw DatabaseError.misuse("a connection used after its transaction")
        }
        return current
      }
    }

    /// Returns the identity column of the table behind `INSERT INTO`.
    private func identity(of statement: SQL) throws -> String {
      if let known = connection.identities.statement(statement) { return known.column }
      let column = try identity(of: Self.table(of: statement)).name
      _ = connection.identities.add(Insertion(column), for: statement)
      return column
    }

    private func identity(of table: String) throws -> IdentityColumn {
      let column = try connection.server.identity(of: table) {
        let find: SQL = """
          SELECT attname, seqcache > 1 FROM pg_attribute
          JOIN pg_sequence ON seqrelid = CAST(pg_get_serial_sequence(\(table), attname) AS regclass)
          WHERE attrelid = to_regclass(\(table)) AND attidentity <> ''
          """
        var found: IdentityColumn?
        _ = try run(find, in: current) { row in
          found = IdentityColumn(name: row.string(0), isScattered: row.bool(1))
        }
        return found
      }
      guard let column else { throw DatabaseError.misuse("\(table) has no identity column") }
      return column
    }

    /// Returns the name behind `INSERT INTO`.
    private static func table(of statement: SQL) throws -> String {
      let text = statement.rendered(.postgresql).text
      let words = text.split(maxSplits: 3) { $0.isWhitespace || $0 == "(" }
      guard words.count > 2, words[0] == "INSERT", words[1] == "INTO" else {
        throw DatabaseError.misuse("no INSERT: \(text)")
      }
      return String(words[2])
    }
  }
}

/// A column whose numbers the server assigns.
struct IdentityColumn: Sendable {
  let name: String
  /// True for an ``SQL/Word/scatteredIdentity``.
  let isScattered: Bool
}
