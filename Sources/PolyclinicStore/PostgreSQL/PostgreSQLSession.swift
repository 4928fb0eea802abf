import CPostgreSQL
import Glibc
import PolyclinicCore
import PolyclinicSystem

/// A connection to a server, with its prepared statements. It never waits within libpq, whose waits
/// have no limit.
///
/// Commands are sent in pipelines: several go out together, and the first that fails keeps the
/// rest of its pipeline from running. A change whose result nobody needs at once waits in the
/// pipeline of the next question.
final class PostgreSQLSession {
  private let handle: OpaquePointer
  private var statements = StatementCache<ServerStatement>()
  /// The number of statements prepared so far, for their names.
  private var prepared = 0
  /// The pipelines whose results nobody has waited for.
  private var unread = 0
  /// The texts of the commands of the pipeline that has not ended yet, and the bytes of their values.
  private var queued: [String] = []
  private var queuedBytes = 0
  /// True if the last error is that of a command that was sent before the exchange which found it.
  private(set) var hasFailedEarlier = false
  private let observer: (any DatabaseObserver)?
  /// The time at which the exchange must have ended.
  private var end: Int64 = 0
  /// True if the server is gone, or did not answer in time. Every later call throws.
  private(set) var isLost = false
  /// True if the last commit did not wait for the standby that should have confirmed it.
  private(set) var isUnconfirmed = false
  /// The history of the server. A promoted standby begins another one, and so does a crash, after
  /// which numbers of transactions are given again that the server had not written yet.
  private(set) var history = ""

  /// A command without values, prepared when the session begins.
  enum Command: String, CaseIterable {
    case beginReading = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    case beginWriting = "BEGIN ISOLATION LEVEL SERIALIZABLE"
    case beginIndependent = "BEGIN ISOLATION LEVEL READ COMMITTED"
    // LOCK TABLE takes no snapshot, so the transaction sees what the turn before it has changed.
    case takePart = "LOCK TABLE write_turn IN ROW SHARE MODE"
    case takeTurn = "LOCK TABLE write_turn IN EXCLUSIVE MODE"
    case waitBriefly = "SET LOCAL lock_timeout = '20ms'"
    // A migration that waits for a table keeps all later transactions from it.
    case waitAsMigration = "SET LOCAL lock_timeout = '2s'"
    case runUnlimited = "SET LOCAL statement_timeout = 0"
    case idleUnlimited = "SET LOCAL idle_in_transaction_session_timeout = 0"
    case forgetNumbers = "DISCARD SEQUENCES"
    case number = "SELECT CAST(pg_current_xact_id() AS TEXT)"
    case commit = "COMMIT"
    case rollback = "ROLLBACK"
  }

  /// Connects to a host. Throws ``DatabaseError`` of kind `missing`.
  init(
    to host: PostgreSQLAddress.Host, of address: PostgreSQLAddress, within left: Int,
    observer: (any DatabaseObserver)?
  ) throws {
    guard let handle = PQconnectStart(try address.options(for: host)) else {
      throw DatabaseError.lost("no memory for a connection")
    }
    self.handle = handle
    self.observer = observer
    end = Uptime.milliseconds + Int64(left)
    // Without a receiver, libpq prints notices, which may quote values.
    PQsetNoticeReceiver(handle, Self.receive, Unmanaged.passUnretained(self).toOpaque())
    try connect(host)
    guard PQsetnonblocking(handle, 1) == 0, PQenterPipelineMode(handle) == 1 else {
      throw DatabaseError.lost("the connection cannot be used without waiting")
    }
    // The timeline, and the time of the last crash, since which the server collects statistics.
    let text = """
      SELECT substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) || ' '
        || coalesce(extract(epoch FROM stats_reset), 0) FROM pg_stat_bgwriter
      """
    let results = try exchange(within: left, text) {
      for command in Command.allCases {
        sent(PQsendPrepare(handle, "\(command)", command.rawValue, 0, nil), command.rawValue)
      }
      sent(PQsendQueryParams(handle, text, 0, nil, nil, nil, nil, 1), text)
    }
    history = results.last?.first ?? ""
  }

  deinit { PQfinish(handle) }

  /// True while a transaction is open that has not failed, as far as the server's answers were read.
  var isInTransaction: Bool {
    [PQTRANS_INTRANS, PQTRANS_ACTIVE].contains(PQtransactionStatus(handle))
  }

