extension Connection {
  /// The engine of a ``Connection``, which runs its statements.
  public protocol StatementRunner: AnyObject {
    /// Runs the statement, calls `body` for each row, and returns the number of changed rows.
    ///
    /// Throws ``DatabaseError``, and any error of `body`.
    func run(_ statement: SQL, _ body: (Row) throws -> Void) throws -> Int
    /// Runs an `INSERT` of one row, and returns the identity that the row was given.
    ///
    /// Throws ``DatabaseError``, also if no row was inserted.
    func insert(_ statement: SQL) throws -> Int64
    /// Returns `count` different numbers, in ascending order, for rows to be inserted into a table
    /// whose key is an ``SQL/Word/identity`` or ``SQL/Word/scatteredIdentity``. They may have gaps.
    ///
    /// - Each number of an ``SQL/Word/identity`` is greater than all that the engine has assigned or
    ///   returned for the table before, except by transactions that run at the same time.
    /// - The engine never assigns or returns them again once the transaction is committed, even if
    ///   no row is inserted. After a rollback it may.
    /// - `table` is a bare name without values, and `count` is positive.
    ///
    /// Throws ``DatabaseError``, also outside a write transaction.
    func reserve(_ count: Int, in table: SQL) throws -> [Int64]
    /// Returns a number like ``reserve(_:in:)``, with which the transaction inserts a row before it
    /// asks for another number of the table.
    ///
    /// Throws ``DatabaseError``, also outside a write transaction.
    func number(in table: SQL) throws -> Int64
    /// Runs a statement for its changes alone, and returns the number of changed rows if it is known
    /// by then.
    ///
    /// An engine may send the statement to a server without waiting for the answer. It then throws
    /// the statement's error later: by the next statement whose answer is waited for, or at the end
    /// of the transaction, whose changes are not committed.
    func send(_ statement: SQL) throws -> Int?
  }
}

extension Connection.StatementRunner {
  /// Default: reserves a number.
  public func number(in table: SQL) throws -> Int64 {
    guard let number = try reserve(1, in: table).first else {
      throw DatabaseError(.other, code: 0, detail: "no number was reserved")
    }
    return number
  }

  /// Default: runs the statement at once.
  public func send(_ statement: SQL) throws -> Int? { try run(statement) { _ in } }
}

/// A transaction's view of the database. Reads and changes go to that transaction alone.
public class Connection {
  // Usable from inlinable functions, so that reading a row is compiled into the calling code.
  @usableFromInline final let runner: any Connection.StatementRunner
  private final let use: Use

  private final class Use {
    var written = Connection.StorageUse()
  }

  /// Creates a connection for one transaction. Called by an engine.
  public init(_ runner: any Connection.StatementRunner) {
    self.runner = runner
    use = Use()
  }

  /// Creates another view of the same transaction.
  package init(sharing other: Connection) {
    runner = other.runner
    use = other.use
  }

  /// The sealed bytes and the rows written in this transaction so far.
  final var written: Connection.StorageUse { use.written }

  /// Runs a statement for its changes alone.
  ///
  /// An engine may not wait for the server's answer, and throw the ``DatabaseError`` of the statement
  /// by a later one, or at the end of the transaction, whose changes are not committed. A caller that
  /// makes something of the error, such as "this name is taken", uses ``runCounting(_:)``.
  public final func run(_ statement: SQL) throws {
    // A sealed value belongs to one row, so that there are no more rows than values.
    note(statement, records: try runner.send(statement) ?? statement.sealedCount)
  }

  /// Runs a statement that returns no rows, waits for its end, and returns the number of changed
  /// rows. Throws ``DatabaseError``.
  public final func runCounting(_ statement: SQL) throws -> Int {
    let changed = try runner.run(statement) { _ in }
    note(statement, records: changed)
    return changed
  }

  private final func note(_ statement: SQL, records: Int) {
    guard statement.sealedByteCount > 0 else { return }
    use.written =
      written + Connection.StorageUse(bytes: statement.sealedByteCount, records: records)
  }

  /// Returns all rows of the statement in its order, each converted by `read`.
  @inlinable
  public final func rows<Value>(_ statement: SQL, _ read: (Row) throws -> Value) throws -> [Value] {
    var values: [Value] = []
    _ = try runner.run(statement) { values.append(try read($0)) }
    return values
  }

  /// Calls `body` for each row of the statement, in its order, while the statement runs. Only one
  /// row is in memory at a time. `body` may run other statements.
  public final func forEach(_ statement: SQL, _ body: (Row) throws -> Void) throws {
    _ = try runner.run(statement, body)
  }

  /// Returns the first row of the statement, converted by `read`; nil if there is none.
  @inlinable
  public final func row<Value>(_ statement: SQL, _ read: (Row) throws -> Value) throws -> Value? {
    var value: Value?
    _ = try runner.run(statement) { if value == nil { value = try read($0) } }
    return value
  }

  /// Returns the first column of the first row as an integer; nil if there is no row or it is NULL.
  @inlinable
  public final func integer(_ statement: SQL) throws -> Int? {
    try row(statement) { $0.isNull(0) ? nil : $0.int(0) } ?? nil
  }

