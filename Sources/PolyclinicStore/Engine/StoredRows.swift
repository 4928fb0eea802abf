import PolyclinicCore

/// All rows of a table, for copies of a whole database.
extension StoredTable {
  /// Calls `body` with each row in the order of the primary key, with the columns in their order.
  /// Only one row is in memory at a time. Throws ``DatabaseError``, and any error of `body`.
  public func forEachRow(on connection: Connection, _ body: (Row) throws -> Void) throws {
    try connection.forEach(selection, body)
  }

  /// Returns the values of a row of ``forEachRow(on:_:)``.
  public func values(of row: Row) -> [SQL.Value] {
    columns.enumerated().map { place, column in
      if row.isNull(place) { return .null }
      return switch column.type {
      case .integer: .integer(Int64(row.int(place)))
      case .real: .real(row.real(place))
      case .text: .text(row.string(place))
      case .bytes: .bytes(row.bytes(place))
      }
    }
  }

  /// All rows in the order of the primary key. Without a sort, which could need more memory than a
  /// process has: an engine has an index of the key.
  package var selection: SQL {
    var text = SQL.StringInterpolation(literalCapacity: 0, interpolationCount: columns.count)
    text.appendLiteral("SELECT ")
    text.appendNames(columns.map(\.name))
    text.appendLiteral(" FROM ")
    text.appendInterpolation(schemaName: name)
    if !key.isEmpty {
      text.appendLiteral(" ORDER BY ")
      text.appendNames(key)
    }
    return SQL(stringInterpolation: text)
  }

  /// Returns the tables so that each one comes after those that it refers to, and otherwise in the
  /// present order. Tables that refer to one another in a circle come last.
  public static func inReferenceOrder(_ tables: [StoredTable]) -> [StoredTable] {
    var ordered: [StoredTable] = []
    var left = tables
    while !left.isEmpty {
      let names = Set(left.map(\.name))
      let next = left.filter { table in
        !table.references.contains { $0.table != table.name && names.contains($0.table) }
      }
      guard !next.isEmpty else { return ordered + left }
      ordered += next
      let placed = Set(next.map(\.name))
      left.removeAll { placed.contains($0.name) }
    }
    return ordered
  }
}

extension StoredDatabase {
  /// Returns the number of rows of each table, by its name. Throws ``DatabaseError``.
  public func rowCounts(on connection: Connection) throws -> [String: Int] {
    let counts = try tables(on: connection).map {
      ($0.name, try connection.integer(SQL(countingRowsOf: $0.name)) ?? 0)
    }
    return Dictionary(counts) { first, _ in first }
  }
}

/// Inserts many rows into one table, several with each statement.
public struct RowInsertion {
  private let table: String
  private let columns: [String]
  private let connection: Connection
  private let batch: Int
  private var rows: [[SQL.Value]] = []
  private var byteCount = 0

  /// The most bytes that wait for their statement.
  private static let mostBytes = 1 << 20

  /// Creates an insertion of values for these columns.
  public init(into table: String, _ columns: [String], on connection: Connection) {
    self.table = table
    self.columns = columns
    self.connection = connection
    // Far from the engines' limits of 32 766 (SQLite) and 65 535 values.
    batch = max(1, min(32, 1_000 / max(1, columns.count)))
    rows.reserveCapacity(batch)
  }

  /// Adds a row, with one value for each column. Throws ``DatabaseError``.
  public mutating func add(_ row: [SQL.Value]) throws {
    rows.append(row)
    byteCount += row.reduce(0) { $0 + $1.byteCount }
    if rows.count == batch {
      try connection.run(statement(rows))
      forgetRows()
    } else if byteCount >= Self.mostBytes {
      try finish()
    }
  }

  /// Inserts the rows that still wait, one by one, so that each table needs two statements only.
  public mutating func finish() throws {
    for row in rows { try connection.run(statement([row])) }
    forgetRows()
  }

  private mutating func forgetRows() {
    rows.removeAll(keepingCapacity: true)
    byteCount = 0
  }

  private func statement(_ rows: [[SQL.Value]]) -> SQL {
    var text = SQL.StringInterpolation(
      literalCapacity: 0, interpolationCount: rows.count * (columns.count + 1))
    text.appendLiteral("INSERT INTO ")
    text.appendInterpolation(schemaName: table)
    text.appendLiteral(" (")
    text.appendNames(columns)
    text.appendLiteral(") VALUES ")
    for (number, row) in rows.enumerated() {
      text.appendLiteral(number == 0 ? "(" : ", (")
      for (place, value) in row.enumerated() {
        if place > 0 { text.appendLiteral(", ") }
        text.appendInterpolation(value: value)
      }
      text.appendLiteral(")")
    }
    return SQL(stringInterpolation: text)
  }
}

extension SQL.StringInterpolation {
  fileprivate mutating func appendNames(_ names: [String]) {
    for (place, name) in names.enumerated() {
      if place > 0 { appendLiteral(", ") }
      appendInterpolation(schemaName: name)
    }
  }

  /// Binds a value of ``StoredTable/values(of:)``.
  package mutating func appendInterpolation(value: SQL.Value) {
    switch value {
    case .null: appendInterpolation(Int64?.none)
    case .integer(let number): appendInterpolation(number)
    case .real(let number): appendInterpolation(number)
    case .text(let text): appendInterpolation(text)
    case .bytes(let bytes): appendInterpolation(bytes)
    }
  }
}

extension SQL.Value {
  fileprivate var byteCount: Int {
    switch self {
    case .null, .integer, .real: 8
    case .text(let text): text.utf8.count
    case .bytes(let bytes): bytes.count
    }
  }
}