  /// True if so many commands wait for the next exchange that it is due.
  var isFull: Bool { queued.count >= 100 || queuedBytes >= 1 << 18 }

  /// Returns the statement, prepared before or not yet.
  func statement(_ sql: SQL) -> ServerStatement {
    if let known = statements.statement(sql) { return known }
    prepared += 1
    return ServerStatement(sql.rendered(.postgresql).text, name: "s\(prepared)")
  }

  /// Prepares a statement, after the commands in the same pipeline. Throws ``DatabaseError``.
  func prepare(
    _ statement: ServerStatement, _ sql: SQL, within left: Int, after commands: [Command]
  ) throws {
    let described = try exchange(within: left, statement.text) {
      for command in commands { send(command) }
      sent(PQsendPrepare(handle, statement.name, statement.text, 0, nil), statement.text)
      sent(PQsendDescribePrepared(handle, statement.name), statement.text)
    }
    guard let described = described.last, !described.hasUnreadableColumn else {
      throw DatabaseError.misuse("a column of a type that is not read: \(statement.text)")
    }
    statement.parameters = described.parameterTypes
    for displaced in statements.add(statement, for: sql) { forget(displaced) }
  }

  /// Queues a command. The next exchange waits for its result.
  func send(_ command: Command) {
    sent(PQsendQueryPrepared(handle, "\(command)", 0, nil, nil, nil, 1), command.rawValue)
  }

  /// Queues a statement. The next exchange waits for its result.
  func send(_ statement: ServerStatement, _ values: EncodedValues) {
    values.withPointers { pointers, lengths, formats in
      let count = Int32(truncatingIfNeeded: pointers.count)
      sent(
        PQsendQueryPrepared(handle, statement.name, count, pointers, lengths, formats, 1),
        statement.text)
    }
    queuedBytes += values.byteCount
  }

  /// Runs a statement outside of transactions, and returns its result. Throws ``DatabaseError``.
  func result(of sql: SQL, within left: Int) throws -> ServerResult {
    let statement = statement(sql)
    if statement.parameters == nil { try prepare(statement, sql, within: left, after: []) }
    let values = try EncodedValues(sql.values, for: statement)
    let results = try exchange(within: left, statement.text) { send(statement, values) }
    guard let result = results.last else { throw Self.gone }
    return result
  }

  /// Returns true if a transaction of this or an earlier session was committed, false if it was
  /// rolled back, and nil if it still runs. Throws ``DatabaseError``.
  ///
  /// In another history, the number may be that of another transaction. Then this one was rolled
  /// back, because a commit keeps its number.
  func outcome(of transaction: TransactionNumber, within left: Int) throws -> Bool? {
    let isSameHistory = transaction.history == history
    let status: SQL = "SELECT pg_xact_status(CAST(\(transaction.number) AS xid8))"
    do {
      switch try result(of: status, within: left).first {
      case "committed" where isSameHistory: return true
      case "in progress" where isSameHistory: return nil
      case "aborted", "in progress": return false
      // Two transactions may have the number, or the server has forgotten it.
      default: throw TransactionNumber.isUnknown
      }
    } catch let error as DatabaseError where error.isOfFuture {
      return false
    }
  }

  /// Sends what `queue` queues, after what was queued before, waits at most `left` milliseconds for
  /// the results, and returns them. Throws the first ``DatabaseError``.
  func exchange(
    within left: Int, _ text: String, _ queue: () -> Void
  ) throws -> [ServerResult] {
    hasFailedEarlier = false
    guard !isLost else { throw DatabaseError.lost("the connection to the server was lost") }
    guard left > 0 else { throw DatabaseError.late("no time was left for \(text)") }
    end = Uptime.milliseconds + Int64(min(left, 1 << 40))
    isUnconfirmed = false
    let earlier = queued.count
    queue()
    let texts = queued
    endPipeline()
    observer?.waitsForServer()
    var results: [ServerResult] = []
    do {
      try flush()
      try collect(&results)
    } catch {
      // The server says why it ends a session before it does.
      isLost = true
      throw firstError(in: results, of: texts, earlier) ?? error
    }
    if let error = firstError(in: results, of: texts, earlier) { throw error }
    return results
  }

  /// Returns the error of the first command that failed. The results up to it are in the order of
  /// the commands.
  private func firstError(
    in results: [ServerResult], of texts: [String], _ earlier: Int
  ) -> DatabaseError? {
    for (place, (result, text)) in zip(results, texts).enumerated() {
      guard let error = result.error(in: text) else { continue }
      hasFailedEarlier = place < earlier
      return error
    }
    return nil
  }