  /// Runs an `INSERT` of one row into a table whose key is an ``SQL/Word/identity``, and returns
  /// the key that the engine assigned.
  ///
  /// Throws ``DatabaseError``, also if no row was inserted.
  public final func insert<Record>(_ statement: SQL) throws -> ID<Record> {
    use.written = written + Connection.StorageUse(bytes: statement.sealedByteCount, records: 1)
    return ID(try runner.insert(statement))
  }

  /// Inserts a row that contains something bound to its number, such as a sealed value, and returns
  /// the number. `statement` returns the `INSERT` of one row with the number that it gets, by
  /// `VALUES` and without `ON CONFLICT`, because an engine may not wait for it; see ``run(_:)``.
  ///
  /// A row that is inserted first and filled by an `UPDATE` would be stored twice, and would
  /// conflict with the rows of other writers. Throws ``DatabaseError``, and any error of `statement`.
  public final func insert<Record>(
    numberedIn table: SQL, _ statement: (ID<Record>) throws -> SQL
  ) throws -> ID<Record> {
    let number = try runner.number(in: table)
    let statement = try statement(ID(number))
    guard try runner.send(statement) ?? 1 == 1 else {
      throw DatabaseError(.other, code: 0, detail: "an INSERT inserted no row, or several")
    }
    use.written = written + Connection.StorageUse(bytes: statement.sealedByteCount, records: 1)
    return ID(number)
  }

  /// Returns numbers that no other row of the table will ever have, in ascending order, if the
  /// transaction is committed. The key of the table is an ``SQL/Word/identity`` or
  /// ``SQL/Word/scatteredIdentity``.
  ///
  /// An `INSERT` must not name a number that neither the engine has assigned nor this has returned,
  /// because PostgreSQL would assign it again. Throws ``DatabaseError``.
  public final func reserve<Record>(_ count: Int, in table: SQL) throws -> [ID<Record>] {
    count > 0 ? try runner.reserve(count, in: table).map { ID($0) } : []
  }
}

extension Row {
  /// The current row of a statement, provided by an engine.
  public protocol Source: AnyObject {
    /// Returns true if the column is NULL.
    func isNull(_ column: Int) -> Bool
    /// Returns the column as a 64-bit integer.
    func integer(_ column: Int) -> Int64
    /// Returns the column as a floating-point number.
    func real(_ column: Int) -> Double
    /// Returns the column as text.
    func text(_ column: Int) -> String
    /// Returns the column as bytes.
    func bytes(_ column: Int) -> [UInt8]
  }
}

/// One row of a result, read by column position. Valid only inside the closure that receives it.
public struct Row {
  // Usable from inlinable functions, so that reading a row is compiled into the calling code.
  @usableFromInline let source: any Row.Source
  @usableFromInline let first: Int

  /// Creates a row from the engine's current row. Called by an engine.
  @inlinable
  public init(_ source: any Row.Source) { self.init(source, first: 0) }

  @inlinable
  init(_ source: any Row.Source, first: Int) {
    self.source = source
    self.first = first
  }

  /// Returns the same row with its columns counted from `column` on, to read the second table of a
  /// join.
  @inlinable
  public func from(_ column: Int) -> Row { Row(source, first: first + column) }

  /// Returns true if the column is NULL.
  @inlinable
  public func isNull(_ column: Int) -> Bool { source.isNull(first + column) }
  /// Returns the column as an integer.
  @inlinable
  public func int(_ column: Int) -> Int { Int(source.integer(first + column)) }
  /// Returns the column as a floating-point number.
  @inlinable
  public func real(_ column: Int) -> Double { source.real(first + column) }
  /// Returns the column as a Boolean: false for 0, true for any other number.
  @inlinable
  public func bool(_ column: Int) -> Bool { source.integer(first + column) != 0 }
  /// Returns the column as text.
  @inlinable
  public func string(_ column: Int) -> String { source.text(first + column) }
  /// Returns the column as bytes.
  public func bytes(_ column: Int) -> [UInt8] { source.bytes(first + column) }
  /// Returns the column as sealed bytes, for ``SealedColumn/open(_:row:by:)``.
  public func sealed(_ column: Int) -> Sealed { Sealed(source.bytes(first + column)) }
  /// Returns the column as the number of a record.
  public func id<Record>(_ column: Int) -> ID<Record> { ID(source.integer(first + column)) }
  /// Returns the column, which holds Unix seconds, as an instant.
  @inlinable
  public func instant(_ column: Int) -> Instant { Instant(source.integer(first + column)) }
  /// Returns the column, which holds `YYYY-MM-DD`, as a date; nil if it holds anything else.
  public func date(_ column: Int) -> CalendarDate? { CalendarDate(source.text(first + column)) }

  /// Returns the column, converted by `read`; nil if it is NULL.
  @inlinable
  public func optional<Value>(_ column: Int, _ read: (Row) -> (Int) -> Value) -> Value? {
    isNull(column) ? nil : read(self)(column)
  }
}
