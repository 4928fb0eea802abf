/// What an engine does for a ``Connection``: runs one statement and hands out its rows.
public protocol StatementRunner: AnyObject {
  /// Runs the statement, calls `body` for each row, and returns how many rows were changed.
  ///
  /// Throws ``DatabaseError``, and whatever `body` throws.
  func run(_ statement: SQL, _ body: (Row) throws -> Void) throws -> Int
}

/// One transaction's view of the database: whoever holds it reads and changes data in that transaction alone.
public final class Connection {
  private let runner: any StatementRunner

  public init(_ runner: any StatementRunner) { self.runner = runner }

  /// Runs a statement that returns no rows; the number of rows it changed.
  @discardableResult
  public func run(_ statement: SQL) throws -> Int { try runner.run(statement) { _ in } }

  /// All rows of the statement, each through `read`, in the statement's order.
  public func rows<Value>(_ statement: SQL, _ read: (Row) throws -> Value) throws -> [Value] {
    var values: [Value] = []
    _ = try runner.run(statement) { values.append(try read($0)) }
    return values
  }

  /// The first row of the statement through `read`; nil when there is none.
  public func row<Value>(_ statement: SQL, _ read: (Row) throws -> Value) throws -> Value? {
    var value: Value?
    _ = try runner.run(statement) { if value == nil { value = try read($0) } }
    return value
  }

  /// The first column of the first row as an integer; nil when there is no row or it is NULL.
  public func integer(_ statement: SQL) throws -> Int? {
    try row(statement) { $0.isNull(0) ? nil : $0.int(0) } ?? nil
  }

  /// Runs an `INSERT … RETURNING` of one id, and returns it.
  public func insert<Record>(_ statement: SQL) throws -> ID<Record> {
    guard let id: ID<Record> = try row(statement, { $0.id(0) }) else {
      throw DatabaseError(.other, code: 0, detail: "an INSERT returned no id")
    }
    return id
  }
}

/// What an engine knows of the row at hand.
public protocol RowSource: AnyObject {
  func isNull(_ column: Int) -> Bool
  func integer(_ column: Int) -> Int64
  func real(_ column: Int) -> Double
  func text(_ column: Int) -> String
  func bytes(_ column: Int) -> [UInt8]
}

/// One row of an answer, read by position; valid only inside the closure that receives it.
public struct Row {
  private let source: any RowSource

  public init(_ source: any RowSource) { self.source = source }

  public func isNull(_ column: Int) -> Bool { source.isNull(column) }
  public func int(_ column: Int) -> Int { Int(source.integer(column)) }
  public func real(_ column: Int) -> Double { source.real(column) }
  public func bool(_ column: Int) -> Bool { source.integer(column) != 0 }
  public func string(_ column: Int) -> String { source.text(column) }
  public func bytes(_ column: Int) -> [UInt8] { source.bytes(column) }
  public func sealed(_ column: Int) -> Sealed { Sealed(source.bytes(column)) }
  public func id<Record>(_ column: Int) -> ID<Record> { ID(source.integer(column)) }
  public func instant(_ column: Int) -> Instant { Instant(source.integer(column)) }
  public func date(_ column: Int) -> CalendarDate? { CalendarDate(source.text(column)) }

  /// The column through `read`; nil when it is NULL.
  public func optional<Value>(_ column: Int, _ read: (Row) -> (Int) -> Value) -> Value? {
    isNull(column) ? nil : read(self)(column)
  }
}