  /// Sends a command without waiting for its result.
  func run(_ command: Command) { unawaited { send(command) } }

  private func run(_ text: String) {
    unawaited { sent(PQsendQueryParams(handle, text, 0, nil, nil, nil, nil, 1), text) }
  }

  private func unawaited(_ queue: () -> Void) {
    guard !isLost else { return }
    // In the pipeline of earlier commands, an error of theirs would keep a ROLLBACK from running.
    if !queued.isEmpty {
      endPipeline()
      unread += 1
    }
    queue()
    // The next exchange sends the rest that the kernel does not take now.
    endPipeline()
    if PQflush(handle) < 0 { isLost = true }
    unread += 1
  }

  private func endPipeline() {
    if PQpipelineSync(handle) == 0 { isLost = true }
    queued = []
    queuedBytes = 0
  }

  private func forget(_ statement: ServerStatement) { run("DEALLOCATE \(statement.name)") }

  private func sent(_ code: Int32, _ text: String) {
    if code == 0 { isLost = true }
    queued.append(text)
  }

  private func connect(_ host: PostgreSQLAddress.Host) throws {
    // After a refusal at once, there is no socket to wait for.
    var state = PQstatus(handle) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING
    while true {
      switch state {
      case PGRES_POLLING_OK: return
      case PGRES_POLLING_READING: try wait(for: POLLIN)
      case PGRES_POLLING_WRITING: try wait(for: POLLOUT)
      default:
        // No statement was sent, so libpq's message names the host, the user and the reason alone.
        let lines = String(cString: PQerrorMessage(handle)).split(whereSeparator: \.isNewline)
        throw DatabaseError.lost("cannot connect to \(host.name): \(lines.joined(separator: " "))")
      }
      state = PQconnectPoll(handle)
    }
  }

  private func flush() throws {
    while true {
      let rest = PQflush(handle)
      if rest == 0 { return }
      guard rest > 0 else { throw Self.gone }
      // The server may stop to read until its answers are read.
      try wait(for: POLLIN | POLLOUT)
      guard PQconsumeInput(handle) == 1 else { throw Self.gone }
    }
  }

  /// Reads the results up to the end of the last pipeline, without those of earlier ones.
  private func collect(_ results: inout [ServerResult]) throws {
    var ends = 0
    while true {
      while PQisBusy(handle) != 0 {
        try wait(for: POLLIN)
        guard PQconsumeInput(handle) == 1 else { throw Self.gone }
      }
      guard let result = PQgetResult(handle) else {
        // The end of a command's results. Two in a row are those of a lost connection.
        ends += 1
        guard ends < 2, PQstatus(handle) == CONNECTION_OK else { throw Self.gone }
        continue
      }
      ends = 0
      switch PQresultStatus(result) {
      case PGRES_PIPELINE_SYNC:
        PQclear(result)
        if unread == 0 { return }
        unread -= 1
        results = []
      case PGRES_PIPELINE_ABORTED: PQclear(result)
      case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
        PQclear(result)
        throw DatabaseError.misuse("COPY in a statement")
      default: results.append(ServerResult(result))
      }
    }
  }

  /// Waits until the socket is ready. Throws ``DatabaseError`` of kind `busy` when time is over.
  private func wait(for events: Int32) throws {
    while true {
      let left = end - Uptime.milliseconds
      var socket = pollfd(fd: PQsocket(handle), events: Int16(events), revents: 0)
      let ready = poll(&socket, 1, Int32(clamping: max(left, 0)))
      if ready > 0 { return }
      if ready < 0, errno != EINTR { throw Self.gone }
      if left <= 0 { throw DatabaseError.late("the server did not answer in time") }
    }
  }

  private static var gone: DatabaseError { .lost("the connection to the server was lost") }

  /// Called by libpq for a notice or warning. Of these, 01000 says that a commit stopped waiting
  /// for its standby (SyncRepWaitForLSN in syncrep.c).
  private static let receive: PQnoticeReceiver = { session, result in
    guard let session, let state = PQresultErrorField(result, Int32(UInt8(ascii: "C"))) else {
      return
    }
    if String(cString: state) == "01000" {
      Unmanaged<PostgreSQLSession>.fromOpaque(session).takeUnretainedValue().isUnconfirmed = true
    }
  }
}
