/// What an engine does for a ``Connection``: runs one statement and hands out its rows.
public protocol StatementRunner: AnyObject {
  /// Runs the statement, calls `body` for each row, and returns how many rows were changed.
  ///
  /// Throws ``DatabaseError``, and whatever `body` throws.
  func run(_ statement: SQL, _ body: (Row) throws -> Void) throws -> Int
  /// Runs an `INSERT` of one row, and returns the identity that the row was given.
  ///
  /// Throws ``DatabaseError``, also when no row was inserted.
  func insert(_ statement: SQL) throws -> Int64
}

/// One transaction's view of the database: whoever holds it reads and changes data in that transaction alone.
public final class Connection {
  // What reads a row is compiled together with those who ask for it.
  @usableFromInline let runner: any StatementRunner
  /// The sealed bytes and the rows that were written on this connection so far.
  private(set) var written = StorageUse()

  /// Made by an engine for the length of a transaction.
  public init(_ runner: any StatementRunner) { self.runner = runner }

  /// Runs a statement that returns no rows; the number of rows it changed.
  @discardableResult
  public func run(_ statement: SQL) throws -> Int {
    let changed = try runner.run(statement) { _ in }
    if statement.sealedByteCount > 0 {
      written = written + StorageUse(bytes: statement.sealedByteCount, records: changed)
    }
    return changed
  }

  /// All rows of the statement, each through `read`, in the statement's order.
  @inlinable
  public func rows<Value>(_ statement: SQL, _ read: (Row) throws -> Value) throws -> [Value] {
    var values: [Value] = []
    _ = try runner.run(statement) { values.append(try read($0)) }
    return values
  }

  /// Calls `body` for each row of the statement, in the statement's order, while the statement runs: of
  /// all rows only one is in memory. `body` may run other statements.
  public func forEach(_ statement: SQL, _ body: (Row) throws -> Void) throws {
    _ = try runner.run(statement, body)
  }

  /// The first row of the statement through `read`; nil when there is none.
  @inlinable
  public func row<Value>(_ statement: SQL, _ read: (Row) throws -> Value) throws -> Value? {
    var value: Value?
    _ = try runner.run(statement) { if value == nil { value = try read($0) } }
    return value
  }

  /// The first column of the first row as an integer; nil when there is no row or it is NULL.
  @inlinable
  public func integer(_ statement: SQL) throws -> Int? {
    try row(statement) { $0.isNull(0) ? nil : $0.int(0) } ?? nil
  }

  /// Runs an `INSERT` of one row into a table whose key is an ``SQL/Word/identity``, and returns the
  /// key that the engine has given; throws ``DatabaseError``, also when no row was inserted.
  public func insert<Record>(_ statement: SQL) throws -> ID<Record> {
    written = written + StorageUse(bytes: statement.sealedByteCount, records: 1)
    return ID(try runner.insert(statement))
  }
}

/// What an engine knows of the row at hand.
public protocol RowSource: AnyObject {
  /// Whether the column is NULL.
  func isNull(_ column: Int) -> Bool
  /// The column as a 64-bit integer.
  func integer(_ column: Int) -> Int64
  /// The column as a floating-point number.
  func real(_ column: Int) -> Double
  /// The column as text.
  func text(_ column: Int) -> String
  /// The column as bytes.
  func bytes(_ column: Int) -> [UInt8]
}

/// One row of an answer, read by position; valid only inside the closure that receives it.
public struct Row {
  // Reading a row is compiled together with the code that asks for it.
  @usableFromInline let source: any RowSource
  @usableFromInline let first: Int

  /// Made by an engine for the row that it stands on.
  @inlinable
  public init(_ source: any RowSource) { self.init(source, first: 0) }

  @inlinable
  init(_ source: any RowSource, first: Int) {
    self.source = source
    self.first = first
  }

  /// The same row from a column on, counted from 0 anew: what a table has that stands behind another.
  @inlinable
  public func from(_ column: Int) -> Row { Row(source, first: first + column) }

  /// Whether the column is NULL.
  @inlinable
  public func isNull(_ column: Int) -> Bool { source.isNull(first + column) }
  /// The column as an integer.
  @inlinable
  public func int(_ column: Int) -> Int { Int(source.integer(first + column)) }
  /// The column as a floating-point number.
  @inlinable
  public func real(_ column: Int) -> Double { source.real(first + column) }
  /// The column as a truth: anything but 0 is true.
  @inlinable
  public func bool(_ column: Int) -> Bool { source.integer(first + column) != 0 }
  /// The column as text.
  @inlinable
  public func string(_ column: Int) -> String { source.text(first + column) }
  /// The column as bytes.
  public func bytes(_ column: Int) -> [UInt8] { source.bytes(first + column) }
  /// The column as sealed bytes, for ``Slot/open(_:row:by:)``.
  public func sealed(_ column: Int) -> Sealed { Sealed(source.bytes(first + column)) }
  /// The column as the number of a record.
  public func id<Record>(_ column: Int) -> ID<Record> { ID(source.integer(first + column)) }
  /// The column, which holds Unix seconds, as a moment.
  @inlinable
  public func instant(_ column: Int) -> Instant { Instant(source.integer(first + column)) }
  /// The column, which holds `YYYY-MM-DD`, as a day; nil when it holds anything else.
  public func date(_ column: Int) -> CalendarDate? { CalendarDate(source.text(first + column)) }

  /// The column through `read`; nil when it is NULL.
  @inlinable
  public func optional<Value>(_ column: Int, _ read: (Row) -> (Int) -> Value) -> Value? {
    isNull(column) ? nil : read(self)(column)
  }
}
